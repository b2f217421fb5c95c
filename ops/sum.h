#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <wick/framework/tensor.h>

namespace wick {

/// The sum of all elements, a tensor of rank 0. float32 or float64 (else TypeError). NumPy: sum(x).
Tensor sum(const Tensor& x);

/// The sum over several axes, which go, or stay with size 1 where `keepdims`; over none of them for {}.
/// Throws IndexError, ShapeError where one is given twice, TypeError. The order of the additions depends on
/// the count n of what is summed and the instruction set alone. The result lies within 24 + log2(n + 1)
/// epsilon times the sum of the absolute values of the exact one, and is 0 where every summand is -0. NumPy:
/// sum(x, axes).
Tensor sum(const Tensor& x, const Dimensions& axes, bool keepdims = false);

/// The sum along one axis. A template, so that {} means no axes and not axis 0. NumPy: sum(x, axis).
template <std::integral Axis>
Tensor sum(const Tensor& x, Axis axis, bool keepdims = false) {
  return sum(x, Dimensions{static_cast<std::int64_t>(axis)}, keepdims);
}

/// The shape rule.
Shape sum_shape(const Shape& x, const Dimensions& axes, bool keepdims = false);

// For other ops that reduce: without a node, unseen by observers, and with errors in the name of `op`.

/// The shape rule.
Shape reduced_shape(std::string_view op, const Shape& x, const Dimensions& axes, bool keepdims);

/// The sum. Precondition: x is floating.
Tensor unrecorded_sum(std::string_view op, const Tensor& x, const Dimensions& axes, bool keepdims);

}  // namespace wick
