#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// Rows of a table: `table` is (V, C), float32 or float64; `ids` is int64 of any shape; the result is (…ids'
/// shape, C). The gradient of a row that is looked up several times is the sum of theirs, added in the order
/// of the ids. Throws IndexError with the position, the id and the range [0, V); ShapeError, TypeError.
/// NumPy: table[ids], but negative ids do not count from the end.
Tensor embedding(const Tensor& table, const Tensor& ids);

/// The shape rule.
Shape embedding_shape(const Shape& table, const Shape& ids);

}  // namespace wick
