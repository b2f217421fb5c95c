// One head, whole: through Tensor, Module and ops; forward without gradients, and forward and backward as a
// step of training has them. "head/lesson4/avx512", "head/lesson4/causal/avx512",
// "head/lesson4/forward_backward/avx512".

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/plain_head.h>
#include <wick/bench/program.h>
#include <wick/framework/graph.h>
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

// Weights at which scores are of ordinary size, whatever C is; peer_works.py has the same.
HeadOptions options_of(const HeadWork& work) {
  return {.causal = work.causal, .weight_scale = 1 / std::sqrt(static_cast<double>(work.x.back()))};
}

// Query's, key's and value's.
std::vector<Tensor> weights_of(const Head& head) {
  std::vector<Tensor> weights;
  for (const NamedTensor& weight : head.named_parameters()) weights.push_back(weight.tensor);
  return weights;
}

void require_right(const Head& head, const HeadWork& work, const Tensor& x) {
  require_close("the head", head.forward(x), PlainHead(x, weights_of(head), work.causal).out());
}

// The gradients that a step of training has left.
void require_right_gradients(const Head& head, const HeadWork& work, const Tensor& x,
                             const Tensor& gradient) {
  const std::vector<Tensor> weights = weights_of(head);
  const std::vector<Doubles> expected =
      PlainHead(x, weights, work.causal).gradients(gradient.to_vector<double>());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require_close("a weight's gradient", weights[i].grad(), expected[i]);
  }
}

std::string label_of(const HeadWork& work) { return "head/" + work.name + (work.causal ? "/causal" : ""); }

void forward(benchmark::State& state, const HeadWork& work, const std::string& set) {
  use_instruction_set(set);
  const NoGrad no_grad;
  const auto rng = default_rng(42);
  const Head head(work.x.back(), work.head_size, options_of(work), *rng);
  const Tensor x = rng->standard_normal(work.x);
  check_once(label_of(work) + "/" + set, [&] { require_right(head, work, x); });
  time_calls(state, {1, "heads/s", 0}, [&] { benchmark::DoNotOptimize(head.forward(x)); });
}

// One step of training without its optimizer: gradients forgotten, the head run, and the gradients of its
// three weights computed.
void forward_backward(benchmark::State& state, const HeadWork& work, const std::string& set) {
  use_instruction_set(set);
  const auto rng = default_rng(42);
  Head head(work.x.back(), work.head_size, options_of(work), *rng);
  const Tensor x = rng->standard_normal(work.x);
  const Tensor gradient = rng->standard_normal({x.size(0), x.size(1), work.head_size});
  const auto step = [&] {
    head.zero_grad();
    head.forward(x).backward(gradient);
  };
  check_once(label_of(work) + "/forward_backward/" + set, [&] {
    step();
    require_right_gradients(head, work, x, gradient);
  });
  time_calls(state, {1, "heads/s", 0}, step);
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
        register_head(label_of(work), forward, work, set);
        register_head(label_of(work) + "/forward_backward", forward_backward, work, set);
      }
    }
  }
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
