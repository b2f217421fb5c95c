#include <dnnl.h>
#include <omp.h>

#include <wick/bench/products/contender.h>

namespace wick::bench {
namespace {

std::string chosen_set() {
  switch (dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_sse41:
      return "SSE4.1";
    case dnnl_cpu_isa_avx:
      return "AVX";
    case dnnl_cpu_isa_avx2:
      return "AVX2";
    case dnnl_cpu_isa_avx512_core:
      return "AVX-512 core";
    case dnnl_cpu_isa_avx512_core_vnni:
      return "AVX-512 core with VNNI";
    case dnnl_cpu_isa_avx512_core_bf16:
      return "AVX-512 core with bfloat16";
    case dnnl_cpu_isa_avx512_core_amx:
      return "AVX-512 core with AMX";
    default:
      return "set " + std::to_string(static_cast<int>(dnnl_get_effective_cpu_isa()));
  }
}

class OneDnnProducts final : public Contender {
 public:
  std::string name() const override { return "onednn"; }

  std::string description() const override {
    const dnnl_version_t* version = dnnl_version();
    return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch) + ", chose " + chosen_set();
  }

  // Its threads are OpenMP's.
  void multiply(const Product& product) const override {
    dnnl_sgemm('N', 'N', product.M, product.N, product.K, 1, product.a, product.K, product.b, product.N, 0,
               product.out, product.N);
  }
};

}  // namespace

std::unique_ptr<Contender> make_onednn() {
  omp_set_num_threads(1);
  return std::make_unique<OneDnnProducts>();
}

}  // namespace wick::bench
