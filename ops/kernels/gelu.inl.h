#pragma once

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/streaming.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// gelu is x times a weight between 0 and 1. Each form gives its weight, and the slope of x times it. Both
// need one exponential, of a number that is not positive, and one quotient, which they share: so that forward
// writes the slope beside the value where backward will ask for it. The weight of a negative x is made of the
// exponential itself, never as 1 less something near 1, so that it keeps its digits in the tail.

template <typename V>
struct WeightAndSlope {
  V weight;
  V slope;
};

template <typename V>
WICK_INLINE V absolute(V x) {
  return larger(x, V::zero() - x);
}

/// (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)), with 2 u = x (linear + cubic x²). Hendrycks & Gimpel, Gaussian
/// Error Linear Units, 2016. The slope is weight + x weight', with weight' = 2 u' exp(-|2 u|) / (1 + exp(-|2
/// u|))².
struct TanhGelu {
  template <typename V>
  static WICK_INLINE WeightAndSlope<V> at(V x) {
    using T = typename V::Element;
    const V linear = V::broadcast(static_cast<T>(1.5957691216057308));  // 2 sqrt(2 / pi)
    constexpr double cubic = 0.07135481627260025;                       // 0.044715 times that
    const V one = V::broadcast(1);
    // Larger squares would make no difference, the exponential being 0, but overflow in the slope.
    const V square = smaller(V::broadcast(10000), x * x);
    const V twice = x * mul_add(square, V::broadcast(static_cast<T>(cubic)), linear);
    const V exponential = exp_up_to_one(smaller(twice, V::zero() - twice));
    const V quotient = one / (one + exponential);  // the weight of |x|
    const V weight = V::select(x < V::zero(), exponential, one) * quotient;
    const V growth = mul_add(square, V::broadcast(static_cast<T>(3 * cubic)), linear);
    return {weight, mul_add(x * exponential * growth, quotient * quotient, weight)};
  }
};

/// What the normal distribution needs to know of a scalar type; see NormalGelu.
///
/// `series` is smallest in its largest relative error over the x whose exp(-x² / 2) is not 0 (by Remez'
/// exchange at 60 digits, coefficients rounded once), with the degree that makes it small beside the last
/// bit; `pole` was chosen so that few coefficients do. Highest power first.
template <typename T>
struct NormalConstants;

template <>
struct NormalConstants<float> {
  static constexpr float pole = 3.5f;
  static constexpr float
      series[] = {0x1.e537f4p-14f, 0x1.c433fcp-12f, -0x1.02eee8p-11f, -0x1.a0f914p-9f,
                  0x1.a96924p-8f,  0x1.1d34c2p-6f,  -0x1.db5a0cp-4f,  0x1.42fec2p-2f,
                  -0x1.219150p-1f, 0x1.7d241ap-1f};  // off by 5.4e-9, a tenth of half the last bit
};

template <>
struct NormalConstants<double> {
  static constexpr double pole = 5;
  static constexpr double series[] = {
      0x1.19f4cad251463p-29, 0x1.f3a265b6f46dfp-28,  -0x1.6090885b914d7p-27, -0x1.199b93d0082e4p-24,
      0x1.76609169f8a3dp-25, 0x1.d0e8725003132p-22,  -0x1.6a8ac3e080038p-22, -0x1.73aea42a9f3dfp-19,
      0x1.0b300b4404e88p-18, 0x1.17dd4dd5b7345p-16,  -0x1.a1712bdbfc7c2p-15, -0x1.f214693429742p-15,
      0x1.1daf1e65cd38ap-11, -0x1.a25037c8169bfp-11, -0x1.88590eb381437p-9,  0x1.54b4d4f4bbb3cp-6,
      -0x1.1b1c254c959c9p-4, 0x1.51f6329f0172ep-3,   -0x1.410ed5f875b08p-2,  0x1.fb31653876f95p-2,
      -0x1.54ad03f27ca16p-1, 0x1.89d3abe1f95aep-1};  // off by 1.1e-17, a tenth of half the last bit
};

/// The standard normal distribution Phi(x). Its tail Phi(-|x|) is exp(-x² / 2) times a smooth function that
/// falls as 1 / |x|: with r = 1 / (|x| + pole) that is r times a polynomial in 1 - 2 pole r, which runs from
/// -1 to 1 as |x| runs from 0 to infinity. After Shepherd & Laframboise, Chebyshev approximation of (1 + 2x)
/// exp(x²) erfc x in 0 <= x < inf, Mathematics of Computation 36, 1981.
struct NormalGelu {
  template <typename V>
  static WICK_INLINE WeightAndSlope<V> at(V x) {
    using T = typename V::Element;
    using Constants = NormalConstants<T>;
    const V one = V::broadcast(1);
    const V exponential = exp_up_to_one(x * x * V::broadcast(T(-0.5)));
    const V r = one / (absolute(x) + V::broadcast(Constants::pole));
    const V q = mul_add(r, V::broadcast(-2 * Constants::pole), one);
    constexpr int terms = sizeof(Constants::series) / sizeof(T);
    V series = V::broadcast(Constants::series[0]);
    repeat<terms - 1>([&](auto i) __attribute__((always_inline)) {
      series = mul_add(series, q, V::broadcast(Constants::series[i + 1]));
    });
    const V tail = series * r * exponential;
    const V weight = V::select(x < V::zero(), tail, one - tail);
    // Phi(x) + x phi(x), phi(x) = exp(-x² / 2) / sqrt(2 pi).
    return {weight, mul_add(x * exponential, V::broadcast(static_cast<T>(0.3989422804014327)), weight)};
  }
};

template <typename T, typename A, typename Form>
void gelu_kernel(const T* x, T* out, T* slope, std::int64_t n) {
  using V = Vec<T, A>;
  if (slope == nullptr) {
    return for_each_vector_to<V>(
        out, n, x != out && is_streamed<T>(n), [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          const V value = io.load(x + i);
          io.store(value * Form::at(value).weight, out + i);
        });
  }
  for_each_vector<V>(
      n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
        const V value = io.load(x + i);
        const WeightAndSlope<V> both = Form::at(value);
        io.store(value * both.weight, out + i);
        io.store(both.slope, slope + i);
      });
}

}  // namespace
}  // namespace wick::kernels
