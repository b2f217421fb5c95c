// Two threads against one, whole ops and memcpy: "threads/product/1", "threads/product/2". By the wall's
// clock.

#include <functional>
#include <string>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/op_timing.h>
#include <wick/bench/works.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>

namespace wick::bench {
namespace {

void register_calls(const std::string& name, const std::function<std::function<void()>()>& make_call) {
  for (const int count : {1, 2}) {
    const std::string label = "threads/" + name + "/" + std::to_string(count);
    register_benchmark(label, [make_call, count](benchmark::State& state) {
      const ThreadCount threads(count);
      const NoGrad no_grad;
      use_instruction_set(present_instruction_sets().back());
      const std::function<void()> call = make_call();
      time_calls(state, {1, "calls/s", 0}, call, Clock::wall);
    });
  }
}

// One number of threads is compared: that any other gives the same bits is held by what the tests do with
// tests/ops/large_ops.h.
void register_work(const std::string& name, const SpecWork& work) {
  register_calls(name, [work] {
    const testing::Inputs& inputs = inputs_of(work.spec, work.op_case, float32);
    check_once(work.name, [&] {
      require_right(work.spec, work.op_case, inputs, work.spec.forward(inputs, work.op_case.attributes));
    });
    return [&work, &inputs] { benchmark::DoNotOptimize(work.spec.forward(inputs, work.op_case.attributes)); };
  });
}

void register_all() {
  register_fma_limits();
  register_work("product", matmul_work(1024, 768, 768));
  register_work("softmax", softmax_work(12288, 1024));
  register_work("transpose", transpose_work(4096, 4096));
  register_work("attention", attention_work(1, 12, 1024, 64, false));
  register_calls("memcpy", [] { return [] { copy_once(std::int64_t{12288} * 1024 * 4); }; });
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
