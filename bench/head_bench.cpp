// One head, whole: through Tensor, Module and ops; forward without gradients, and forward and backward as a
// step of training has them. "head/lesson4/avx512", "head/lesson4/causal/avx512",
// "head/lesson4/forward_backward/avx512".

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/plain_loops.h>
#include <wick/bench/program.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/models/head.h>
#include <wick/ops/instruction_set.h>

namespace wick::bench {
namespace {

struct HeadWork {
  std::string name;
  Shape x;  // (B, T, C)
  std::int64_t head_size;
  bool causal;
};

// Weights at which scores are of ordinary size, whatever C is; peers.py has the same.
HeadOptions options_of(const HeadWork& work) {
  return {.causal = work.causal, .weight_scale = 1 / std::sqrt(static_cast<double>(work.x.back()))};
}

// The first batch element by plain loops in double: (T, hs).
std::vector<double> plain_head(const Head& head, const Tensor& x, std::int64_t head_size, bool causal) {
  const std::int64_t T = x.size(1);
  const std::int64_t C = x.size(2);
  const std::vector<double> rows = x.to_vector<double>();
  std::vector<std::vector<double>> projections;  // query, key, value: (T, hs) each
  for (const NamedTensor& weight : head.named_parameters()) {
    const std::vector<double> columns = weight.tensor.to_vector<double>();
    projections.emplace_back(static_cast<std::size_t>(T * head_size));
    plain_matmul(rows.data(), columns.data(), projections.back().data(), T, head_size, C);
  }
  std::vector<double> out(static_cast<std::size_t>(T * head_size));
  plain_attention(projections[0].data(), projections[1].data(), projections[2].data(), out.data(), T,
                  head_size, causal);
  return out;
}

// Against the array's largest value. Rounding is some 1e-6 of it; what is wrong is not that close.
void require_right(const Head& head, const HeadWork& work, const Tensor& x, const Tensor& y) {
  const std::vector<double> expected = plain_head(head, x, work.head_size, work.causal);
  const std::vector<double> got = y.to_vector<double>();
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(got[i] - expected[i]));
  }
  if (!(difference <= 1e-4 * largest)) {
    throw std::runtime_error("wrong: differs from plain loops by " + std::to_string(difference));
  }
}

void forward(benchmark::State& state, const HeadWork& work, const std::string& set) {
  use_instruction_set(set);
  const NoGrad no_grad;
  const auto rng = default_rng(42);
  const Head head(work.x.back(), work.head_size, options_of(work), *rng);
  const Tensor x = rng->standard_normal(work.x);
  check_once("head/" + work.name + (work.causal ? "/causal/" : "/") + set,
             [&] { require_right(head, work, x, head.forward(x)); });
  time_calls(state, {1, "heads/s", 0}, [&] { benchmark::DoNotOptimize(head.forward(x)); });
}

// One step of training without its optimizer: gradients forgotten, the head run, and the gradients of its
// three weights computed.
void forward_backward(benchmark::State& state, const HeadWork& work, const std::string& set) {
  use_instruction_set(set);
  const auto rng = default_rng(42);
  Head head(work.x.back(), work.head_size, options_of(work), *rng);
  const Tensor x = rng->standard_normal(work.x);
  const Tensor gradient = ones(head.forward(x).shape());
  time_calls(state, {1, "heads/s", 0}, [&] {
    head.zero_grad();
    head.forward(x).backward(gradient);
  });
}

void register_head(const std::string& label,
                   void (*run)(benchmark::State&, const HeadWork&, const std::string&), const HeadWork& work,
                   const std::string& set) {
  register_benchmark(label + "/" + set, [run, work, set](benchmark::State& state) { run(state, work, set); });
}

void register_all() {
  register_fma_limits();
  for (const std::string& set : present_instruction_sets()) {
    for (const bool causal : {false, true}) {
      for (const HeadWork& work :
           {HeadWork{"lesson4", {1, 6, 64}, 16, causal}, HeadWork{"lesson5", {1, 12, 32}, 16, causal},
            HeadWork{"16x64x64", {16, 64, 64}, 16, causal},
            HeadWork{"1x1024x768", {1, 1024, 768}, 64, causal}}) {
        const std::string label = "head/" + work.name + (causal ? "/causal" : "");
        register_head(label, forward, work, set);
        register_head(label + "/forward_backward", forward_backward, work, set);
      }
    }
  }
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
