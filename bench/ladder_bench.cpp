// What vectors and tuning bring: the same work from a plain loop up to the widest instruction set, as
// "softmax/4096x64/plain", "…/scalar", … "…/avx512". float32, whole ops through Tensor.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/op_timing.h>
#include <wick/bench/plain_head.h>
#include <wick/bench/plain_loops.h>
#include <wick/bench/works.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/slice.h>

namespace wick::bench {
namespace {

using testing::Inputs;

// From the inputs to `out`, by plain loops.
using PlainLoop = std::function<void(const Inputs& inputs, float* out)>;

void matmul_loop(const Inputs& in, float* out) {
  plain_matmul(in[0].data<float>(), in[1].data<float>(), out, in[0].size(0), in[1].size(1), in[0].size(1));
}

void softmax_loop(const Inputs& in, float* out) {
  plain_softmax(in[0].data<float>(), out, in[0].size(0), in[0].size(1));
}

void transpose_loop(const Inputs& in, float* out) {
  plain_transpose(in[0].data<float>(), out, in[0].size(0), in[0].size(1));
}

template <bool causal>
void attention_loop(const Inputs& in, float* out) {
  const std::int64_t length = in[0].size(2);
  const std::int64_t size = in[0].size(3);
  for (std::int64_t at = 0; at < in[0].numel(); at += length * size) {
    plain_attention(in[0].data<float>() + at, in[1].data<float>() + at, in[2].data<float>() + at, out + at,
                    length, size, causal);
  }
}

void time_plain(benchmark::State& state, const SpecWork& work, const PlainLoop& loop) {
  const NoGrad no_grad;
  use_instruction_set(present_instruction_sets().back());
  const Inputs& inputs = inputs_of(work.spec, work.op_case, float32);
  Tensor output = zeros(work.spec.forward(inputs, work.op_case.attributes).shape());
  float* const out = output.mutable_data<float>();
  loop(inputs, out);
  check_once(work.name + "/plain", [&] { require_right(work.spec, work.op_case, inputs, output); });
  // Ordinary flags are those of x86-64's base.
  time_calls(
      state, work_of(work.spec, work.op_case.attributes, inputs, output, "sse2"), [&] { loop(inputs, out); },
      Clock::either);
}

// The first and the last head, in double: a plain loop over all of them takes seconds.
void require_right_gradients(const SpecWork& work, const Inputs& inputs, const Tensor& gradient) {
  const std::int64_t length = inputs[0].size(2);
  const std::int64_t size = inputs[0].size(3);
  const bool causal = work.op_case.attributes.get<bool>("causal");
  const auto head = [&](const Tensor& all, std::int64_t b, std::int64_t h) {
    return slice(slice(all.detach(), 0, b, b + 1), 1, h, h + 1);
  };
  using Place = std::pair<std::int64_t, std::int64_t>;
  for (const auto& [b, h] : {Place{0, 0}, Place{inputs[0].size(0) - 1, inputs[0].size(1) - 1}}) {
    std::vector<Doubles> given;
    for (const Tensor& tensor : {inputs[0], inputs[1], inputs[2], gradient}) {
      given.push_back(head(tensor, b, h).to_vector<double>());
    }
    std::vector<Doubles> expected(3, Doubles(given[0].size()));
    plain_attention_backward(given[0].data(), given[1].data(), given[2].data(), given[3].data(),
                             expected[0].data(), expected[1].data(), expected[2].data(), length, size,
                             causal);
    for (std::size_t i = 0; i < 3; ++i) {
      require_close("an input's gradient", head(inputs[i].grad(), b, h), expected[i]);
    }
  }
}

void time_attention_backward(benchmark::State& state, const SpecWork& work, const std::string& set) {
  use_instruction_set(set);
  Inputs inputs = inputs_of(work.spec, work.op_case, float32);
  for (Tensor& input : inputs) {
    input = input.detach();
    input.set_requires_grad(true);
  }
  const Tensor gradient = default_rng(5)->standard_normal(inputs[2].shape());
  check_once(work.name + "/backward/" + set, [&] {
    work.spec.forward(inputs, work.op_case.attributes).backward(gradient);
    require_right_gradients(work, inputs, gradient);
  });
  Bunches bunches(clock_of_ops());
  for (auto _ : state) {
    const Tensor output = work.spec.forward(inputs, work.op_case.attributes);
    for (Tensor& input : inputs) input.zero_grad();
    bunches.begin();
    output.backward(gradient);
    bunches.end();
  }
  // Counted as 2.5 forwards: five products for their two.
  const double operations = 2.5 * work.spec.operations(inputs, work.op_case.attributes, gradient);
  set_counters(state, {operations, "FLOP/s", fma_limit(set, float32)}, bunches.best());
}

void register_work(const SpecWork& work, const PlainLoop& loop) {
  if (loop) {
    register_benchmark(work.name + "/plain",
                       [work, loop](benchmark::State& state) { time_plain(state, work, loop); });
  }
  for (const std::string& set : present_instruction_sets()) {
    register_benchmark(work.name + "/" + set, [work, set](benchmark::State& state) {
      time_op(state, work.spec, work.op_case, set, float32);
    });
  }
}

void register_backward(const SpecWork& work) {
  for (const std::string& set : present_instruction_sets()) {
    register_benchmark("attention_backward" + work.name.substr(work.name.find('/')) + "/" + set,
                       [work, set](benchmark::State& state) { time_attention_backward(state, work, set); });
  }
}

void register_all() {
  register_fma_limits();
  for (const std::int64_t n : {64, 256}) register_work(matmul_work(n, n, n), matmul_loop);
  register_work(softmax_work(64, 1024), softmax_loop);
  register_work(softmax_work(4096, 64), softmax_loop);
  register_work(softmax_work(12288, 1024), softmax_loop);
  register_memcpy_limit(std::int64_t{12288} * 1024 * 4);
  for (const std::int64_t n : {1024, 4096}) {
    register_work(transpose_work(n, n), transpose_loop);
    register_memcpy_limit(n * n * 4);
  }
  for (const bool causal : {false, true}) {
    const PlainLoop loop = causal ? attention_loop<true> : attention_loop<false>;
    register_work(attention_work(1, 12, 256, 64, causal), loop);
    const SpecWork short_work = attention_work(16, 4, 64, 16, causal);
    register_work(short_work, loop);
    register_backward(short_work);
    const SpecWork long_work = attention_work(1, 12, 1024, 64, causal);
    register_work(long_work, {});  // a plain loop takes seconds
    register_backward(long_work);
  }
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
