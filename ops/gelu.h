#pragma once

#include <wick/framework/tensor.h>

namespace wick {

enum class GeluForm {
  tanh,  ///< x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))): the approximation that GPT-2 was trained with
  exact,  ///< x Phi(x) = x / 2 (1 + erf(x / sqrt(2)))
};

/// x times the probability that a standard normal number lies below x, element on element. Any shape; float32
/// or float64 (else TypeError). Hendrycks and Gimpel, Gaussian Error Linear Units, 2016.
///
/// The tails keep their digits: tanh within (6 |u| + 8) epsilon of the result, u being what tanh is taken of;
/// exact within (x² / 2 + 12) epsilon of the result. Results below a hundred times the smallest normal number
/// may be 0. Infinity stays infinity; -infinity gives NaN, infinity times 0, as the formula does;
/// the gradient at either is NaN. Backward keeps the derivative and not x.
Tensor gelu(const Tensor& x, GeluForm form = GeluForm::tanh);

}  // namespace wick
