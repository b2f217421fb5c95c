#pragma once

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/reduce.inl.h>
#include <wick/ops/kernels/streaming.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// softmax of a row is exp(x - max) / sum(exp(x - max)). The largest value is taken off first, so that nothing
// overflows; then any order of the elements gives the same exponentials, and only their sum depends on where
// they stand: vector j of the row is added to chain j mod 4, lane by lane, in the order of j, and then the
// chains and the lanes are added as a tree. That order knows nothing of n, so that zeros at the end (blocked
// keys) leave the other weights as they were without them, to the bit; and it is the same whether a row
// stays in registers or not.
//
// NaN needs no case of its own, not even in the maximum: NaN in the row, inf - inf and -inf - -inf all make
// the sum NaN, and so the row. Lanes past the end are padded with -inf, whose exponential adds nothing.
//
// Weights are multiplied by 1 / sum: 16 divisions take 10 cycles, 16 products half a one. That is one
// rounding more, half an epsilon where the sum may err by n of them.

/// The longest row whose exponentials wait in a buffer for their sum when the result is streamed: half of a
/// first-level cache of 32 KiB or more, so that the row itself fits beside it.
template <typename T>
constexpr std::int64_t softmax_row_buffer = (16 << 10) / sizeof(T);

template <typename V>
WICK_INLINE V reciprocal(V x) {
  return V::broadcast(1) / x;
}

/// Of a few rows of `vectors` vectors, the last of which `tail` loads, exp(x - largest) in `values`, the
/// largest and the sum of the exponentials: in registers, and side by side, so that one row's exponentials
/// hide the latency of another's maximum and sum.
template <typename V, int vectors, int rows_at_once, typename Tail, typename T>
WICK_INLINE void exponentials_in_registers(const T* x, std::int64_t n, Tail tail,
                                           V (&values)[rows_at_once][vectors], V (&shift)[rows_at_once],
                                           V (&sum)[rows_at_once]) {
  static_assert(vectors <= sum_chains);
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  constexpr int last = vectors - 1;
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    repeat<last>([&](auto j) __attribute__((always_inline)) {
      values[row][j] = V::load(x + row * n + j * V::lanes);
    });
    values[row][last] = tail.load(x + row * n + last * V::lanes, lowest);
    shift[row] = values[row][0];
    repeat<last>([&](auto j)
                     __attribute__((always_inline)) { shift[row] = larger(shift[row], values[row][j + 1]); });
  });
  repeat<rows_at_once>([&](auto row)
                           __attribute__((always_inline)) { shift[row] = shift[row].largest_of_lanes(); });
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    V sums[sum_chains];
    repeat<sum_chains>([&](auto j) __attribute__((always_inline)) {
      sums[j] = V::zero();
      if constexpr (j < vectors) sums[j] = values[row][j] = exp_up_to_one(values[row][j] - shift[row]);
    });
    sum[row] = sum_of_chains(sums);
  });
}

/// Rows that stay in registers from end to end.
template <typename V, int vectors, int rows_at_once, typename Tail, typename T>
WICK_INLINE void softmax_in_registers(const T* x, T* out, std::int64_t n, Tail tail) {
  constexpr int last = vectors - 1;
  V values[rows_at_once][vectors], shift[rows_at_once], sum[rows_at_once];
  exponentials_in_registers<V, vectors, rows_at_once>(x, n, tail, values, shift, sum);
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    const V factor = reciprocal(sum[row]);
    repeat<last>([&](auto j) __attribute__((always_inline)) {
      (values[row][j] * factor).store(out + row * n + j * V::lanes);
    });
    tail.store(values[row][last] * factor, out + row * n + last * V::lanes);
  });
}

template <typename V, int vectors, typename Tail, typename T>
void softmax_of_short_rows(const T* x, T* out, std::int64_t rows, std::int64_t n, Tail tail) {
  constexpr int at_once = 4;  // 2 took a tenth longer on AVX-512; with 16 registers both are alike
  std::int64_t row = 0;
  for (; rows - row >= at_once; row += at_once) {
    softmax_in_registers<V, vectors, at_once>(x + row * n, out + row * n, n, tail);
  }
  for (; row < rows; ++row) softmax_in_registers<V, vectors, 1>(x + row * n, out + row * n, n, tail);
}

template <typename V, int vectors, typename T>
void softmax_of_short_rows(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  const std::int64_t left = n - (vectors - 1) * V::lanes;
  if constexpr (V::lanes > 1) {
    if (left < V::lanes) {
      return softmax_of_short_rows<V, vectors>(x, out, rows, n, Part<V>{static_cast<int>(left)});
    }
  }
  softmax_of_short_rows<V, vectors>(x, out, rows, n, Whole<V>{});
}

