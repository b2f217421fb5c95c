// A benchmark program of an op that computes something else than its reference says.

#include <wick/bench/op_bench.h>
#include <wick/ops/scale.h>
#include <wick/ops/testing/specs.h>

int main(int argc, char** argv) {
  using wick::testing::Attributes;
  using wick::testing::Inputs;
  wick::testing::OpSpec spec = find_spec(wick::testing::op_specs(), "softmax");
  spec.forward = [right = spec.forward](const Inputs& inputs, const Attributes& attributes) {
    return wick::scale(right(inputs, attributes), 1.5);
  };
  spec.benchmarks.resize(1);
  return wick::testing::benchmark_main(argc, argv, {spec});
}
