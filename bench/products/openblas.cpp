#include <cblas.h>

#include <wick/bench/products/contender.h>

namespace wick::bench {
namespace {

class OpenBlasProducts final : public Contender {
 public:
  OpenBlasProducts() { openblas_set_num_threads(1); }

  std::string name() const override { return "openblas"; }

  std::string description() const override {
    const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
    return config.substr(0, config.find(' ', config.find(' ') + 1)) + ", chose " + openblas_get_corename();
  }

  void multiply(const Product& product) const override {
    const auto M = static_cast<blasint>(product.M);
    const auto N = static_cast<blasint>(product.N);
    const auto K = static_cast<blasint>(product.K);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1, product.a, K, product.b, N, 0,
                product.out, N);
  }
};

}  // namespace

std::unique_ptr<Contender> make_openblas() { return std::make_unique<OpenBlasProducts>(); }

}  // namespace wick::bench
