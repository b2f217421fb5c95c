#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <wick/framework/dtype.h>

namespace wick {

/// One number in another element type, defined for every value: floats go to int64 towards zero, to the
/// nearest end where they are beyond it, and NaN to the smallest; to boolean, everything but 0 is true.
template <Element To, Element From>
To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_same_v<To, std::int64_t> && std::is_floating_point_v<From>) {
    constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
    constexpr auto beyond = static_cast<From>(9223372036854775808.0);  // 2^63
    if (std::isnan(value) || value < -beyond) return smallest;
    return value >= beyond ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace wick
