#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// True where no number of the tensor is NaN or infinite. Any layout, any type.
bool is_finite(const Tensor& tensor);

}  // namespace wick
