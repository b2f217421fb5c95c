#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <wick/framework/float_text.h>

namespace wick {
namespace {

// The longest text asked for: 2^-1074 in plain notation, cut somewhere before its 324th digit after the
// point.
using Buffer = std::array<char, 400>;

// "-1.5e-05" or "-12.5" into its parts.
FloatText split(std::string_view text) {
  FloatText parts;
  if (const std::size_t mark = text.find('e'); mark != std::string_view::npos) {
    parts.exponent = text.substr(mark + 1);
    text = text.substr(0, mark);
  }
  const std::size_t point = text.find('.');
  parts.whole = text.substr(0, point);
  if (point != std::string_view::npos) parts.fraction = text.substr(point + 1);
  return parts;
}

// std::to_chars knows no locale, and rounds the exact value.
template <std::floating_point T, typename... Precision>
FloatText written(T value, std::chars_format format, Precision... precision) {
  Buffer buffer;
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision...);
  return split(std::string_view(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())));
}

FloatText trimmed(FloatText text) {
  text.fraction.erase(text.fraction.find_last_not_of('0') + 1);
  return text;
}

// Moves the point of "1.25e-03" to where plain notation has it. Digits that are missing before
// it become zeros, as they do for a scalar in Python.
FloatText plain(FloatText text) {
  const int exponent = std::stoi(text.exponent);
  text.exponent.clear();
  if (exponent < 0) {
    const std::size_t sign = text.whole.front() == '-' ? 1 : 0;
    const std::string first = text.whole.substr(sign);
    text.fraction = std::string(static_cast<std::size_t>(-exponent - 1), '0') + first + text.fraction;
    text.whole.replace(sign, std::string::npos, "0");
    return text;
  }
  const auto moved = static_cast<std::size_t>(exponent);
  if (text.fraction.size() < moved) text.fraction.resize(moved, '0');
  text.whole += text.fraction.substr(0, moved);
  text.fraction.erase(0, moved);
  return text;
}

bool has_more_digits(const FloatText& text, int precision) { return std::ssize(text.fraction) > precision; }

}  // namespace

template <std::floating_point T>
FloatText plain_text(T value, int precision) {
  const FloatText scientific = written(value, std::chars_format::scientific);
  FloatText text = plain(scientific);
  const bool is_padded = std::ssize(scientific.fraction) < std::stoi(scientific.exponent);
  if (is_padded) text = written(value, std::chars_format::fixed, 0);
  if (has_more_digits(text, precision)) text = trimmed(written(value, std::chars_format::fixed, precision));
  return text;
}

template <std::floating_point T>
FloatText scientific_text(T value, int precision) {
  FloatText text = written(value, std::chars_format::scientific);
  if (has_more_digits(text, precision)) {
    text = trimmed(written(value, std::chars_format::scientific, precision));
  }
  return text;
}

template <std::floating_point T>
FloatText full_scientific_text(T value, int digits) {
  // The shortest digits are not always the exact value rounded to as many: 2^-44 is 5.684341886080801e-14.
  FloatText text = written(value, std::chars_format::scientific);
  if (std::ssize(text.fraction) != digits) text = written(value, std::chars_format::scientific, digits);
  return text;
}

template <std::floating_point T>
std::string scalar_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const FloatText scientific = written(value, std::chars_format::scientific);
  const double size = std::abs(static_cast<double>(value));
  if (size != 0 && (size < 1e-4 || size >= 1e16)) {
    const std::string fraction = scientific.fraction.empty() ? "" : "." + scientific.fraction;
    return scientific.whole + fraction + "e" + scientific.exponent;
  }
  const FloatText text = plain(scientific);
  return text.whole + "." + (text.fraction.empty() ? "0" : text.fraction);
}

#define WICK_FLOAT_TEXT(T)                            \
  template FloatText plain_text<T>(T, int);           \
  template FloatText scientific_text<T>(T, int);      \
  template FloatText full_scientific_text<T>(T, int); \
  template std::string scalar_text<T>(T)
WICK_FLOAT_TEXT(float);
WICK_FLOAT_TEXT(double);
#undef WICK_FLOAT_TEXT

}  // namespace wick
