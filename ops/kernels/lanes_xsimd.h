#pragma once

// The lanes of an xsimd batch, and the partial loads and stores that xsimd 8.1 lacks.

#include <cstdint>

#include <wick/ops/kernels/lanes_x86.h>
#include <wick/ops/kernels/vec.h>
#include <wick/ops/kernels/xsimd_compat.h>

namespace wick::kernels {
namespace {

/// Partial access for a set without masked instructions: lane by lane, through a copy of the register.
template <typename T, typename A>
struct PartialByLanes {
  using Batch = xsimd::batch<T, A>;
  static constexpr int lanes = static_cast<int>(Batch::size);

  static WICK_INLINE Batch load(const T* from, int n, T padding) {
    T values[lanes];
    for (int i = 0; i < lanes; ++i) values[i] = i < n ? from[i] : padding;
    return Batch::load_unaligned(values);
  }
  static WICK_INLINE void store(const Batch& x, T* to, int n) {
    T values[lanes];
    x.store_unaligned(values);
    for (int i = 0; i < n; ++i) to[i] = values[i];
  }
};

template <typename T, typename A>
struct Partial : PartialByLanes<T, A> {};

#if defined(__AVX2__) && defined(__FMA__)
// The mask is a row of integers, negative where the lane counts: n - 1 - i ≥ 0 turned round, i < n.
template <>
struct Partial<float, Avx2> {
  using Batch = xsimd::batch<float, Avx2>;
  static WICK_INLINE __m256i mask(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static WICK_INLINE Batch load(const float* from, int n, float padding) {
    const __m256i lanes = mask(n);
    return _mm256_blendv_ps(_mm256_set1_ps(padding), _mm256_maskload_ps(from, lanes),
                            _mm256_castsi256_ps(lanes));
  }
  static WICK_INLINE void store(const Batch& x, float* to, int n) { _mm256_maskstore_ps(to, mask(n), x); }
};

template <>
struct Partial<double, Avx2> {
  using Batch = xsimd::batch<double, Avx2>;
  static WICK_INLINE __m256i mask(int n) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static WICK_INLINE Batch load(const double* from, int n, double padding) {
    const __m256i lanes = mask(n);
    return _mm256_blendv_pd(_mm256_set1_pd(padding), _mm256_maskload_pd(from, lanes),
                            _mm256_castsi256_pd(lanes));
  }
  static WICK_INLINE void store(const Batch& x, double* to, int n) { _mm256_maskstore_pd(to, mask(n), x); }
};
#endif

#if defined(__AVX512BW__)
template <>
struct Partial<float, Avx512> {
  using Batch = xsimd::batch<float, Avx512>;
  static WICK_INLINE __mmask16 mask(int n) { return static_cast<__mmask16>((1u << n) - 1); }
  static WICK_INLINE Batch load(const float* from, int n, float padding) {
    return _mm512_mask_loadu_ps(_mm512_set1_ps(padding), mask(n), from);
  }
  static WICK_INLINE void store(const Batch& x, float* to, int n) { _mm512_mask_storeu_ps(to, mask(n), x); }
};

template <>
struct Partial<double, Avx512> {
  using Batch = xsimd::batch<double, Avx512>;
  static WICK_INLINE __mmask8 mask(int n) { return static_cast<__mmask8>((1u << n) - 1); }
  static WICK_INLINE Batch load(const double* from, int n, double padding) {
    return _mm512_mask_loadu_pd(_mm512_set1_pd(padding), mask(n), from);
  }
  static WICK_INLINE void store(const Batch& x, double* to, int n) { _mm512_mask_storeu_pd(to, mask(n), x); }
};
#endif

/// The elements of two registers in turn: low = a0 b0 a1 b1 …, high goes on where that ends.
template <typename T, typename A>
struct Zip {
  using Batch = xsimd::batch<T, A>;
  static WICK_INLINE void both(const Batch& a, const Batch& b, Batch& low, Batch& high) {
    low = zip_lo(a, b);
    high = zip_hi(a, b);
  }
};

#if defined(__AVX2__) && defined(__FMA__)
// The instructions zip within halves of a register; the halves then change places.
template <>
struct Zip<float, Avx2> {
  using Batch = xsimd::batch<float, Avx2>;
  static WICK_INLINE void both(const Batch& a, const Batch& b, Batch& low, Batch& high) {
    const __m256 even = _mm256_unpacklo_ps(a, b);
    const __m256 odd = _mm256_unpackhi_ps(a, b);
    low = _mm256_permute2f128_ps(even, odd, 0x20);
    high = _mm256_permute2f128_ps(even, odd, 0x31);
  }
};

template <>
struct Zip<double, Avx2> {
  using Batch = xsimd::batch<double, Avx2>;
  static WICK_INLINE void both(const Batch& a, const Batch& b, Batch& low, Batch& high) {
    const __m256d even = _mm256_unpacklo_pd(a, b);
    const __m256d odd = _mm256_unpackhi_pd(a, b);
    low = _mm256_permute2f128_pd(even, odd, 0x20);
    high = _mm256_permute2f128_pd(even, odd, 0x31);
  }
};
#endif

#if defined(__AVX512BW__)
// Indices of b are those of a plus the number of lanes.
template <>
struct Zip<float, Avx512> {
  using Batch = xsimd::batch<float, Avx512>;
  static WICK_INLINE void both(const Batch& a, const Batch& b, Batch& low, Batch& high) {
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    low = _mm512_permutex2var_ps(a, first, b);
    high = _mm512_permutex2var_ps(a, second, b);
  }
};

template <>
struct Zip<double, Avx512> {
  using Batch = xsimd::batch<double, Avx512>;
  static WICK_INLINE void both(const Batch& a, const Batch& b, Batch& low, Batch& high) {
    low = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), b);
    high = _mm512_permutex2var_pd(a, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), b);
  }
};
#endif

