#pragma once

// The face that all kernels are written against: Vec<T, A>, some lanes of T in one register of instruction
// set A. What differs between sets stands in Lanes<T, A>: lanes_scalar.h and lanes_xsimd.h.
//
// Everything here and in the *.inl.h files sits in an unnamed namespace: each unit is compiled with its own
// flags, so no function may be shared between units. The linker would keep one copy, perhaps the one that the
// processor lacks.

#include <cstdint>
#include <type_traits>
#include <utility>

// GCC names the parts of it that change the order of operations, too.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "wick's kernels promise NaN, infinity and the order of operations: build them without -ffast-math"
#endif

#define WICK_INLINE inline __attribute__((always_inline))

namespace wick::kernels {
namespace {

template <typename T, typename A>
struct Lanes;
template <typename T, typename A>
struct Zip;

template <typename T, typename A>
struct Vec {
  using Element = T;
  using Register = typename Lanes<T, A>::Register;
  using Mask = typename Lanes<T, A>::Mask;
  static constexpr int lanes = Lanes<T, A>::lanes;

  Register raw;

  static WICK_INLINE Vec broadcast(T value) { return {Lanes<T, A>::broadcast(value)}; }
  static WICK_INLINE Vec zero() { return broadcast(T(0)); }
  static WICK_INLINE Vec load(const T* from) { return {Lanes<T, A>::load(from)}; }
  WICK_INLINE void store(T* to) const { Lanes<T, A>::store(raw, to); }

  /// The first n lanes from memory, `padding` in the others; 0 < n <= lanes, and no other element is touched.
  static WICK_INLINE Vec load_partial(const T* from, int n, T padding = T(0)) {
    return {Lanes<T, A>::load_partial(from, n, padding)};
  }
  WICK_INLINE void store_partial(T* to, int n) const { Lanes<T, A>::store_partial(raw, to, n); }

  friend WICK_INLINE Vec operator+(Vec a, Vec b) { return {a.raw + b.raw}; }
  friend WICK_INLINE Vec operator-(Vec a, Vec b) { return {a.raw - b.raw}; }
  friend WICK_INLINE Vec operator*(Vec a, Vec b) { return {a.raw * b.raw}; }
  friend WICK_INLINE Vec operator/(Vec a, Vec b) { return {a.raw / b.raw}; }
  friend WICK_INLINE Mask operator<(Vec a, Vec b) { return a.raw < b.raw; }
  friend WICK_INLINE Mask operator<=(Vec a, Vec b) { return a.raw <= b.raw; }
  friend WICK_INLINE Mask operator==(Vec a, Vec b) { return a.raw == b.raw; }

  /// Bit i is set where lane i of the mask is.
  static WICK_INLINE std::uint64_t bits_of(Mask mask) { return Lanes<T, A>::bits_of(mask); }

  /// a * b + c: one rounding where the set has a fused instruction, two where it has not.
  friend WICK_INLINE Vec mul_add(Vec a, Vec b, Vec c) { return {Lanes<T, A>::mul_add(a.raw, b.raw, c.raw)}; }

  static WICK_INLINE Vec select(Mask condition, Vec yes, Vec no) {
    return {Lanes<T, A>::select(condition, yes.raw, no.raw)};
  }

  /// x * 2^k for whole numbers k, with nothing rounded: k is added to the exponent of x, as bits.
  /// `k_in_low_bits` is a vector of T whose lowest bits hold k in two's complement. Only for x and results
  /// that are normal.
  friend WICK_INLINE Vec scale_by_power_of_two(Vec x, Vec k_in_low_bits) {
    constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;
    return {Lanes<T, A>::add_shifted_bits(x.raw, k_in_low_bits.raw, mantissa_bits)};
  }

  /// x * 2^k where `argument` is not below `smallest`, else 0: one rounding, infinity where T ends, NaN kept.
  /// Only where `has_scale_or_zero`.
  static constexpr bool has_scale_or_zero = Lanes<T, A>::has_scale_or_zero;
  static WICK_INLINE Vec scale_or_zero(Vec x, Vec k, Vec argument, Vec smallest) {
    return {Lanes<T, A>::scale_or_zero(x.raw, k.raw, argument.raw, smallest.raw)};
  }

  /// x / 2^(exponent of x) in [1, 2), and that exponent, a whole number. Only for x that is normal and
  /// positive.
  static WICK_INLINE void split(Vec x, Vec& mantissa, Vec& exponent) {
    constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;
    constexpr T whole = static_cast<T>(std::int64_t{1} << mantissa_bits);  // its lowest bits count in ones
    constexpr T bias = sizeof(T) == 4 ? 127 : 1023;
    const Vec biased{Lanes<T, A>::exponent_onto(x.raw, broadcast(whole).raw, mantissa_bits)};
    exponent = biased - broadcast(whole + bias);
    mantissa = scale_by_power_of_two(x, broadcast(whole + whole / 2) - exponent);
  }