template <typename V, typename T>
WICK_INLINE V largest_of_row(const T* x, std::int64_t n) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  constexpr int chains = 8;  // order does not matter here: enough to hide a latency of 4 behind 2 a cycle
  V largest[chains];
  repeat<chains>([&](auto chain) { largest[chain] = V::broadcast(lowest); });
  for_each_chained<V, chains>(
      n, [&](auto io, std::int64_t i, auto chain) __attribute__((always_inline)) {
        largest[chain] = larger(largest[chain], io.load(x + i, lowest));
      });
  repeat<chains - 1>([&](auto chain) { largest[0] = larger(largest[0], largest[chain + 1]); });
  return largest[0].largest_of_lanes();
}

/// Writes exp(x - shift); returns the sum. While the processor computes, memory sends the row at `next`,
/// which has its turn after this one: without that, 64 x 1024 took a tenth longer, rows from memory half as
/// long again (Sapphire Rapids).
template <typename V, typename T>
WICK_INLINE V exponentials_of_row(const T* x, T* out, std::int64_t n, V shift, const T* next) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  V sums[sum_chains];
  repeat<sum_chains>([&](auto chain) { sums[chain] = V::zero(); });
  for_each_chained<V, sum_chains>(
      n, [&](auto io, std::int64_t i, auto chain) __attribute__((always_inline)) {
        __builtin_prefetch(next + i);
        const V exponential = exp_up_to_one(io.load(x + i, lowest) - shift);
        io.store(exponential, out + i);
        sums[chain] = sums[chain] + exponential;
      });
  return sum_of_chains(sums);
}

/// A few rows side by side: one's exponentials hide the latency of the other's maximum and sum. The rows that
/// have their turn next begin `ahead` elements further on.
template <typename V, int rows_at_once, typename T>
WICK_INLINE void softmax_in_passes(const T* x, T* out, std::int64_t n, std::int64_t ahead) {
  V shift[rows_at_once], factor[rows_at_once];
  for (int row = 0; row < rows_at_once; ++row) shift[row] = largest_of_row<V>(x + row * n, n);
  for (int row = 0; row < rows_at_once; ++row) {
    const T* from = x + row * n;
    factor[row] = reciprocal(exponentials_of_row(from, out + row * n, n, shift[row], from + ahead));
  }
  for (int row = 0; row < rows_at_once; ++row) {
    T* weights = out + row * n;
    for_each_vector<V>(
        n, [&](auto io, std::int64_t i) { io.store(io.load(weights + i) * factor[row], weights + i); });
  }
}

template <typename V, typename T>
void softmax_of_long_rows(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  constexpr std::int64_t at_once = 2;
  std::int64_t row = 0;
  for (; rows - row >= at_once; row += at_once) {
    const std::int64_t ahead = rows - row >= 2 * at_once ? at_once * n : 0;
    softmax_in_passes<V, at_once>(x + row * n, out + row * n, n, ahead);
  }
  if (row < rows) softmax_in_passes<V, 1>(x + row * n, out + row * n, n, /*ahead=*/0);
}

/// Each row's exponentials wait for their sum in a buffer that stays in the first-level cache, so that what
/// is stored past the caches is stored once.
template <typename V, typename T>
void softmax_of_streamed_rows(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  T exponentials[softmax_row_buffer<T>];
  for (std::int64_t row = 0; row < rows; ++row, x += n, out += n) {
    const V shift = largest_of_row<V>(x, n);
    const std::int64_t ahead = row + 1 < rows ? n : 0;
    const V factor = reciprocal(exponentials_of_row(x, exponentials, n, shift, x + ahead));
    for_each_streamed_vector<V>(
        out, n, [&](auto io, std::int64_t i) { io.store(io.load(exponentials + i) * factor, out + i); });
  }
  V::end_streaming();
}

template <typename T, typename A>
void softmax_kernel(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  if (n <= 0) return;
  switch ((n - 1) / V::lanes) {
    case 0:
      return softmax_of_short_rows<V, 1>(x, out, rows, n);
    case 1:
      return softmax_of_short_rows<V, 2>(x, out, rows, n);
    case 2:
      return softmax_of_short_rows<V, 3>(x, out, rows, n);
    case 3:
      return softmax_of_short_rows<V, 4>(x, out, rows, n);
    default:
      break;
  }
  if (x != out && n <= softmax_row_buffer<T> && is_streamed<T>(rows * n)) {
    softmax_of_streamed_rows<V>(x, out, rows, n);
  } else {
    softmax_of_long_rows<V>(x, out, rows, n);
  }
}

}  // namespace
}  // namespace wick::kernels
