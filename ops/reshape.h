#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The same elements, in row-major order, in another shape. One size may be -1: it becomes what is left. A
/// view where x's layout allows it, a copy elsewhere. Any type. Throws ShapeError where the counts of
/// elements differ, or a size is negative. NumPy: reshape.
Tensor reshape(const Tensor& x, const Dimensions& shape);

/// The shape rule: `shape` with its -1 filled in.
Shape reshape_shape(const Shape& x, const Dimensions& shape);

}  // namespace wick
