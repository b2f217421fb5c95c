#pragma once

// Reductions over the rows of a matrix, a result for each column, with the bits that the same numbers have as
// one row: element i of a row is added in lane i mod lanes of chain (i / lanes) mod 4, so that the sums of a
// column are one for each i mod (4 lanes), and they are added as a tree of halves, as the row's chains and
// lanes are. A strip of columns is walked through from top to bottom; its sums stay in the first-level cache.

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/reduce.inl.h>
#include <wick/ops/kernels/softmax.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// Sums of a strip of columns.
template <typename V>
class StripSums {
 public:
  using T = typename V::Element;

  /// Columns of a strip: 256 bytes of each row, so that memory is read by more than single lines and the sums
  /// of AVX-512 take 16 KiB.
  static constexpr std::int64_t width = 256 / sizeof(T);

  explicit WICK_INLINE StripSums(std::int64_t columns) : columns_(columns) {}

  /// Adds value(io, c) to the sum of column c of the strip, as element i of the column. Elements come in
  /// order.
  template <typename Value>
  WICK_INLINE void add(std::int64_t i, Value value) {
    T* sums = sums_[i % count];
    if (i < count) {
      for_each_vector<V>(
          columns_, [&](auto io, std::int64_t c)
                        __attribute__((always_inline)) { (V::zero() + value(io, c)).store(sums + c); });
    } else {
      for_each_vector<V>(
          columns_, [&](auto io, std::int64_t c) __attribute__((always_inline)) {
            (V::load(sums + c) + value(io, c)).store(sums + c);
          });
    }
  }

  /// The totals of n elements, in whole vectors. Sums that nothing was added to are left out: they are 0.
  WICK_INLINE const T* total(std::int64_t n) {
    std::int64_t filled = n < count ? n : count;
    for (std::int64_t half = count / 2; half > 0; half /= 2) {
      for (std::int64_t i = half; i < filled; ++i) {
        T* sums = sums_[i - half];
        for (std::int64_t c = 0; c < columns_; c += V::lanes) {
          (V::load(sums + c) + V::load(sums_[i] + c)).store(sums + c);
        }
      }
      if (filled > half) filled = half;
    }
    return sums_[0];
  }

 private:
  static constexpr std::int64_t count = std::int64_t{sum_chains} * V::lanes;

  alignas(64) T sums_[count][width];
  std::int64_t columns_;
};

/// One strip and one block of rows or less. A function of its own, so that the sums stand on the stack once.
template <typename V, typename T>
__attribute__((noinline)) void sum_strip_of_block(const T* x, std::int64_t row_stride, std::int64_t rows,
                                                  std::int64_t columns, T* out) {
  StripSums<V> sums(columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* row = x + i * row_stride;
    sums.add(
        i, [row](auto io, std::int64_t c) __attribute__((always_inline)) { return io.load(row + c); });
  }
  const T* total = sums.total(rows);
  for_each_vector<V>(columns, [=](auto io, std::int64_t c) { io.store(io.load(total + c), out + c); });
}

/// One strip: pairwise_sum, column by column.
template <typename V, typename T>
void sum_strip(const T* x, std::int64_t row_stride, std::int64_t rows, std::int64_t columns, T* out) {
  if (rows <= sum_block<V>) return sum_strip_of_block<V>(x, row_stride, rows, columns, out);
  std::int64_t left = sum_block<V>;
  while (left < rows - left) left *= 2;
  T right[StripSums<V>::width];
  sum_strip<V>(x, row_stride, left, columns, out);
  sum_strip<V>(x + left * row_stride, row_stride, rows - left, columns, right);
  for_each_vector<V>(
      columns, [&](auto io, std::int64_t c) { io.store(io.load(out + c) + io.load(right + c), out + c); });
}

template <typename T, typename A>
void sum_columns_kernel(const T* x, std::int64_t row_stride, T* out, std::int64_t rows,
                        std::int64_t columns) {
  using V = Vec<T, A>;
  constexpr std::int64_t width = StripSums<V>::width;
  for (std::int64_t c = 0; c < columns; c += width) {
    const std::int64_t in_strip = columns - c < width ? columns - c : width;
    if (rows == 0) {
      for_each_vector<V>(in_strip, [=](auto io, std::int64_t i) { io.store(V::zero(), out + c + i); });
    } else {
      sum_strip<V>(x + c, row_stride, rows, in_strip, out + c);
    }
  }
}

/// One strip's part of softmax_columns_kernel: softmax of a row, column by column.
template <typename V, typename T>
void softmax_strip(const T* x, T* out, std::int64_t row_stride, std::int64_t rows, std::int64_t columns) {
  T largest[StripSums<V>::width];
  for_each_vector<V>(columns, [&](auto io, std::int64_t c) { io.load(x + c).store(largest + c); });
  for (std::int64_t i = 1; i < rows; ++i) {
    const T* row = x + i * row_stride;
    for_each_vector<V>(columns, [&](auto io, std::int64_t c) {
      larger(V::load(largest + c), io.load(row + c)).store(largest + c);
    });
  }
  StripSums<V> sums(columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* from = x + i * row_stride;
    T* to = out + i * row_stride;
    sums.add(
        i, [ =, &largest ](auto io, std::int64_t c) __attribute__((always_inline)) {
          const V exponential = exp_up_to_one(io.load(from + c) - V::load(largest + c));
          io.store(exponential, to + c);
          return exponential;
        });
  }
  const T* total = sums.total(rows);
  T factors[StripSums<V>::width];
  for (std::int64_t c = 0; c < columns; c += V::lanes) reciprocal(V::load(total + c)).store(factors + c);
  for (std::int64_t i = 0; i < rows; ++i) {
    T* row = out + i * row_stride;
    for_each_vector<V>(columns, [&](auto io, std::int64_t c) {
      io.store(io.load(row + c) * V::load(factors + c), row + c);
    });
  }
}

template <typename T, typename A>
void softmax_columns_kernel(const T* x, T* out, std::int64_t row_stride, std::int64_t rows,
                            std::int64_t columns) {
  using V = Vec<T, A>;
  constexpr std::int64_t width = StripSums<V>::width;
  if (rows == 0) return;
  for (std::int64_t c = 0; c < columns; c += width) {
    const std::int64_t in_strip = columns - c < width ? columns - c : width;
    softmax_strip<V>(x + c, out + c, row_stride, rows, in_strip);
  }
}

}  // namespace
}  // namespace wick::kernels
