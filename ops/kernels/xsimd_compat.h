#pragma once

// What differs between the xsimd versions that we build with (8.1 to 14), and what the older ones lack.

#include <cstdint>
#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The same bits as another type. Version 9 changed the template argument from a batch to its element.
template <typename To, typename From, typename A>
WICK_INLINE xsimd::batch<To, A> bit_cast(const xsimd::batch<From, A>& x) {
#if XSIMD_VERSION_MAJOR < 9
  return xsimd::bitwise_cast<xsimd::batch<To, A>>(x);
#else
  return xsimd::bitwise_cast<To>(x);
#endif
}

// Multiply-add by the instruction itself: 8.1 has none for AVX-512 (its xsimd::fma multiplies, then adds),
// and on SSE2 every version is free to change what its xsimd::fma does.
template <typename T>
WICK_INLINE xsimd::batch<T, xsimd::sse2> multiply_add(const xsimd::batch<T, xsimd::sse2>& a,
                                                      const xsimd::batch<T, xsimd::sse2>& b,
                                                      const xsimd::batch<T, xsimd::sse2>& c) {
  return a * b + c;
}

#if defined(__AVX2__) && defined(__FMA__)
using Avx2 = xsimd::fma3<xsimd::avx2>;

WICK_INLINE xsimd::batch<float, Avx2> multiply_add(const xsimd::batch<float, Avx2>& a,
                                                   const xsimd::batch<float, Avx2>& b,
                                                   const xsimd::batch<float, Avx2>& c) {
  return _mm256_fmadd_ps(a, b, c);
}
WICK_INLINE xsimd::batch<double, Avx2> multiply_add(const xsimd::batch<double, Avx2>& a,
                                                    const xsimd::batch<double, Avx2>& b,
                                                    const xsimd::batch<double, Avx2>& c) {
  return _mm256_fmadd_pd(a, b, c);
}
#endif

#if defined(__AVX512BW__)
using Avx512 = xsimd::avx512bw;

WICK_INLINE xsimd::batch<float, Avx512> multiply_add(const xsimd::batch<float, Avx512>& a,
                                                     const xsimd::batch<float, Avx512>& b,
                                                     const xsimd::batch<float, Avx512>& c) {
  return _mm512_fmadd_ps(a, b, c);
}
WICK_INLINE xsimd::batch<double, Avx512> multiply_add(const xsimd::batch<double, Avx512>& a,
                                                      const xsimd::batch<double, Avx512>& b,
                                                      const xsimd::batch<double, Avx512>& c) {
  return _mm512_fmadd_pd(a, b, c);
}
#endif

}  // namespace
}  // namespace wick::kernels
