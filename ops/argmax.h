#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The position of the largest element along an axis, which goes: int64. The first one where several are
/// largest, the first NaN where there is one, as in NumPy. x is float32 or float64; the result has no
/// gradient. Throws IndexError for an axis that x does not have, ValueError where the axis is empty,
/// TypeError. NumPy: argmax(x, axis).
Tensor argmax(const Tensor& x, int axis = -1);

/// The shape rule.
Shape argmax_shape(const Shape& x, int axis = -1);

}  // namespace wick
