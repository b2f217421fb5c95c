#pragma once

#include <concepts>
#include <string>

namespace wick {

/// A float written in decimal, in parts: "-12.5" is {"-12", "5", ""}, "1.5e-05" is {"1", "5", "-05"}. How the
/// parts are padded and joined is for whoever prints them.
struct FloatText {
  std::string whole;     ///< the sign, where negative, and the digits before the point; at least one
  std::string fraction;  ///< the digits after the point, without trailing zeros
  std::string exponent;  ///< its sign and two or three digits; empty in plain notation
};

/// The shortest digits that read back as the same float or double, in plain notation; where more than
/// `precision` of them come after the point, the exact value rounded there instead, ties to even. Digits
/// before the point are exact in any case: the float32 96529408 is "96529408", not "96529410". Only finite
/// values. NumPy: format_float_positional.
template <std::floating_point T>
FloatText plain_text(T value, int precision);

/// The same with one digit before the point and an exponent. NumPy: format_float_scientific.
template <std::floating_point T>
FloatText scientific_text(T value, int precision);

/// The same with exactly `digits` digits after the point: further ones are those of the exact value, so 0.1
/// to 17 digits ends in …0056.
template <std::floating_point T>
FloatText full_scientific_text(T value, int digits);

/// A number by itself, as Python writes it: "1.0", "0.0001", "1e-05", "1e+16", "nan", "-inf". The shortest
/// digits that read back as the same T.
template <std::floating_point T>
std::string scalar_text(T value);

}  // namespace wick
