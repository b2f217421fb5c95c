#pragma once

// Parts of matrices, transposing in registers, and copying a matrix of any layout into rows.

#include <cstdint>

#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// The part of a matrix from element (i, j) on.
template <typename T>
WICK_INLINE Matrix<T> submatrix(Matrix<T> matrix, std::int64_t i, std::int64_t j) {
  return {matrix.data + i * matrix.row_stride + j * matrix.column_stride, matrix.row_stride,
          matrix.column_stride};
}

template <typename T>
WICK_INLINE Matrix<T> transposed(Matrix<T> matrix) {
  return {matrix.data, matrix.column_stride, matrix.row_stride};
}

/// The rows from i on.
template <typename T>
WICK_INLINE MutableMatrix<T> from_row(MutableMatrix<T> matrix, std::int64_t i) {
  return {matrix.data + i * matrix.row_stride, matrix.row_stride};
}

template <typename T>
void set_to_zero(MutableMatrix<T> matrix, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) matrix.data[i * matrix.row_stride + j] = T(0);
  }
}

/// Transposes a square, `lanes` rows of one vector each. Zipping rows i and i + lanes/2 into rows 2i and 2i +
/// 1 is one stage of a perfect shuffle: the bits of (row, column), written side by side, rotate by one, and
/// log2(lanes) such rotations exchange row and column.
template <typename T, typename A>
WICK_INLINE void transpose_square(Vec<T, A>* rows) {
  using V = Vec<T, A>;
  constexpr int half = V::lanes / 2;
  for (int stage = 1; stage < V::lanes; stage *= 2) {
    V zipped[V::lanes];
    repeat<half>([&](auto i) __attribute__((always_inline)) {
      Zip<T, A>::both(rows[i].raw, rows[i + half].raw, zipped[2 * i].raw, zipped[2 * i + 1].raw);
    });
    repeat<V::lanes>([&](auto i) __attribute__((always_inline)) { rows[i] = zipped[i]; });
  }
}

/// Copies (rows, columns) of any layout to contiguous rows, `row_stride` apart, each filled up with zeros to
/// whole vectors.
template <typename V, typename T>
void copy_to_rows(std::int64_t rows, std::int64_t columns, Matrix<T> from, T* to, std::int64_t row_stride) {
  if (from.column_stride == 1) {
    for (std::int64_t i = 0; i < rows; ++i, to += row_stride) {
      const T* row = from.data + i * from.row_stride;
      for_each_vector<V>(columns, [=](auto io, std::int64_t j) { io.load(row + j).store(to + j); });
    }
    return;
  }
  if constexpr (V::lanes > 1) {
    if (from.row_stride == 1) {
      for (std::int64_t j = 0; j < columns; j += V::lanes) {
        for_each_vector<V>(rows, [&](auto io, std::int64_t i) {
          V square[V::lanes];
          if (columns - j >= V::lanes) {
            repeat<V::lanes>([&](auto lane) __attribute__((always_inline)) {
              square[lane] = io.load(from.data + i + (j + lane) * from.column_stride);
            });
          } else {
            repeat<V::lanes>([&](auto lane) __attribute__((always_inline)) {
              square[lane] =
                  j + lane < columns ? io.load(from.data + i + (j + lane) * from.column_stride) : V::zero();
            });
          }
          transpose_square(square);
          repeat<V::lanes>([&](auto lane) __attribute__((always_inline)) {
            if (i + lane < rows) square[lane].store(to + (i + lane) * row_stride + j);
          });
        });
      }
      return;
    }
  }
  const std::int64_t width = (columns + V::lanes - 1) / V::lanes * V::lanes;
  for (std::int64_t i = 0; i < rows; ++i, to += row_stride) {
    const T* row = from.data + i * from.row_stride;
    for (std::int64_t j = 0; j < columns; ++j) to[j] = row[j * from.column_stride];
    for (std::int64_t j = columns; j < width; ++j) to[j] = T(0);
  }
}

}  // namespace
}  // namespace wick::kernels
