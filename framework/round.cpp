#include <cmath>
#include <cstdlib>

#include <wick/framework/convert.h>
#include <wick/framework/error.h>
#include <wick/framework/round.h>

namespace wick {
namespace {

template <typename T>
T rounded(T value, T power, bool before_the_point) {
  // std::nearbyint takes halves to even, in the rounding mode that every program starts with.
  return before_the_point ? std::nearbyint(value / power) * power : std::nearbyint(value * power) / power;
}

}  // namespace

Tensor round(const Tensor& tensor, int decimals) {
  if (!tensor.defined()) throw TypeError("round: the tensor is undefined");
  if (tensor.dtype() == boolean) throw TypeError("round: a boolean tensor has nothing to round");
  Tensor result = tensor.clone();
  const bool before_the_point = decimals < 0;
  const double power = std::pow(10.0, std::abs(static_cast<double>(decimals)));
  if (result.dtype() == int64) {
    if (!before_the_point) return result;
    for (std::int64_t& value : result.mutable_span<std::int64_t>()) {
      value = convert<std::int64_t>(rounded(static_cast<double>(value), power, before_the_point));
    }
  } else if (result.dtype() == float64) {
    for (double& value : result.mutable_span<double>()) value = rounded(value, power, before_the_point);
  } else {
    const auto narrow = static_cast<float>(power);
    for (float& value : result.mutable_span<float>()) value = rounded(value, narrow, before_the_point);
  }
  return result;
}

}  // namespace wick
