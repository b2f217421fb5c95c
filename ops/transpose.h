#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// A view with the last two dimensions exchanged: (…, M, N) -> (…, N, M). Any type. Throws ShapeError for
/// rank below 2. NumPy: swapaxes(x, -1, -2).
Tensor transpose(const Tensor& x);

/// A view with the dimensions in another order: dimension i of the result is dimension axes[i] of x. `axes`
/// is a permutation of x's axes; negative ones count from the end. Any type. Throws ShapeError where axes are
/// too few, too many or given twice, IndexError for one that x does not have. NumPy: transpose(x, axes).
Tensor transpose(const Tensor& x, const Dimensions& axes);

/// The shape rule: x's sizes in the order of `axes`. Throws as transpose() does.
Shape transpose_shape(const Shape& x, const Dimensions& axes);

// For other ops: views outside the graph, unseen by observers. Preconditions instead of checks.

/// The view of transpose(x, permutation). Precondition: a permutation of 0 … rank - 1.
Tensor permuted_view(const Tensor& x, const Dimensions& permutation);

/// The view with two axes exchanged. Precondition: 0 <= a, b < rank.
Tensor swapped_axes(const Tensor& x, int a, int b);

}  // namespace wick
