#pragma once

#include <cstdint>
#include <string>

#include <wick/ops/testing/check.h>

namespace wick::testing {

/// All that check_op() says of one case, on the instruction set in use, which the report calls `set`. Adds
/// the errors and the failures to the report.
void check_case(const OpSpec& spec, const OpCase& op_case, const std::string& set, std::uint64_t seed,
                OpReport& report);

}  // namespace wick::testing
