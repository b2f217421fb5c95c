#include <cmath>
#include <string>

#include <wick/framework/error.h>
#include <wick/models/training/clipping.h>
#include <wick/ops/optimizer_steps.h>

namespace wick {

double gradient_norm(const std::vector<NamedTensor>& parameters) {
  double sum = 0;
  for (const NamedTensor& parameter : parameters) {
    const Tensor gradient = parameter.tensor.grad();
    if (gradient.defined()) sum += squared_norm(gradient);
  }
  return std::sqrt(sum);
}

double clip_scale(double norm, double max_norm) {
  if (!(max_norm > 0)) {
    throw ValueError("clip_scale: max_norm is " + std::to_string(max_norm) + ", expected above 0");
  }
  constexpr double kEpsilon = 1e-6;  // PyTorch's
  const double scale = max_norm / (norm + kEpsilon);
  return scale > 1 ? 1 : scale;
}

}  // namespace wick
