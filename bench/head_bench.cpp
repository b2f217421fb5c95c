// One head at the lessons' shapes, whole, through Tensor, Module and ops: forward without gradients, and
// forward and backward as a training step has them.

#include <string>

#include <benchmark/benchmark.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
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

// One step of training without its optimizer: gradients forgotten, the head run, and the gradients of its
// three weights computed.
void head_step(benchmark::State& state, const std::string& set, wick::Shape x_shape, std::int64_t head_size) {
  wick::use_instruction_set(set);
  const auto rng = wick::default_rng(42);
  wick::Head head(x_shape.back(), head_size, {.weight_scale = 0.25}, *rng);
  const wick::Tensor x = rng->standard_normal(x_shape);
  const wick::Tensor gradient = wick::ones(head.forward(x).shape());
  for (auto _ : state) {
    head.zero_grad();
    head.forward(x).backward(gradient);
  }
}

const int registered = [] {
  for (const std::string& set : wick::present_instruction_sets()) {
    benchmark::RegisterBenchmark(("head/lesson4/" + set).c_str(), head_forward, set, wick::Shape{1, 6, 64},
                                 16);
    benchmark::RegisterBenchmark(("head/lesson4/backward/" + set).c_str(), head_step, set,
                                 wick::Shape{1, 6, 64}, 16);
    benchmark::RegisterBenchmark(("head/lesson5/" + set).c_str(), head_forward, set, wick::Shape{1, 12, 32},
                                 16);
    benchmark::RegisterBenchmark(("head/16x64x64/" + set).c_str(), head_forward, set, wick::Shape{16, 64, 64},
                                 16);
  }
  return 0;
}();

}  // namespace
