#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// a + b, element on element. The shapes broadcast as in NumPy; both float32 or both float64.
/// Each element is rounded once. Throws ShapeError, TypeError. NumPy: add. Also written a + b (operators.h).
Tensor add(const Tensor& a, const Tensor& b);

}  // namespace wick
