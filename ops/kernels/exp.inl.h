#pragma once

#include <cstdint>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// What exp needs to know of a scalar type.
template <typename T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr float log2_e = 0x1.715476p+0f;
  // ln 2 = high + low. `high` ends in nine zero bits, so that k * high is exact for every k in use.
  static constexpr float ln2_high = 0x1.62e4p-1f;
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float round = 0x1.8p+23f;  // 1.5 * 2^23
  static constexpr int degree = 7;            // 0.347^8 / 8! is below a tenth of the last bit
  // The first and the last x for which exp(x) is normal and finite.
  static constexpr float smallest = -0x1.5d589ep+6f;  // -87.33654
  static constexpr float largest = 0x1.62e42ep+6f;    //  88.72283
};

template <>
struct ExpConstants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42feep-1;  // ends in 21 zero bits
  static constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr double round = 0x1.8p+52;
  static constexpr int degree = 13;  // 0.347^14 / 14! is below a twentieth of the last bit
  static constexpr double smallest = -0x1.6232bdd7abcd2p+9;  // -708.39642
  static constexpr double largest = 0x1.62e42fefa39efp+9;    //  709.78271
};

/// 1 / k!, rounded once: every k! in use is exact in double.
constexpr double inverse_factorial(int k) {
  double factorial = 1;
  for (int i = 2; i <= k; ++i) factorial *= i;
  return 1 / factorial;
}

/// e^x within 2 ULP. Where the result would be below the smallest normal number it is 0, above the largest
/// inf; NaN stays NaN, and e^0 is exactly 1.
///
/// With x = k ln 2 + r and k whole, e^x = 2^k e^r and |r| <= ln(2) / 2. The product k ln 2 is taken off in
/// two parts, so that r keeps its digits (Cody & Waite, Software Manual for the Elementary Functions, 1980).
/// e^r is its Taylor series, whose coefficients explain themselves; a minimax polynomial would save one term
/// of 7, or two of 13.
template <typename T, typename A>
WICK_INLINE Vec<T, A> exp(Vec<T, A> x) {
  using V = Vec<T, A>;
  using Constants = ExpConstants<T>;
  const V round = V::broadcast(Constants::round);

  // Next to 1.5 * 2^mantissa a number has no fractional bits: the addition rounds to the nearest whole
  // number, and the lowest bits of the sum are that number.
  const V k_in_low_bits = mul_add(x, V::broadcast(Constants::log2_e), round);
  const V k = k_in_low_bits - round;
  V r = mul_add(k, V::broadcast(-Constants::ln2_high), x);
  r = mul_add(k, V::broadcast(-Constants::ln2_low), r);

  V series = V::broadcast(static_cast<T>(inverse_factorial(Constants::degree)));
  repeat<Constants::degree>([&](auto i) __attribute__((always_inline)) {
    constexpr T coefficient = static_cast<T>(inverse_factorial(Constants::degree - 1 - i));
    series = mul_add(series, r, V::broadcast(coefficient));
  });
  const V result = scale_by_power_of_two(series, k_in_low_bits);

  // Outside the normal numbers the bits above mean nothing. Below, the answer is 0; x + inf is inf above, and
  // NaN for NaN.
  const V infinity = V::broadcast(static_cast<T>(__builtin_inf()));
  const V up_to_infinity = V::select(x <= V::broadcast(Constants::largest), result, x + infinity);
  return V::select(x < V::broadcast(Constants::smallest), V::zero(), up_to_infinity);
}

template <typename T, typename A>
void exp_kernel(const T* x, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  for_each_vector<V>(n, [=](auto io, std::int64_t i) { io.store(exp(io.load(x + i)), out + i); });
}

}  // namespace
}  // namespace wick::kernels
