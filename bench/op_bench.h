#pragma once

#include <vector>

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

/// A whole benchmark program for ops: times OpSpec::benchmarks of every spec on every instruction set that is
/// present, in float32 and float64, as "matmul/64x64 @ 64x64/avx512/float32".
///
///     int main(int argc, char** argv) { return wick::testing::benchmark_main(argc, argv, {softplus_spec()});
///     }
///
/// Before it is timed, every output is compared with the reference, on a few slices of its independent axes
/// where it is large: one that is wrong is not timed, and the program then ends with 1.
///
/// Counters: "best", seconds of one call in the best of many short bunches; the rate at that, in FLOP/s where
/// the spec counts operations, and in bytes read and written elsewhere; and its percentage of the limit that
/// was measured in the same process: multiply-adds in registers of the same set and type on one thread, or
/// memcpy of as many bytes. (Small moves can exceed that one: it is a yardstick, no law.) Operands are warm,
/// where the call before left them; under ".../cold_L2" calls take turns in copies that the second-level
/// cache cannot hold.
///
/// One thread, unless OMP_NUM_THREADS says how many. The command line is Google Benchmark's
/// (--benchmark_filter=softmax, --benchmark_format=json, --help); what it does not know is an error, and the
/// program ends with 2.
int benchmark_main(int argc, char** argv, const std::vector<OpSpec>& specs);

}  // namespace wick::testing
