#pragma once

#include <cstdint>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// What exp needs to know of a scalar type.
///
/// `series` is e^r on |r| <= ln(2) / 2 without its first two terms: (1 + r + r^2 series(r)) / e^r - 1 is
/// smallest in its largest absolute value (by Remez' exchange at 60 digits, coefficients rounded once), with
/// the degree that makes it small beside the last bit. Highest power first.
template <typename T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  static constexpr float log2_e = 0x1.715476p+0f;
  // ln 2 = high + low. `high` ends in nine zero bits, so that k * high is exact for every k in use.
  static constexpr float ln2_high = 0x1.62e4p-1f;
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float round = 0x1.8p+23f;  // 1.5 * 2^23
  static constexpr float series[] = {0x1.6a2352p-10f, 0x1.123a6cp-7f, 0x1.5558f4p-5f, 0x1.555490p-3f,
                                     0x1.fffffcp-2f};  // off by 3.1e-9, a twentieth of half the last bit
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
  static constexpr double series[] = {
      0x1.ad7f02a6aa9a0p-26, 0x1.28adce726e390p-22, 0x1.71df262c47695p-19, 0x1.a01999adcc22fp-16,
      0x1.a01a0129b4608p-13, 0x1.6c16c1844b015p-10, 0x1.1111111127e83p-7,  0x1.55555555507f1p-5,
      0x1.55555555554f9p-3,  0x1.000000000000ap-1};  // off by 3.7e-18, a thirtieth of half the last bit
  static constexpr double smallest = -0x1.6232bdd7abcd2p+9;  // -708.39642
  static constexpr double largest = 0x1.62e42fefa39efp+9;    //  709.78271
};

/// e^x within 2 ULP. Where the result would be below the smallest normal number it is 0, above the largest
/// inf; NaN stays NaN, and e^0 is exactly 1.
///
/// With x = k ln 2 + r and k whole, e^x = 2^k e^r and |r| <= ln(2) / 2. The product k ln 2 is taken off in
/// two parts, so that r keeps its digits (Cody & Waite, Software Manual for the Elementary Functions, 1980).
///
/// This one is for x of at most 0, or NaN, as it is where a maximum has been taken off; `exp` is for every x,
/// and has the same bits where both are defined.
template <typename T, typename A>
WICK_INLINE Vec<T, A> exp_up_to_one(Vec<T, A> x) {
  using V = Vec<T, A>;
  using Constants = ExpConstants<T>;
  const V round = V::broadcast(Constants::round);

  // Next to 1.5 * 2^mantissa a number has no fractional bits: the addition rounds to the nearest whole
  // number, and the lowest bits of the sum are that number.
  const V k_in_low_bits = mul_add(x, V::broadcast(Constants::log2_e), round);
  const V k = k_in_low_bits - round;
  V r = mul_add(k, V::broadcast(-Constants::ln2_high), x);
  r = mul_add(k, V::broadcast(-Constants::ln2_low), r);

  constexpr int terms = sizeof(Constants::series) / sizeof(T);
  V series = V::broadcast(Constants::series[0]);
  repeat<terms - 1>([&](auto i) __attribute__((always_inline)) {
    series = mul_add(series, r, V::broadcast(Constants::series[i + 1]));
  });
  series = mul_add(series, r, V::broadcast(T(1)));
  series = mul_add(series, r, V::broadcast(T(1)));

  const V smallest = V::broadcast(Constants::smallest);
  if constexpr (V::has_scale_or_zero) {
    return V::scale_or_zero(series, k, x, smallest);
  } else {
    // Outside the normal numbers these bits mean nothing. Below, the answer is 0; x + inf is NaN for NaN,
    // and infinity above.
    const V result = scale_by_power_of_two(series, k_in_low_bits);
    const V infinity = V::broadcast(static_cast<T>(__builtin_inf()));
    const V up_to_infinity = V::select(x <= V::broadcast(Constants::largest), result, x + infinity);
    return V::select(x < smallest, V::zero(), up_to_infinity);
  }
}

template <typename T, typename A>
WICK_INLINE Vec<T, A> exp(Vec<T, A> x) {
  // Scaling by an instruction ends in infinity by itself, but inf - k ln 2 must not be met on the way.
  if constexpr (Vec<T, A>::has_scale_or_zero)
    x = smaller(Vec<T, A>::broadcast(ExpConstants<T>::largest + 1), x);
  return exp_up_to_one(x);
}

template <typename T, typename A>
void exp_kernel(const T* x, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  for_each_vector<V>(n, [=](auto io, std::int64_t i) { io.store(exp(io.load(x + i)), out + i); });
}

}  // namespace
}  // namespace wick::kernels
