// Every op of wick, timed.

#include <wick/bench/op_bench.h>
#include <wick/ops/testing/specs.h>

int main(int argc, char** argv) {
  return wick::testing::benchmark_main(argc, argv, wick::testing::op_specs());
}
