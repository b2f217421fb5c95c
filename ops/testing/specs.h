#pragma once

#include <vector>

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

/// Every op of wick: what tests, benchmarks and `wick op` go through.
const std::vector<OpSpec>& op_specs();

}  // namespace wick::testing
