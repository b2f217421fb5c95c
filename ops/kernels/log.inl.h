#pragma once

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// The natural logarithm within 2 ULP, for x that is normal and positive; infinity and NaN stay.
///
/// With x = 2^k m, m in [sqrt(1/2), sqrt(2)), f = m - 1 and s = f / (2 + f), log m = log((1 + s) / (1 - s)) =
/// 2 s + s R, where R = 2 s^2 / 3 + 2 s^4 / 5 + … ; and 2 s = f - s f, of which f is exact, so that log m = f
/// - s (f - R) loses nothing where x is near 1 (as Sun's fdlibm has it, 1993). s^2 is at most 0.0295: the
/// terms that are left out are less than a tenth of the last bit.
template <typename T, typename A>
WICK_INLINE Vec<T, A> log(Vec<T, A> x) {
  using V = Vec<T, A>;
  using Constants = ExpConstants<T>;
  V m, k;
  V::split(x, m, k);
  const auto is_large = V::broadcast(T(0x1.6a09e6p+0)) < m;  // sqrt(2), about: both sides may be exceeded
  m = V::select(is_large, m * V::broadcast(T(0.5)), m);
  k = V::select(is_large, k + V::broadcast(T(1)), k);

  const V f = m - V::broadcast(T(1));
  const V s = f / (f + V::broadcast(T(2)));
  const V s2 = s * s;
  constexpr int terms = sizeof(T) == 4 ? 4 : 9;
  V series = V::broadcast(T(2) / (2 * terms + 1));
  repeat<terms - 1>([&](auto i) __attribute__((always_inline)) {
    series = mul_add(series, s2, V::broadcast(T(2) / (2 * (terms - i) - 1)));
  });
  const V correction = mul_add(k, V::broadcast(-Constants::ln2_low), s * (f - s2 * series));
  const V result = mul_add(k, V::broadcast(Constants::ln2_high), f - correction);
  return V::select(x < V::broadcast(static_cast<T>(__builtin_inf())), result, x);
}

template <typename T, typename A>
void log_kernel(const T* x, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  for_each_vector<V>(n, [=](auto io, std::int64_t i) { io.store(log(io.load(x + i, T(1))), out + i); });
}

}  // namespace
}  // namespace wick::kernels
