#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// A view of x in a larger shape to which it broadcasts, its elements repeated without a copy. Any type.
/// Before writing to the result, clone() it: repeated elements are one memory. Throws ShapeError where x does
/// not broadcast to it. NumPy: broadcast_to.
Tensor expand(const Tensor& x, const Shape& shape);

}  // namespace wick
