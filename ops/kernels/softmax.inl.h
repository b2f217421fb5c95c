#pragma once

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// Three passes over a row. The largest value is taken off first, so that nothing overflows; then any order
/// of the elements gives the same exponentials, and only their sum depends on where they stand: element i is
/// added in lane i mod lanes, in the order of i. That order knows nothing of n. Zeros at the end (blocked
/// keys) therefore leave the other weights as they were without them, to the bit.
///
/// NaN needs no case of its own: NaN in the row, inf - inf and -inf - -inf all make the sum NaN, and so the
/// row.
template <typename T, typename A>
void softmax_kernel(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  for (std::int64_t row = 0; row < rows; ++row, x += n, out += n) {
    V largest = V::broadcast(lowest);
    for_each_vector<V>(n, [&](auto io, std::int64_t i) { largest = max(largest, io.load(x + i, lowest)); });
    const V shift = V::broadcast(largest.hmax());

    // Lanes past the end are padded with -inf, whose exponential adds nothing.
    V sum = V::zero();
    for_each_vector<V>(n, [&](auto io, std::int64_t i) {
      const V exponential = exp(io.load(x + i, lowest) - shift);
      io.store(exponential, out + i);
      sum = sum + exponential;
    });

    // Divided, not multiplied by 1 / total: one rounding less.
    const V total = V::broadcast(sum.hsum());
    for_each_vector<V>(n, [&](auto io, std::int64_t i) { io.store(io.load(out + i) / total, out + i); });
  }
}

}  // namespace
}  // namespace wick::kernels
