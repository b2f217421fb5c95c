#pragma once

// One lane, in plain C++: the set that every processor has, and the one to read first.

#include <cstdint>
#include <type_traits>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

struct Scalar {};

template <typename T>
struct Lanes<T, Scalar> {
  using Register = T;
  using Mask = bool;
  static constexpr int lanes = 1;
  static constexpr int registers = 16;
  static constexpr bool fuses = false;
  static constexpr bool has_masks = false;
  static constexpr bool masks_cost_nothing = false;
  static constexpr int widest_panel = 2;

  static WICK_INLINE T broadcast(T value) { return value; }
  static WICK_INLINE T load(const T* from) { return *from; }
  static WICK_INLINE void store(T value, T* to) { *to = value; }
  // No load_partial or store_partial: a part of one lane is nothing.

  static WICK_INLINE T mul_add(T a, T b, T c) { return a * b + c; }
  static WICK_INLINE T select(bool condition, T yes, T no) { return condition ? yes : no; }

  /// The bits of x plus the bits of `steps`, those shifted left by `shift`; as integers.
  static WICK_INLINE T add_shifted_bits(T x, T steps, int shift) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return __builtin_bit_cast(
        T, static_cast<Bits>(__builtin_bit_cast(Bits, x) + (__builtin_bit_cast(Bits, steps) << shift)));
  }

  /// The bits of x shifted right by `shift`, as an integer, added to the bits of `number`.
  static WICK_INLINE T exponent_onto(T x, T number, int shift) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return __builtin_bit_cast(
        T, static_cast<Bits>((__builtin_bit_cast(Bits, x) >> shift) + __builtin_bit_cast(Bits, number)));
  }

  static WICK_INLINE float square_root(float x) { return __builtin_sqrtf(x); }
  static WICK_INLINE double square_root(double x) { return __builtin_sqrt(x); }

  static WICK_INLINE std::uint64_t bits_of(bool mask) { return mask; }
  static WICK_INLINE T larger(T a, T b) { return a > b ? a : b; }
  static WICK_INLINE T smaller(T a, T b) { return a < b ? a : b; }
  static WICK_INLINE void stream(T value, T* to) { *to = value; }
  static WICK_INLINE void end_streaming() {}
  static WICK_INLINE bool bytes_set(const bool* from) { return *from; }
  static constexpr bool has_scale_or_zero = false;
};

}  // namespace
}  // namespace wick::kernels
