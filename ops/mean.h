#pragma once

#include <concepts>
#include <cstdint>

#include <wick/framework/tensor.h>

namespace wick {

/// The mean of all elements, a tensor of rank 0: their sum over their count n, infinite where the sum is. NaN
/// where n is 0. float32 or float64 (else TypeError). NumPy: mean(x).
Tensor mean(const Tensor& x);

/// The mean over several axes, which go, or stay with size 1 where `keepdims`. Over none of them, for {}, it
/// is x. Throws as sum() does. Accuracy: that of the sum over n, and half an epsilon more; a whole one where
/// n is beyond 2^24 (float64: 2^53) and itself rounded to x's type. Where every summand is -0 the mean is 0,
/// for {} too. NumPy: mean(x, axes).
Tensor mean(const Tensor& x, const Dimensions& axes, bool keepdims = false);

/// The mean along one axis. A template, so that {} means no axes and not axis 0. NumPy: mean(x, axis).
template <std::integral Axis>
Tensor mean(const Tensor& x, Axis axis, bool keepdims = false) {
  return mean(x, Dimensions{static_cast<std::int64_t>(axis)}, keepdims);
}

/// The shape rule.
Shape mean_shape(const Shape& x, const Dimensions& axes, bool keepdims = false);

}  // namespace wick
