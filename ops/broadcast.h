#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The gradient of an input that was broadcast: `gradient` summed over every dimension along which an input
/// of `shape` was repeated. Precondition: `shape` broadcasts to gradient.shape().
Tensor sum_to_shape(const Tensor& gradient, const Shape& shape);

/// The batch dimensions of a stack of matrices: (…, M, N) -> (…). Precondition: rank 2 or more.
Shape batch_shape(const Shape& shape);

}  // namespace wick
