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

  /// The first n lanes from memory, `padding` in the others; 0 < n < lanes, and no other element is touched.
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

  /// The larger one, lane by lane; NaN if either is, whichever side it stands on.
  friend WICK_INLINE Vec max(Vec a, Vec b) {
    Vec larger = select(a < b, b, a);  // a, where either is NaN
    return select(b <= b, larger, b);  // b, where b is NaN
  }

  /// The sum of all lanes, as a tree of halves: ((0+2) + (1+3)). Spelled out, so that its bits are not
  /// xsimd's choice.
  WICK_INLINE T hsum() const {
    T values[lanes];
    store(values);
    for (int half = lanes / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; ++i) values[i] += values[i + half];
    }
    return values[0];
  }

  /// The largest lane; NaN if any is.
  WICK_INLINE T hmax() const {
    T values[lanes];
    store(values);
    T largest = values[0];
    for (int i = 1; i < lanes; ++i) {
      if (!(values[i] <= largest) && largest == largest) largest = values[i];
    }
    return largest;
  }
};

/// How a step of for_each_vector reaches memory: a whole vector, or the part that is left at the end.
template <typename V>
struct Whole {
  using T = typename V::Element;
  WICK_INLINE V load(const T* from, T /*padding*/ = T(0)) const { return V::load(from); }
  WICK_INLINE void store(V value, T* to) const { value.store(to); }
};

template <typename V>
struct Part {
  using T = typename V::Element;
  int n;
  WICK_INLINE V load(const T* from, T padding = T(0)) const { return V::load_partial(from, n, padding); }
  WICK_INLINE void store(V value, T* to) const { value.store_partial(to, n); }
};

/// step(io, i) for i = 0, lanes, 2 * lanes … below n. `io` loads and stores at an offset i. The tail runs
/// through the same code as the body, and so through the same arithmetic.
template <typename V, typename Step>
WICK_INLINE void for_each_vector(std::int64_t n, Step step) {
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

}  // namespace
}  // namespace wick::kernels
