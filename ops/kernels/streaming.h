#pragma once

// Stores past the caches: a result too large to be read soon from them would first be read from memory, only
// to be overwritten, and would push out what is needed next.

#include <cstdint>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// Results, or the parts of them that a thread makes, are streamed from this size on: what is larger than a
/// second-level cache many times over, and than a core's share of the last level. On Sapphire Rapids, whose
/// last level holds 300 MB, softmax gains from 16 MiB on; on Zen 5 it holds 32 MB, half of which the input
/// takes.
constexpr std::int64_t streamed_bytes = std::int64_t{16} << 20;

/// Whether a result of so many elements is stored past the caches. No bit depends on it.
template <typename T>
WICK_INLINE bool is_streamed(std::int64_t elements) {
  return elements >= streamed_bytes / static_cast<std::int64_t>(sizeof(T));
}

/// A whole vector at an aligned place.
template <typename V>
struct Streamed {
  using T = typename V::Element;
  WICK_INLINE V load(const T* from, T /*padding*/ = T(0)) const { return V::load(from); }
  WICK_INLINE void store(V value, T* to) const { value.stream(to); }
  WICK_INLINE typename V::Mask load_mask(const bool* from) const { return V::load_mask(from); }
};

/// As for_each_vector, where step stores to out + i: up to the first aligned place in part, then streamed.
/// After all such loops the kernel calls V::end_streaming().
template <typename V, typename T, typename Step>
WICK_INLINE void for_each_streamed_vector(const T* out, std::int64_t n, const Step& step) {
  constexpr std::uintptr_t alignment = sizeof(T) * V::lanes;
  const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(out) % alignment;
  std::int64_t i = past == 0 ? 0 : static_cast<std::int64_t>((alignment - past) / sizeof(T));
  if (past % sizeof(T) != 0 || i > n) return for_each_vector<V>(n, step);
  if constexpr (V::lanes > 1) {
    if (i > 0) step(Part<V>{static_cast<int>(i)}, 0);
  }
  for (; n - i >= V::lanes; i += V::lanes) step(Streamed<V>{}, i);
  if constexpr (V::lanes > 1) {
    if (i < n) step(Part<V>{static_cast<int>(n - i)}, i);
  }
}

/// One loop that fills out[0, n): streamed or not.
template <typename V, typename T, typename Step>
WICK_INLINE void for_each_vector_to(const T* out, std::int64_t n, bool streams, const Step& step) {
  if (!streams) return for_each_vector<V>(n, step);
  for_each_streamed_vector<V>(out, n, step);
  V::end_streaming();
}

}  // namespace
}  // namespace wick::kernels
