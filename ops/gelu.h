#pragma once

#include <wick/framework/tensor.h>

namespace wick {

enum class GeluForm {
  tanh,   ///< x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))): the approximation that GPT-2 was trained with
  exact,  ///< x Phi(x) = x / 2 (1 + erf(x / sqrt(2)))
};

/// x times the probability that a standard normal number lies below x, element on element. Any shape; float32
/// or float64 (else TypeError). Hendrycks and Gimpel, Gaussian Error Linear Units, 2016.
///
/// NaN stays NaN, infinity infinity; -infinity gives -0, where the formula would be infinity times 0.
Tensor gelu(const Tensor& x, GeluForm form = GeluForm::tanh);

}  // namespace wick
