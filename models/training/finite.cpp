#include <algorithm>
#include <cmath>

#include <wick/models/training/finite.h>
#include <wick/ops/optimizer_steps.h>

namespace wick {

bool is_finite(const Tensor& tensor) {
  // In float64 a sum of squares may be infinite although no number is.
  if (tensor.dtype() == float32) return std::isfinite(squared_norm(tensor));
  return !is_floating(tensor.dtype()) ||
         std::ranges::all_of(tensor.to_vector<double>(), [](double number) { return std::isfinite(number); });
}

}  // namespace wick
