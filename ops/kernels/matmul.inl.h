#pragma once

#include <cstdint>

#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// out is cut into panels of one or two vectors of columns, a panel into tiles of a few rows. A tile's
// elements stay in registers while k runs. Neither cut shows in the bits: an element is one chain of
// multiply-adds in the order of k, in whichever lane, tile or panel it falls.

/// k runs in blocks so that a copied panel of b fits on the stack and in the nearest cache. Between blocks
/// the chains wait in out, where they lose nothing, so that this length does not show in the bits either.
constexpr std::int64_t block_depth = 256;

/// The rest of a matrix, from element (i, j) on.
template <typename T>
WICK_INLINE Matrix<T> rest_of(Matrix<T> matrix, std::int64_t i, std::int64_t j) {
  return {matrix.data + i * matrix.row_stride + j * matrix.column_stride, matrix.row_stride,
          matrix.column_stride};
}

/// One tile over one block of k. The last vector of each row goes to memory through `last` (Whole or Part),
/// for the panel may end inside it; all others are whole. b needs whole vectors throughout: see copy_panel.
template <typename V, int rows, int vectors, typename Last, typename T>
void matmul_tile(std::int64_t depth, Matrix<T> a, const T* b, std::int64_t b_row_stride, T* out,
                 std::int64_t out_row_stride, bool continues, Last last) {
  V sums[rows][vectors];
  const auto each = [](auto step) __attribute__((always_inline)) {
    repeat<rows>([&](auto row) __attribute__((always_inline)) {
      repeat<vectors>([&](auto vector) __attribute__((always_inline)) { step(row, vector); });
    });
  };
  each([&](auto row, auto vector) __attribute__((always_inline)) {
    const T* from = out + row * out_row_stride + vector * V::lanes;
    if (!continues) {
      sums[row][vector] = V::zero();
    } else if constexpr (vector + 1 == vectors) {
      sums[row][vector] = last.load(from);
    } else {
      sums[row][vector] = V::load(from);
    }
  });

  const T* column_of_a = a.data;
  for (std::int64_t k = 0; k < depth; ++k, column_of_a += a.column_stride, b += b_row_stride) {
    V row_of_b[vectors];
    repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
      row_of_b[vector] = V::load(b + vector * V::lanes);
    });
    repeat<rows>([&](auto row) __attribute__((always_inline)) {
      const V element = V::broadcast(column_of_a[row * a.row_stride]);
      repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
        sums[row][vector] = mul_add(element, row_of_b[vector], sums[row][vector]);
      });
    });
  }

  each([&](auto row, auto vector) __attribute__((always_inline)) {
    T* to = out + row * out_row_stride + vector * V::lanes;
    if constexpr (vector + 1 == vectors) {
      last.store(sums[row][vector], to);
    } else {
      sums[row][vector].store(to);
    }
  });
}

/// All rows of a panel: as many tiles of `rows` as there are, then the rest in smaller ones.
template <typename V, int rows, int vectors, typename Last, typename T>
void matmul_rows(std::int64_t M, std::int64_t depth, Matrix<T> a, const T* b, std::int64_t b_row_stride,
                 T* out, std::int64_t out_row_stride, bool continues, Last last) {
  std::int64_t i = 0;
  for (; M - i >= rows; i += rows) {
    matmul_tile<V, rows, vectors>(depth, rest_of(a, i, 0), b, b_row_stride, out + i * out_row_stride,
                                  out_row_stride, continues, last);
  }
  if constexpr (rows > 1) {
    if (i < M) {
      matmul_rows<V, rows / 2, vectors>(M - i, depth, rest_of(a, i, 0), b, b_row_stride,
                                        out + i * out_row_stride, out_row_stride, continues, last);
    }
  }
}

/// Copies `depth` rows of `columns` columns of b next to each other, whatever its strides are, each row
/// filled up with zeros to whole vectors. What the filling yields is never stored.
template <typename V, int vectors, typename T>
void copy_panel(std::int64_t depth, std::int64_t columns, Matrix<T> b, T* panel) {
  constexpr std::int64_t width = vectors * V::lanes;
  if (b.column_stride == 1) {
    for (std::int64_t k = 0; k < depth; ++k, panel += width) {
      const T* row = b.data + k * b.row_stride;
      for_each_vector<V>(columns, [=](auto io, std::int64_t j) { io.load(row + j).store(panel + j); });
    }
    return;
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const T* column = b.data + j * b.column_stride;
    for (std::int64_t k = 0; k < depth; ++k) panel[k * width + j] = column[k * b.row_stride];
  }
  for (std::int64_t k = 0; k < depth; ++k) {
    for (std::int64_t j = columns; j < width; ++j) panel[k * width + j] = T(0);
  }
}

/// One block of k in one panel of at most `vectors` vectors of columns.
template <typename V, int tile_rows, int vectors, typename T>
void matmul_panel(std::int64_t M, std::int64_t columns, std::int64_t depth, Matrix<T> a, Matrix<T> b, T* out,
                  std::int64_t out_row_stride, bool continues) {
  constexpr std::int64_t width = vectors * V::lanes;
  if (columns == width && b.column_stride == 1) {
    matmul_rows<V, tile_rows, vectors>(M, depth, a, b.data, b.row_stride, out, out_row_stride, continues,
                                       Whole<V>{});
    return;
  }
  alignas(64) T panel[block_depth * width];
  copy_panel<V, vectors>(depth, columns, b, panel);
  if (columns == width) {
    matmul_rows<V, tile_rows, vectors>(M, depth, a, panel, width, out, out_row_stride, continues, Whole<V>{});
  } else if constexpr (V::lanes > 1) {
    const Part<V> last{static_cast<int>(columns - (vectors - 1) * V::lanes)};
    matmul_rows<V, tile_rows, vectors>(M, depth, a, panel, width, out, out_row_stride, continues, last);
  }
}

template <typename T, typename A>
void matmul_kernel(std::int64_t M, std::int64_t N, std::int64_t K, Matrix<T> a, Matrix<T> b, T* out,
                   std::int64_t out_row_stride) {
  using V = Vec<T, A>;
  constexpr int tile_rows = Lanes<T, A>::tile_rows;
  constexpr std::int64_t width = 2 * V::lanes;
  if (K == 0) {
    for (std::int64_t i = 0; i < M; ++i) {
      for (std::int64_t j = 0; j < N; ++j) out[i * out_row_stride + j] = T(0);
    }
    return;
  }
  if (M == 0) return;
  for (std::int64_t k = 0; k < K; k += block_depth) {
    const std::int64_t depth = K - k < block_depth ? K - k : block_depth;
    const Matrix<T> a_block = rest_of(a, 0, k);
    for (std::int64_t j = 0; j < N; j += width) {
      const std::int64_t columns = N - j < width ? N - j : width;
      const Matrix<T> b_block = rest_of(b, k, j);
      if (columns > V::lanes) {
        matmul_panel<V, tile_rows, 2>(M, columns, depth, a_block, b_block, out + j, out_row_stride, k > 0);
      } else {
        matmul_panel<V, tile_rows, 1>(M, columns, depth, a_block, b_block, out + j, out_row_stride, k > 0);
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
