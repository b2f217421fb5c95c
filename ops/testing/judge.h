#pragma once

#include <string>

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

/// How an output stands to what was expected.
struct Judgement {
  double worst_error = 0;  ///< the largest difference in units of its bound; above 1 is wrong
  std::string complaint;   ///< the first: "element (0, 3) is 0.5, expected 0.25 within 3.1e-08"; "" if none
};

/// Compares shape, type and every element. The bounds count in epsilons of the output's own type; a result
/// may also be off by the smallest subnormal number, or by the smallest normal one where it may be flushed to
/// 0. Where there are no bounds, the output has to be the expected value rounded to its type, to the bit (any
/// NaN for a NaN).
Judgement judge(const Tensor& output, const Expected& expected, bool may_flush_to_0 = false);

}  // namespace wick::testing
