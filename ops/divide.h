#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// a / b, element on element. The shapes broadcast as in NumPy; both float32 or both float64. Each
/// element is rounded once; division by zero follows IEEE. Throws ShapeError, TypeError. NumPy: divide. Also
/// written a / b (operators.h).
Tensor divide(const Tensor& a, const Tensor& b);

}  // namespace wick
