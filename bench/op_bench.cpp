#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/op_bench.h>
#include <wick/bench/op_timing.h>
#include <wick/bench/program.h>
#include <wick/ops/instruction_set.h>

namespace wick::testing {
namespace {

void register_case(const OpSpec& spec, const OpCase& op_case, const std::string& set, DType dtype) {
  using bench::Operands;
  const std::string label = spec.name + "/" + op_case.name + "/" + set + "/" + std::string(name(dtype));
  const auto add = [&](const std::string& full_label, Operands operands) {
    bench::register_benchmark(full_label, [&spec, &op_case, set, dtype, operands](benchmark::State& state) {
      bench::time_op(state, spec, op_case, set, dtype, operands);
    });
  };
  add(label, Operands::warm);
  if (!bench::leaves_l2_by_itself(op_case, dtype)) add(label + "/cold_L2", Operands::cold_l2);
}

}  // namespace

int benchmark_main(int argc, char** argv, const std::vector<OpSpec>& specs) {
  return bench::run_program(argc, argv, [&specs] {
    bench::register_fma_limits();
    for (const OpSpec& spec : specs) {
      for (const OpCase& op_case : spec.benchmarks) {
        for (const std::string& set : present_instruction_sets()) {
          for (const DType dtype : {float32, float64}) register_case(spec, op_case, set, dtype);
        }
      }
    }
  });
}

}  // namespace wick::testing
