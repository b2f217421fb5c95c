// Matrix products, kernel call against kernel call: wick's on each instruction set beside the peers that were
// found. Everything is allocated beforehand, and every contender has one thread and the same memory.

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/products/contender.h>
#include <wick/bench/program.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/kernels/sets.h>

namespace wick::bench {
namespace {

class WickProducts final : public Contender {
 public:
  explicit WickProducts(const kernels::KernelTable& table) : table_(table) {}
  std::string name() const override { return table_.name; }
  std::string description() const override { return "wick"; }
  void prepare(const Product& p) override {
    workspace_ = Tensor({table_.float32.matmul_workspace(p.M, p.N, p.K)}, float32);
    workspace_data_ = workspace_.numel() > 0 ? workspace_.mutable_data<float>() : nullptr;
  }
  void multiply(const Product& p) const override {
    table_.float32.matmul({.M = p.M,
                           .N = p.N,
                           .K = p.K,
                           .a = {p.a, p.K, 1},
                           .b = {p.b, p.N, 1},
                           .out = p.out,
                           .out_row_stride = p.N,
                           .workspace = workspace_data_});
  }

 private:
  const kernels::KernelTable& table_;
  Tensor workspace_;
  float* workspace_data_ = nullptr;
};

// The operands of one size, made when first asked for: most runs want few of them.
class Operands {
 public:
  Operands(std::int64_t M, std::int64_t N, std::int64_t K) : M_(M), N_(N), K_(K) {}

  std::string name() const {
    return std::to_string(M_) + "x" + std::to_string(N_) + "x" + std::to_string(K_);
  }

  double operations() const { return 2.0 * static_cast<double>(M_ * N_ * K_); }

  Product product() {
    if (!a_.defined()) {
      const auto rng = default_rng(4);
      a_ = rng->standard_normal({M_, K_});
      b_ = rng->standard_normal({K_, N_});
      out_ = zeros({M_, N_});
    }
    return {M_, N_, K_, a_.data<float>(), b_.data<float>(), out_.mutable_data<float>()};
  }

 private:
  std::int64_t M_, N_, K_;
  Tensor a_, b_, out_;
};

// First, middle and last, and what lies right and left of where tiles end.
std::vector<std::int64_t> picked(std::int64_t size) {
  std::set<std::int64_t> some;
  for (const std::int64_t i :
       {std::int64_t{0}, std::int64_t{5}, std::int64_t{15}, size / 2, size - 2, size - 1}) {
    if (i >= 0 && i < size) some.insert(i);
  }
  return {some.begin(), some.end()};
}

// Against plain sums in double, at picked rows and columns; the bound is that of any order of summation.
void require_right(const Product& p) {
  for (const std::int64_t i : picked(p.M)) {
    for (const std::int64_t j : picked(p.N)) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t k = 0; k < p.K; ++k) {
        const double term = static_cast<double>(p.a[i * p.K + k]) * static_cast<double>(p.b[k * p.N + j]);
        sum += term;
        magnitude += std::abs(term);
      }
      const double bound = magnitude * static_cast<double>(p.K) * 0x1p-23;
      const double got = p.out[i * p.N + j];
      if (!(std::abs(got - sum) <= bound)) {
        throw std::runtime_error("wrong: element (" + std::to_string(i) + ", " + std::to_string(j) + ") is " +
                                 std::to_string(got) + ", expected " + std::to_string(sum));
      }
    }
  }
}

void run(benchmark::State& state, Contender& contender, Operands& operands, std::string_view set) {
  const Product product = operands.product();
  contender.prepare(product);
  check_once(operands.name() + "/" + contender.name(), [&] {
    std::fill(product.out, product.out + product.M * product.N, std::nanf(""));
    contender.multiply(product);
    require_right(product);
  });
  const Work work{operands.operations(), "FLOP/s", fma_limit(set, float32)};
  time_calls(state, work, [&] { contender.multiply(product); });
}

std::vector<std::unique_ptr<Contender>> make_contenders() {
  std::vector<std::unique_ptr<Contender>> contenders;
#ifdef WICK_BENCH_EIGEN
  contenders.push_back(make_eigen());
#endif
#ifdef WICK_BENCH_OPENBLAS
  contenders.push_back(make_openblas());
#endif
#ifdef WICK_BENCH_ONEDNN
  contenders.push_back(make_onednn());
#endif
  for (const auto& peer : contenders) benchmark::AddCustomContext(peer->name(), peer->description());
  for (const kernels::KernelTable* table : kernels::built_sets()) {
    if (is_present(*table)) contenders.push_back(std::make_unique<WickProducts>(*table));
  }
  return contenders;
}

std::vector<Operands> all_operands() {
  return {{6, 16, 64},                                           // lesson 4's projection
          {12, 16, 32},                                          // lesson 5's
          {12, 12, 16},                                          // its scores
          {64, 64, 64},      {256, 64, 64},     {1024, 64, 64},  // a small GPT's projections
          {128, 128, 128},   {256, 256, 256},   {512, 512, 512},
          {1024, 768, 768},  {1024, 3072, 768},  // a large GPT's
          {1024, 1024, 64},  {1024, 64, 1024},   // its attention: scores, then values
          {1, 768, 768},                         // one position at a time
          {2048, 2048, 2048}};
}

void register_all() {
  static const std::vector<std::unique_ptr<Contender>> contenders = make_contenders();
  static std::vector<Operands> operands = all_operands();
  const std::string widest = present_instruction_sets().back();
  register_fma_limits();
  for (Operands& these : operands) {
    for (const auto& contender : contenders) {
      const std::vector<std::string> sets = present_instruction_sets();
      const bool is_set = std::find(sets.begin(), sets.end(), contender->name()) != sets.end();
      const std::string set = is_set ? contender->name() : widest;
      const std::string label = "product/" + these.name() + "/" + contender->name();
      register_benchmark(
          label, [&these, &contender, set](benchmark::State& state) { run(state, *contender, these, set); });
    }
  }
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
