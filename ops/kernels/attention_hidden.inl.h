#pragma once

#include <cstdint>

#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/transpose.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// What attention's queries do not see: keys behind them where it is causal, and keys that `blocked` hides. A
// key that a query does not see weighs exactly 0, so a tile of keys need not be computed for queries that all
// see nothing of it: adding 0 times a number changes nothing but -0, which becomes 0, and so all results get
// a 0 added in the end. 0 times NaN or infinity is NaN; a tile with such a number is computed, so that no row
// hangs on what its neighbours in a tile see.

/// How many of the `count` keys from `first_key` on query i sees, other masks aside.
template <typename T>
WICK_INLINE std::int64_t visible_keys(const AttentionHead<T>& head, std::int64_t i, std::int64_t first_key,
                                      std::int64_t count) {
  if (!head.causal) return count;
  const std::int64_t visible = i + head.Tk - head.Tq + 1 - first_key;
  return visible < 0 ? 0 : visible < count ? visible : count;
}

/// `value` in place of those of a row's n numbers that are blocked.
template <typename V, typename T>
void replace_blocked(T* numbers, std::int64_t n, const bool* blocked, std::int64_t step, T value) {
  if (step == 1) {
    const V values = V::broadcast(value);
    for_each_vector<V>(n, [=](auto io, std::int64_t j) {
      io.store(V::select(io.load_mask(blocked + j), values, io.load(numbers + j)), numbers + j);
    });
  } else {
    for (std::int64_t j = 0; j < n; ++j) numbers[j] = blocked[j * step] ? value : numbers[j];
  }
}

/// Without an early end, and as numbers, so that compilers take whole vectors where the step is 1.
WICK_INLINE bool all_true(const bool* values, std::int64_t n, std::int64_t step) {
  unsigned char all = 1;
  if (step == 1) {
    for (std::int64_t j = 0; j < n; ++j) all &= static_cast<unsigned char>(values[j]);
  } else {
    for (std::int64_t j = 0; j < n; ++j) all &= static_cast<unsigned char>(values[j * step]);
  }
  return all != 0;
}

/// -inf in place of blocked scores, so that they weigh 0. True where one is not blocked.
template <typename V, typename T>
bool hide_blocked(T* scores, std::int64_t n, const bool* blocked, std::int64_t step) {
  replace_blocked<V>(scores, n, blocked, step, static_cast<T>(-__builtin_inf()));
  return !all_true(blocked, n, step);
}

/// 0 in place of a row's weights and slopes for blocked keys, not 0 times what the row has, which may be NaN.
template <typename V, typename T>
void leave_out_blocked(T* weights, T* slopes, std::int64_t n, const bool* blocked, std::int64_t step) {
  replace_blocked<V>(weights, n, blocked, step, T(0));
  replace_blocked<V>(slopes, n, blocked, step, T(0));
}

/// Whether queries i … i + rows - 1 see none of the `keys` keys from first_key on, because of `blocked`.
template <typename T>
bool blocks_all(const AttentionHead<T>& head, std::int64_t i, std::int64_t rows, std::int64_t first_key,
                std::int64_t keys) {
  if (head.blocked.data == nullptr) return false;
  // Where all rows have one mask, the last one says it all: it sees as far as any.
  const std::int64_t first_row = head.blocked.row_stride == 0 ? rows - 1 : 0;
  for (std::int64_t row = first_row; row < rows; ++row) {
    const Matrix<bool> blocked = submatrix(head.blocked, i + row, first_key);
    if (!all_true(blocked.data, visible_keys(head, i + row, first_key, keys), blocked.column_stride))
      return false;
  }
  return true;
}

/// Whether no element of a (rows, columns) matrix is NaN or infinite: 0 times it is 0 then.
template <typename V, typename T>
bool is_finite(Matrix<T> matrix, std::int64_t rows, std::int64_t columns) {
  if (matrix.column_stride != 1 && matrix.row_stride == 1) {
    return is_finite<V>(transposed(matrix), columns, rows);
  }
  constexpr int chains = 4;  // so that additions need not wait for each other
  V sums[chains] = {V::zero(), V::zero(), V::zero(), V::zero()};
  T strided[chains] = {};
  for (std::int64_t i = 0; i < rows; ++i) {
    const T* const row = submatrix(matrix, i, 0).data;
    if (matrix.column_stride == 1) {
      for_each_chained<V, chains>(
          columns, [&](auto io, std::int64_t j, auto chain) __attribute__((always_inline)) {
            sums[chain] = mul_add(io.load(row + j), V::zero(), sums[chain]);
          });
    } else {
      for (std::int64_t j = 0; j < columns; ++j) strided[j % chains] += row[j * matrix.column_stride] * T(0);
    }
  }
  const V sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return sum.hsum() == 0 && (strided[0] + strided[1]) + (strided[2] + strided[3]) == 0;
}

/// Whether the `keys` keys from first_key on add nothing to the rows of queries i … i + rows - 1.
template <typename V, typename T>
bool adds_nothing(const AttentionHead<T>& head, std::int64_t i, std::int64_t rows, std::int64_t first_key,
                  std::int64_t keys) {
  return blocks_all(head, i, rows, first_key, keys) &&
         is_finite<V>(submatrix(head.value, first_key, 0), keys, head.vs);
}

/// Whether these keys and these queries add nothing to each other's gradients. (What rows that see no key at
/// all give to the values, add_gradients_of_means() does.)
template <typename V, typename T>
bool adds_no_gradients(const AttentionHead<T>& head, Matrix<T> gradient, std::int64_t i, std::int64_t rows,
                       std::int64_t first_key, std::int64_t keys) {
  return blocks_all(head, i, rows, first_key, keys) &&
         is_finite<V>(submatrix(head.query, i, 0), rows, head.hs) &&
         is_finite<V>(submatrix(head.key, first_key, 0), keys, head.hs) &&
         is_finite<V>(submatrix(gradient, i, 0), rows, head.vs);
}

}  // namespace
}  // namespace wick::kernels
