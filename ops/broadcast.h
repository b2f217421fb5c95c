#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The gradient of an input that was broadcast: `gradient` summed over every dimension along which an input
/// of `shape` was repeated. Precondition: `shape` broadcasts to gradient.shape().
Tensor sum_to_shape(const Tensor& gradient, const Shape& shape);

/// The batch dimensions of a stack of matrices: (…, M, N) -> (…). Precondition: rank 2 or more.
Shape batch_shape(const Shape& shape);

/// The strides of x's batch dimensions, 0 where `front` repeats them. Preconditions: rank 2 or more;
/// batch_shape(x.shape()) broadcasts to `front`.
Strides batch_strides(const Tensor& x, const Shape& front);

}  // namespace wick
