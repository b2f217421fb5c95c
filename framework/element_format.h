#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include <wick/framework/dtype.h>
#include <wick/framework/float_text.h>

namespace wick {

/// Text of one common width for the elements of an array, decided by all that are shown. One specialization
/// per kind of element; `precision` and `suppress` are those of PrintOptions.
template <Element T>
class ElementFormat;

/// Right-aligned whole numbers.
template <>
class ElementFormat<std::int64_t> {
 public:
  ElementFormat(std::span<const std::int64_t> shown, int /*precision*/, bool /*suppress*/) {
    for (const std::int64_t value : shown) width_ = std::max(width_, std::to_string(value).size());
  }

  std::string operator()(std::int64_t value) const {
    std::string text = std::to_string(value);
    return text.insert(0, width_ - text.size(), ' ');
  }

 private:
  std::size_t width_ = 0;
};

/// " True" and "False".
template <>
class ElementFormat<bool> {
 public:
  template <typename Shown>
  ElementFormat(const Shown& /*shown*/, int /*precision*/, bool /*suppress*/) {}

  std::string operator()(bool value) const { return value ? " True" : "False"; }
};

/// Points below one another; exponents for all as soon as plain digits would not show some of them well.
template <std::floating_point T>
requires Element<T>
class ElementFormat<T> {
 public:
  ElementFormat(std::span<const T> shown, int precision, bool suppress)
      : precision_(precision), scientific_(wants_exponents(shown, suppress)) {
    bool has_non_finite = false;
    bool has_negative_infinity = false;
    for (const T value : shown) {
      if (std::isfinite(value)) {
        make_room_for(value);
      } else {
        has_non_finite = true;
        has_negative_infinity = has_negative_infinity || (std::isinf(value) && value < 0);
      }
    }
    if (scientific_) precision_ = static_cast<int>(fraction_width_);
    if (has_non_finite) {
      // "nan" and "inf" end where the other numbers end, and may start further left.
      const std::size_t needed = has_negative_infinity ? 4 : 3;
      if (width() < needed) whole_width_ += needed - width();
    }
  }

  std::string operator()(T value) const {
    if (!std::isfinite(value)) return aligned(scalar_text(value), width());
    if (scientific_) {
      const FloatText text = full_scientific_text(value, precision_);
      const std::size_t digits = text.exponent.size() - 1;
      return aligned(text.whole, whole_width_) + "." + text.fraction + "e" + text.exponent.front() +
             std::string(exponent_width_ - 1 - digits, '0') + text.exponent.substr(1);
    }
    FloatText text = plain_text(value, precision_);
    text.fraction.resize(fraction_width_, ' ');
    return aligned(text.whole, whole_width_) + "." + text.fraction;
  }

 private:
  // NumPy's rule, in the element's own type.
  static bool wants_exponents(std::span<const T> shown, bool suppress) {
    T largest = 0;
    T smallest = std::numeric_limits<T>::infinity();
    for (const T value : shown) {
      const T size = std::abs(value);
      if (!std::isfinite(value) || size == 0) continue;
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
    }
    if (largest == 0) return false;
    if (largest >= T{100000000}) return true;
    return !suppress && (static_cast<double>(smallest) < 0.0001 || largest / smallest > T{1000});
  }

  void make_room_for(T value) {
    const FloatText text = scientific_ ? scientific_text(value, precision_) : plain_text(value, precision_);
    whole_width_ = std::max(whole_width_, text.whole.size());
    fraction_width_ = std::max(fraction_width_, text.fraction.size());
    exponent_width_ = std::max(exponent_width_, text.exponent.size());
  }

  std::size_t width() const {
    return whole_width_ + 1 + fraction_width_ + (scientific_ ? 1 + exponent_width_ : 0);
  }

  static std::string aligned(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
  }

  int precision_;
  bool scientific_;
  std::size_t whole_width_ = 0;
  std::size_t fraction_width_ = 0;
  std::size_t exponent_width_ = 0;  // the sign included
};

}  // namespace wick
