// The program that times the op.

#include "squares.h"
#include <wick/bench/op_bench.h>

int main(int argc, char** argv) { return wick::testing::benchmark_main(argc, argv, {squares_spec()}); }
