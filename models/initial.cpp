#include <string>

#include <wick/framework/error.h>
#include <wick/models/initial.h>
#include <wick/ops/scale.h>

namespace wick {

Tensor scaled_normal(const Shape& shape, double weight_scale, DType dtype, Rng& rng) {
  if (!is_floating(dtype)) {
    throw TypeError("parameters are float32 or float64, not " + std::string(name(dtype)));
  }
  return scale(rng.standard_normal(shape, float64), weight_scale).to(dtype);
}

std::int64_t positive_size(std::string_view module, std::string_view size_name, std::int64_t size) {
  if (size < 1) {
    throw ValueError(std::string(module) + ": " + std::string(size_name) + " is " + std::to_string(size) +
                     ", expected 1 or more");
  }
  return size;
}

}  // namespace wick