  /// Rounded correctly.
  friend WICK_INLINE Vec square_root(Vec x) { return {Lanes<T, A>::square_root(x.raw)}; }

  /// a > b ? a : b, and a < b ? a : b, lane by lane: b where either is NaN.
  friend WICK_INLINE Vec larger(Vec a, Vec b) { return {Lanes<T, A>::larger(a.raw, b.raw)}; }
  friend WICK_INLINE Vec smaller(Vec a, Vec b) { return {Lanes<T, A>::smaller(a.raw, b.raw)}; }

  /// The sum of all lanes in each of them, as a tree of halves: ((0+2) + (1+3)). Every lane adds the same
  /// pairs, some of them turned round, so that all get the same bits.
  WICK_INLINE Vec sum_of_lanes() const {
    return fold<lanes / 2>(
        *this, [](Vec a, Vec b) __attribute__((always_inline)) { return a + b; });
  }

  /// The largest lane in each of them, where none is NaN.
  WICK_INLINE Vec largest_of_lanes() const {
    return fold<lanes / 2>(
        *this, [](Vec a, Vec b) __attribute__((always_inline)) { return larger(a, b); });
  }

  WICK_INLINE T first() const {
    T values[lanes];
    store(values);
    return values[0];
  }
  WICK_INLINE T hsum() const { return sum_of_lanes().first(); }

  /// Stores past the caches what is not to be read soon; `to` is aligned to the vector. Such stores are seen
  /// by other threads after end_streaming().
  WICK_INLINE void stream(T* to) const { Lanes<T, A>::stream(raw, to); }
  static WICK_INLINE void end_streaming() { Lanes<T, A>::end_streaming(); }

  /// Which of `lanes` booleans are true.
  static WICK_INLINE Mask load_mask(const bool* from) { return Lanes<T, A>::bytes_set(from); }

 private:
  template <int distance, typename Operation>
  static WICK_INLINE Vec fold(Vec x, Operation operation) {
    if constexpr (distance == 0) {
      return x;
    } else {
      const Vec folded = operation(x, Vec{Lanes<T, A>::template exchange<distance>(x.raw)});
      return fold<distance / 2>(folded, operation);
    }
  }
};

/// How a step of for_each_vector reaches memory: a whole vector, or the part that is left at the end.
template <typename V>
struct Whole {
  using T = typename V::Element;
  WICK_INLINE V load(const T* from, T /*padding*/ = T(0)) const { return V::load(from); }
  WICK_INLINE void store(V value, T* to) const { value.store(to); }
  WICK_INLINE typename V::Mask load_mask(const bool* from) const { return V::load_mask(from); }
};

template <typename V>
struct Part {
  using T = typename V::Element;
  int n;
  WICK_INLINE V load(const T* from, T padding = T(0)) const { return V::load_partial(from, n, padding); }
  WICK_INLINE void store(V value, T* to) const { value.store_partial(to, n); }
  WICK_INLINE typename V::Mask load_mask(const bool* from) const {
    bool values[V::lanes] = {};
    for (int i = 0; i < n; ++i) values[i] = from[i];
    return V::load_mask(values);
  }
};

/// step(io, i) for i = 0, lanes, 2 * lanes … below n. `io` loads and stores at an offset i. The tail runs
/// through the same code as the body, and so through the same arithmetic.
template <typename V, typename Step>
WICK_INLINE void for_each_vector(std::int64_t n, const Step& step) {
  std::int64_t i = 0;
  for (; n - i >= V::lanes; i += V::lanes) step(Whole<V>{}, i);
  if constexpr (V::lanes > 1) {
    if (i < n) step(Part<V>{static_cast<int>(n - i)}, i);
  }
}

/// step(0), step(1) … step(n - 1), unrolled: each index arrives as a constant, so that an array of Vec stays
/// in registers.
template <int n, typename Step>
WICK_INLINE void repeat(Step step) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (step(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, n>{});
}

/// step(io, i, chain) as for_each_vector does, for several chains of operations side by side, to hide their
/// latency: vector j goes to chain j mod `chains`, and each index of a chain arrives as a constant.
template <typename V, int chains, typename Step>
WICK_INLINE void for_each_chained(std::int64_t n, const Step& step) {
  constexpr int stride = chains * V::lanes;
  std::int64_t i = 0;
  for (; n - i >= stride; i += stride) {
    repeat<chains>([&](auto chain)
                       __attribute__((always_inline)) { step(Whole<V>{}, i + chain * V::lanes, chain); });
  }
  repeat<chains>([&](auto chain) __attribute__((always_inline)) {
    const std::int64_t left = n - i - chain * V::lanes;
    if (left >= V::lanes) {
      step(Whole<V>{}, i + chain * V::lanes, chain);
    } else if constexpr (V::lanes > 1) {
      if (left > 0) step(Part<V>{static_cast<int>(left)}, i + chain * V::lanes, chain);
    }
  });
}

}  // namespace
}  // namespace wick::kernels
