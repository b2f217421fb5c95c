#pragma once

#include <wick/ops/testing/op_spec.h>

/// The sum of the squares along the last axis, and all that there is to know of it.
wick::testing::OpSpec squares_spec();
