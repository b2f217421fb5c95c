#pragma once

// The operators of tensors, found by argument lookup wherever a Tensor stands. A number beside a tensor takes
// its type.

#include <wick/framework/tensor.h>

namespace wick {

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, double b);
Tensor operator+(double a, const Tensor& b);

Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, double b);
Tensor operator-(double a, const Tensor& b);
Tensor operator-(const Tensor& a);

/// Element on element, as in NumPy; the matrix product is matmul().
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, double b);
Tensor operator*(double a, const Tensor& b);

Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, double b);
Tensor operator/(double a, const Tensor& b);

}  // namespace wick