/// x * 2^k where `argument` is not below `smallest`, else 0: rounds once, gives infinity where the type ends,
/// and keeps NaN. Where one instruction does all of it.
template <typename T, typename A>
struct ScaleOrZero {
  static constexpr bool exists = false;
};
#if defined(__AVX512BW__)
template <>
struct ScaleOrZero<float, Avx512> {
  static constexpr bool exists = true;
  static WICK_INLINE __m512 scaled(__m512 x, __m512 k, __m512 argument, __m512 smallest) {
    return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(argument, smallest, _CMP_NLT_UQ), x, k);
  }
};
template <>
struct ScaleOrZero<double, Avx512> {
  static constexpr bool exists = true;
  static WICK_INLINE __m512d scaled(__m512d x, __m512d k, __m512d argument, __m512d smallest) {
    return _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(argument, smallest, _CMP_NLT_UQ), x, k);
  }
};
#endif

template <typename T, typename A>
struct Lanes {
  using Register = xsimd::batch<T, A>;
  using Mask = typename Register::batch_bool_type;
  static constexpr int lanes = static_cast<int>(Register::size);
  static constexpr int registers = sizeof(Register) == 64 ? 32 : 16;
  static constexpr bool fuses = sizeof(Register) > 16;
  static constexpr bool has_masks = sizeof(Register) > 16;
  static constexpr bool masks_cost_nothing = sizeof(Register) == 64;
  static constexpr int widest_panel = sizeof(Register) == 64 ? 4 : 2;

  static WICK_INLINE Register broadcast(T value) { return Register(value); }
  static WICK_INLINE Register load(const T* from) { return Register::load_unaligned(from); }
  static WICK_INLINE void store(const Register& x, T* to) { x.store_unaligned(to); }
  static WICK_INLINE Register load_partial(const T* from, int n, T padding) {
    return Partial<T, A>::load(from, n, padding);
  }
  static WICK_INLINE void store_partial(const Register& x, T* to, int n) { Partial<T, A>::store(x, to, n); }

  static WICK_INLINE Register mul_add(const Register& a, const Register& b, const Register& c) {
    return multiply_add(a, b, c);
  }
  static WICK_INLINE Register select(const Mask& condition, const Register& yes, const Register& no) {
    return xsimd::select(condition, yes, no);
  }

  /// The bits of x plus the bits of `steps`, those shifted left by `shift`; as integers.
  static WICK_INLINE Register add_shifted_bits(const Register& x, const Register& steps, int shift) {
    return bit_cast<T>(bit_cast<BitsOf<T>>(x) + (bit_cast<BitsOf<T>>(steps) << shift));
  }

  /// The bits of x shifted right by `shift`, as integers, added to the bits of `number`.
  static WICK_INLINE Register exponent_onto(const Register& x, const Register& number, int shift) {
    return bit_cast<T>((bit_cast<BitsOf<T>>(x) >> shift) + bit_cast<BitsOf<T>>(number));
  }

  using Raw = typename Register::register_type;
  static WICK_INLINE std::uint64_t bits_of(typename Mask::register_type mask) { return x86::bits_of(mask); }
  static WICK_INLINE Register larger(Raw a, Raw b) { return x86::larger(a, b); }
  static WICK_INLINE Register square_root(Raw x) { return x86::square_root(x); }
  static WICK_INLINE Register smaller(Raw a, Raw b) { return x86::smaller(a, b); }
  template <int distance>
  static WICK_INLINE Register exchange(Raw x) {
    return x86::exchange<distance>(x);
  }
  static WICK_INLINE void stream(Raw x, T* to) { x86::stream(x, to); }
  static WICK_INLINE void end_streaming() { _mm_sfence(); }
  static WICK_INLINE Mask bytes_set(const bool* from) { return x86::bytes_set(from, Raw{}); }

  static constexpr bool has_scale_or_zero = ScaleOrZero<T, A>::exists;
  static WICK_INLINE Register scale_or_zero(Raw x, Raw k, Raw argument, Raw smallest) {
    return ScaleOrZero<T, A>::scaled(x, k, argument, smallest);
  }
};

}  // namespace
}  // namespace wick::kernels
