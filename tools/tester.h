#pragma once

#include <vector>

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

/// The tester for one's own ops: all that `wick op` does for wick's. A program that hands its arguments over,
///
///     int main(int argc, char** argv) { return wick::testing::main(argc, argv, {softplus_spec()}); }
///
/// has three commands, whose options --help tells:
///
///     ./my_ops list                      what ops there are, and what they take; --json
///     ./my_ops run softplus --in x.npy --out y.npy
///                                        one op over .npy files, forward and backward, for others to judge
///     ./my_ops check                     every case of every op: see check_op
///
/// Returns the exit code: 0, 1 where the work failed or an op is wrong, 2 where the command line is. Messages
/// go to standard error, one line each. Link wick::tester.
int main(int count, char** values, const std::vector<OpSpec>& specs);

}  // namespace wick::testing
