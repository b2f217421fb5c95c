#pragma once

// What the xsimd versions lack or do each in its own way, said in instructions: one overload for each type of
// register, so that Lanes needs no case for any set.

#include <cstdint>
#include <cstring>
#include <emmintrin.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {
namespace x86 {

// a > b ? a : b, and a < b ? a : b: the second one where either is NaN.
WICK_INLINE __m128 larger(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
WICK_INLINE __m128d larger(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
WICK_INLINE __m128 smaller(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
WICK_INLINE __m128d smaller(__m128d a, __m128d b) { return _mm_min_pd(a, b); }

WICK_INLINE __m128 square_root(__m128 x) { return _mm_sqrt_ps(x); }
WICK_INLINE __m128d square_root(__m128d x) { return _mm_sqrt_pd(x); }

/// Lane i and lane i + distance change places, in every group of 2 * distance lanes.
template <int distance>
WICK_INLINE __m128 exchange(__m128 x) {
  return _mm_shuffle_ps(x, x, distance == 2 ? 0x4e : 0xb1);
}
template <int distance>
WICK_INLINE __m128d exchange(__m128d x) {
  return _mm_shuffle_pd(x, x, 1);
}

/// Bit i is set where lane i of the mask is.
WICK_INLINE std::uint64_t bits_of(__m128 mask) { return static_cast<unsigned>(_mm_movemask_ps(mask)); }
WICK_INLINE std::uint64_t bits_of(__m128d mask) { return static_cast<unsigned>(_mm_movemask_pd(mask)); }

/// Stores past the caches. `to` is aligned to the register.
WICK_INLINE void stream(__m128 x, float* to) { _mm_stream_ps(to, x); }
WICK_INLINE void stream(__m128d x, double* to) { _mm_stream_pd(to, x); }

/// Which lanes' bytes are not 0, one byte a lane.
WICK_INLINE __m128 bytes_set(const bool* from, __m128 /*register*/) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof(four));
  const __m128i zero = _mm_setzero_si128();
  const __m128i lanes = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero), zero);
  return _mm_castsi128_ps(_mm_cmpgt_epi32(lanes, zero));
}
WICK_INLINE __m128d bytes_set(const bool* from, __m128d /*register*/) {
  std::int16_t two;
  std::memcpy(&two, from, sizeof(two));
  const __m128i zero = _mm_setzero_si128();
  const __m128i lanes = _mm_unpacklo_epi16(_mm_unpacklo_epi8(_mm_cvtsi32_si128(two), zero), zero);
  const __m128i set = _mm_cmpgt_epi32(lanes, zero);
  return _mm_castsi128_pd(_mm_unpacklo_epi32(set, set));
}

#if defined(__AVX2__)
WICK_INLINE __m256 larger(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
WICK_INLINE __m256d larger(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
WICK_INLINE __m256 smaller(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
WICK_INLINE __m256d smaller(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
WICK_INLINE __m256 square_root(__m256 x) { return _mm256_sqrt_ps(x); }
WICK_INLINE __m256d square_root(__m256d x) { return _mm256_sqrt_pd(x); }

template <int distance>
WICK_INLINE __m256 exchange(__m256 x) {
  if constexpr (distance == 4) return _mm256_permute2f128_ps(x, x, 1);
  return _mm256_permute_ps(x, distance == 2 ? 0x4e : 0xb1);
}
template <int distance>
WICK_INLINE __m256d exchange(__m256d x) {
  if constexpr (distance == 2) return _mm256_permute2f128_pd(x, x, 1);
  return _mm256_permute_pd(x, 5);
}

WICK_INLINE std::uint64_t bits_of(__m256 mask) { return static_cast<unsigned>(_mm256_movemask_ps(mask)); }
WICK_INLINE std::uint64_t bits_of(__m256d mask) { return static_cast<unsigned>(_mm256_movemask_pd(mask)); }

WICK_INLINE void stream(__m256 x, float* to) { _mm256_stream_ps(to, x); }
WICK_INLINE void stream(__m256d x, double* to) { _mm256_stream_pd(to, x); }

WICK_INLINE __m256 bytes_set(const bool* from, __m256 /*register*/) {
  std::int64_t eight;
  std::memcpy(&eight, from, sizeof(eight));
  const __m256i lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(eight));
  return _mm256_castsi256_ps(_mm256_cmpgt_epi32(lanes, _mm256_setzero_si256()));
}
WICK_INLINE __m256d bytes_set(const bool* from, __m256d /*register*/) {
  std::int32_t four;
  std::memcpy(&four, from, sizeof(four));
  const __m256i lanes = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four));
  return _mm256_castsi256_pd(_mm256_cmpgt_epi64(lanes, _mm256_setzero_si256()));
}
#endif

#if defined(__AVX512BW__)
WICK_INLINE __m512 larger(__m512 a, __m512 b) { return _mm512_max_ps(a, b); }
WICK_INLINE __m512d larger(__m512d a, __m512d b) { return _mm512_max_pd(a, b); }
WICK_INLINE __m512 smaller(__m512 a, __m512 b) { return _mm512_min_ps(a, b); }
WICK_INLINE __m512d smaller(__m512d a, __m512d b) { return _mm512_min_pd(a, b); }
WICK_INLINE __m512 square_root(__m512 x) { return _mm512_sqrt_ps(x); }
WICK_INLINE __m512d square_root(__m512d x) { return _mm512_sqrt_pd(x); }

template <int distance>
WICK_INLINE __m512 exchange(__m512 x) {
  if constexpr (distance >= 4) return _mm512_shuffle_f32x4(x, x, distance == 8 ? 0x4e : 0xb1);
  return _mm512_permute_ps(x, distance == 2 ? 0x4e : 0xb1);
}
template <int distance>
WICK_INLINE __m512d exchange(__m512d x) {
  if constexpr (distance >= 2) return _mm512_shuffle_f64x2(x, x, distance == 4 ? 0x4e : 0xb1);
  return _mm512_permute_pd(x, 0x55);
}

WICK_INLINE std::uint64_t bits_of(__mmask16 mask) { return mask; }
WICK_INLINE std::uint64_t bits_of(__mmask8 mask) { return mask; }

WICK_INLINE void stream(__m512 x, float* to) { _mm512_stream_ps(to, x); }
WICK_INLINE void stream(__m512d x, double* to) { _mm512_stream_pd(to, x); }

WICK_INLINE __mmask16 bytes_set(const bool* from, __m512 /*register*/) {
  const __m512i lanes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  return _mm512_test_epi32_mask(lanes, lanes);
}
WICK_INLINE __mmask8 bytes_set(const bool* from, __m512d /*register*/) {
  std::int64_t eight;
  std::memcpy(&eight, from, sizeof(eight));
  const __m512i lanes = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(eight));
  return _mm512_test_epi64_mask(lanes, lanes);
}

#endif

}  // namespace x86
}  // namespace
}  // namespace wick::kernels
