#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The sum of all elements, a tensor of rank 0. float32 or float64 (else TypeError). NumPy: sum(x).
Tensor sum(const Tensor& x);

/// The sum along one axis, which goes, or stays with size 1 where `keepdims`. Throws IndexError, TypeError.
/// The order of the additions depends on the axis's length and the instruction set alone. NumPy: sum(x,
/// axis).
Tensor sum(const Tensor& x, int axis, bool keepdims = false);

/// The sum over several axes at once. Throws ShapeError where one is given twice. NumPy: sum(x, axes).
Tensor sum(const Tensor& x, const Dimensions& axes, bool keepdims = false);

/// The shape rule.
Shape sum_shape(const Shape& x, const Dimensions& axes, bool keepdims = false);

}  // namespace wick
