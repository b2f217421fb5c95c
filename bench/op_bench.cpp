#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/op_bench.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/judge.h>
#include <wick/ops/testing/layouts.h>

namespace wick::testing {
namespace {

// Whether any output was wrong, for the exit code: Google Benchmark itself only prints it.
bool anything_was_wrong = false;

constexpr std::int64_t kMostElements = 4096;  // of an output that is compared as a whole

// Where an output is too large for a plain loop, three slices of every independent axis stand for all of it:
// the inputs of that smaller call take the place of `inputs`, and its output that of `output`.
void pick_slices(const OpSpec& spec, const OpCase& op_case, Inputs& inputs, Tensor& output) {
  if (output.numel() <= kMostElements || !spec.independent_axes) return;
  for (const IndependentAxis& axis : spec.independent_axes(inputs, op_case.attributes)) {
    const std::int64_t size = output.size(axis.of_output);
    if (size <= 3) continue;
    const std::vector<std::int64_t> slices = {0, size / 2, size - 1};
    output = take(output, axis.of_output, slices);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (axis.of_inputs[i]) inputs[i] = take(inputs[i], *axis.of_inputs[i], slices);
    }
  }
}

std::string complaint_about(const OpSpec& spec, const OpCase& op_case, Inputs inputs, Tensor output) {
  pick_slices(spec, op_case, inputs, output);
  for (Tensor& input : inputs) {
    if (is_floating(input.dtype())) input = input.to(float64);
  }
  return judge(output, spec.reference(inputs, op_case.attributes), spec.may_flush_to_0).complaint;
}

void run(benchmark::State& state, const OpSpec& spec, const OpCase& op_case, const std::string& set,
         DType dtype) {
  try {
    use_instruction_set(set);
    const NoGrad no_grad;
    const Inputs inputs = make_inputs(spec, op_case, dtype, /*seed=*/0);
    const Tensor output = spec.forward(inputs, op_case.attributes);
    const std::string complaint = complaint_about(spec, op_case, inputs, output);
    if (!complaint.empty()) throw std::runtime_error("wrong: " + complaint);
    for (auto _ : state) {
      benchmark::DoNotOptimize(spec.forward(inputs, op_case.attributes));
    }
    if (spec.operations) {
      const auto per_second = benchmark::Counter::kIsIterationInvariantRate;
      state.counters["FLOP/s"] = benchmark::Counter(spec.operations(inputs, output), per_second);
    } else {
      std::int64_t bytes = byte_count(output);
      for (const Tensor& input : inputs) bytes += byte_count(input);
      state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * bytes);
    }
  } catch (const std::exception& error) {
    anything_was_wrong = true;
    state.SkipWithError(error.what());
  }
}

}  // namespace

int benchmark_main(int argc, char** argv, const std::vector<OpSpec>& specs) {
  if (std::getenv("OMP_NUM_THREADS") == nullptr) set_thread_count(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const OpSpec& spec : specs) {
    for (const OpCase& op_case : spec.benchmarks) {
      for (const std::string& set : present_instruction_sets()) {
        for (const DType dtype : {float32, float64}) {
          const std::string label =
              spec.name + "/" + op_case.name + "/" + set + "/" + std::string(name(dtype));
          benchmark::RegisterBenchmark(label.c_str(), [&spec, &op_case, set, dtype](benchmark::State& state) {
            run(state, spec, op_case, set, dtype);
          });
        }
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return anything_was_wrong ? 1 : 0;
}

}  // namespace wick::testing
