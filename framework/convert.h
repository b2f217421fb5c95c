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

/// One number of any arithmetic type, on its way into a tensor of any other. Whole numbers are kept whole: a
/// double holds every one of them only up to 2^53.
class Number {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> Number(T value) : floating_(static_cast<double>(value)) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = boolean;
    } else if constexpr (std::is_integral_v<T>) {
      if (std::is_signed_v<T> || value <= static_cast<T>(std::numeric_limits<std::int64_t>::max())) {
        whole_ = static_cast<std::int64_t>(value);
        kind_ = int64;
      }
    }
  }

  /// boolean for a bool, int64 for a whole number that fits, float64 for all else.
  DType kind() const { return kind_; }

  template <Element T>
  T to() const {
    return kind_ == int64 ? convert<T>(whole_) : convert<T>(floating_);
  }

 private:
  double floating_;
  std::int64_t whole_ = 0;
  DType kind_ = float64;
};

}  // namespace wick
