#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// The matrix product over the last two dimensions: (…, M, K) @ (…, K, N) -> (…, M, N). Both of rank 2 and
/// up, both float32 or both float64; the dimensions in front broadcast. K = 0 gives zeros. Transposed and
/// expanded views are read where they are.
///
/// An element's bits depend on its row of a, its column of b, K and the instruction set, and on nothing else.
/// It lies within K epsilon / (1 - K epsilon) times |row| · |column| of the exact value (Higham, Accuracy and
/// Stability of Numerical Algorithms, section 3.1). Throws ShapeError "matmul: (4, 8, 32) @ (16, 8): inner
/// dimensions 32 and 16 differ", TypeError. NumPy: matmul, @.
Tensor matmul(const Tensor& a, const Tensor& b);

/// The shape rule.
Shape matmul_shape(const Shape& a, const Shape& b);

}  // namespace wick
