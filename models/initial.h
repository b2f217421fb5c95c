#pragma once

#include <cstdint>
#include <string_view>

#include <wick/framework/random.h>
#include <wick/framework/tensor.h>

namespace wick {

/// Draws for a new parameter: standard normals times `weight_scale`, multiplied in float64 and then rounded
/// to `dtype`, so that float32 weights are the course's own, rounded once.
Tensor scaled_normal(const Shape& shape, double weight_scale, DType dtype, Rng& rng);

/// A size that a module is made with. Throws ValueError "Linear: in_features is 0, expected 1 or more".
std::int64_t positive_size(std::string_view module, std::string_view size_name, std::int64_t size);

}  // namespace wick
