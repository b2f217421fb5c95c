#pragma once

#include <vector>

#include <wick/framework/tensor.h>

namespace wick {

/// Tensors put end to end along an axis that they have: a copy, also of a single one. All sizes but the
/// axis's are equal. Any type, the same for all. Throws ValueError for no tensors, ShapeError naming the one
/// that does not fit and the dimension, IndexError for an axis that they do not have, TypeError. NumPy:
/// concatenate(tensors, axis).
Tensor concat(const std::vector<Tensor>& tensors, int axis = 0);

/// The shape rule.
Shape concat_shape(const std::vector<Shape>& shapes, int axis = 0);

}  // namespace wick
