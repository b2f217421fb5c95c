#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// a @ b over the last two dimensions, `shape` being its shape, and `bias` (N,) added to every row where it
/// is not null: the forward of matmul and linear. The bias is added while the sums are in registers, with the
/// rounding it would have in memory. Preconditions: one floating type; shapes as matmul_shape() and
/// linear_shape() ask.
Tensor product(const Tensor& a, const Tensor& b, const Shape& shape, const Tensor* bias = nullptr);

/// The gradient of a: gradient @ bᵀ, summed over the dimensions that broadcasting repeated.
Tensor gradient_of_left(const Tensor& gradient, const Tensor& b, const Shape& a_shape);

/// The gradient of b: aᵀ @ gradient, summed likewise. Where b is one matrix for a whole batch, the sum over
/// the batch is one longer product, (K, …M) @ (…M, N).
Tensor gradient_of_right(const Tensor& a, const Tensor& gradient, const Shape& b_shape);

}  // namespace wick
