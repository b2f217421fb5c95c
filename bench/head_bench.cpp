// One head at the lessons' shapes, whole: through Tensor, Module and ops, without gradients.

#include <string>

#include <benchmark/benchmark.h>

#include <wick/framework/graph.h>
#include <wick/framework/random.h>
#include <wick/models/head.h>
#include <wick/ops/instruction_set.h>

namespace {

void head_forward(benchmark::State& state, const std::string& set, wick::Shape x_shape,
                  std::int64_t head_size) {
  wick::use_instruction_set(set);
  const wick::NoGrad no_grad;
  const auto rng = wick::default_rng(42);
  const wick::Head head(x_shape.back(), head_size, {.weight_scale = 0.25}, *rng);
  const wick::Tensor x = rng->standard_normal(x_shape);
  for (auto _ : state) {
    benchmark::DoNotOptimize(head.forward(x));
  }
}

const int registered = [] {
  for (const std::string& set : wick::present_instruction_sets()) {
    benchmark::RegisterBenchmark(("head/lesson4/" + set).c_str(), head_forward, set, wick::Shape{1, 6, 64},
                                 16);
    benchmark::RegisterBenchmark(("head/lesson5/" + set).c_str(), head_forward, set, wick::Shape{1, 12, 32},
                                 16);
    benchmark::RegisterBenchmark(("head/16x64x64/" + set).c_str(), head_forward, set, wick::Shape{16, 64, 64},
                                 16);
  }
  return 0;
}();

}  // namespace
