#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// x @ weight + bias: (…, M, K) @ (K, N) + (N,) -> (…, M, N). x of rank 2 and up; all float32 or all float64.
/// To the bit what add(matmul(x, weight), bias) gives, in one pass over the result. Throws ShapeError
/// "linear: (4, 32) @ (16, 8): inner dimensions 32 and 16 differ", TypeError.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

/// The shape rule.
Shape linear_shape(const Shape& x, const Shape& weight, const Shape& bias);

}  // namespace wick
