#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// x * factor, the factor rounded to x's type and each product once. Any shape; float32 or float64 (else
/// TypeError).
Tensor scale(const Tensor& x, double factor);

}  // namespace wick
