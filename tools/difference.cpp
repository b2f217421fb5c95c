#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include <wick/framework/float_text.h>
#include <wick/tools/difference.h>

namespace wick::tools {
namespace {

// Floats in their order as whole numbers in theirs, neighbours one apart. Both zeros become 0.
template <typename T>
std::int64_t rank_of(T value) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  const auto bits = std::bit_cast<Bits>(value);
  return bits < 0 ? std::int64_t{std::numeric_limits<Bits>::min()} - bits : bits;
}

std::uint64_t apart(std::int64_t a, std::int64_t b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

// `Steps` is the type whose ULP are counted: T, or float where one of the arrays is float32.
template <typename Steps, typename T>
std::optional<Distance> distance_of(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return std::nullopt;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::nullopt;
    return Distance{std::abs(static_cast<double>(a) - static_cast<double>(b)),
                    apart(rank_of(static_cast<Steps>(a)), rank_of(static_cast<Steps>(b)))};
  } else {
    return Distance{static_cast<double>(apart(a, b)), std::nullopt};
  }
}

template <typename T>
bool is_same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
  } else {
    return a == b;
  }
}

template <typename T>
bool is_within(const Tolerance& tolerance, const std::optional<Distance>& distance, T a, T b) {
  if (!distance || tolerance.is_none()) return false;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(a) || !std::isfinite(b)) return false;
  }
  return (tolerance.ulp > 0 && distance->ulp && *distance->ulp <= tolerance.ulp) ||
         distance->absolute <= tolerance.absolute + tolerance.relative * std::abs(static_cast<double>(b));
}

template <typename T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (std::is_floating_point_v<T>) {
    return scalar_text(value);
  } else {
    return std::to_string(value);
  }
}

// As its own type writes it: 0.1 of a float32, whatever it was read as for comparing.
std::string text_at(const Tensor& x, std::int64_t place) {
  return visit_dtype(x.dtype(), [&]<typename T>() { return text_of(x.data<T>()[place]); });
}

void widen(std::optional<Distance>& largest, const std::optional<Distance>& distance) {
  if (!largest || !distance) {
    largest.reset();
    return;
  }
  largest->absolute = std::max(largest->absolute, distance->absolute);
  if (distance->ulp) largest->ulp = std::max(largest->ulp.value_or(0), *distance->ulp);
}

}  // namespace

bool are_comparable(DType a, DType b, const Tolerance& tolerance) {
  return a == b || (is_floating(a) && is_floating(b) && !tolerance.is_none());
}

Difference difference_of(const Tensor& a, const Tensor& b, const Tolerance& tolerance) {
  const bool is_mixed = a.dtype() != b.dtype();
  const Tensor left = (is_mixed ? a.to(float64) : a).contiguous();
  const Tensor right = (is_mixed ? b.to(float64) : b).contiguous();
  Difference found;
  found.elements = a.numel();
  visit_dtype(left.dtype(), [&]<typename T>() {
    const T* x_data = left.data<T>();
    const T* y_data = right.data<T>();
    for (std::int64_t i = 0; i < found.elements; ++i) {
      const T x = x_data[i];
      const T y = y_data[i];
      if (is_same(x, y)) continue;
      const std::optional<Distance> distance = is_mixed ? distance_of<float>(x, y) : distance_of<T>(x, y);
      ++found.inexact;
      widen(found.largest, distance);
      if (is_within(tolerance, distance, x, y)) continue;
      ++found.differing;
      if (!found.first) {
        found.first = {position_of(i, a.shape()), text_at(a.contiguous(), i), text_at(b.contiguous(), i),
                       distance};
      }
    }
  });
  return found;
}

}  // namespace wick::tools
