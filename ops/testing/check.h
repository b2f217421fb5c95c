#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

struct CheckOptions {
  std::vector<std::string> instruction_sets = {};  ///< empty: all that are present
  std::uint64_t seed = 0;
  std::string only_case = {};  ///< empty: all of the op's
};

/// One thing that is wrong.
struct Failure {
  std::string case_name;        ///< "" where it is wrong of the op as a whole
  std::string instruction_set;  ///< "" the same
  std::string what;             ///< "float32: element (0, 3) is 0.5, expected 0.25 within 3.1e-08"
};

/// What came out for one op.
struct OpReport {
  std::string op;
  std::int64_t cases = 0;
  std::map<std::string, double> worst_error;  ///< per instruction set, in units of the bound: see Judgement
  bool has_gradient = false;
  double worst_gradient_error = 0;  ///< see GradcheckResult
  std::int64_t breaks = 0;          ///< how often a gradient was broken on purpose …
  std::int64_t breaks_caught = 0;   ///< … and a case noticed
  std::vector<Failure> failures;
};

/// Runs the cases of one op. On each instruction set, in float32 and in float64:
///
/// - the output against the reference, into memory that was full of NaN;
/// - the same bits (any NaN for a NaN) from inputs that lie in memory in other ways, ringed with NaN: see
///   layouts_of;
/// - the same bits for slices of the independent axes, reversed and one by one;
/// - gradients against finite differences in float64, and that they did not go through float32; those in
///   float32 against them; and the same bits again from other layouts of the inputs and of the output's
///   gradient, and where one gradient alone is wanted;
/// - that no input was written to.
///
/// Where all cases are run, every floating input's gradient is then broken on purpose (kBreaks), and one of
/// the cases has to notice.
///
/// What an op throws is a failure, and so is a spec that cannot be checked (flaw_of). The instruction set in
/// use is restored. Throws ValueError for an unknown case or instruction set.
OpReport check_op(const OpSpec& spec, const CheckOptions& options = {});

}  // namespace wick::testing
