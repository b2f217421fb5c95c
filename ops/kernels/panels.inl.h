#pragma once

#include <cstdint>

#include <wick/ops/kernels/matmul_tile.inl.h>
#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/transpose.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// Products with a matrix that stays as it is for many of them: laid out for the register tiles once, then
// read where it lies. All that attention knows of the matrix product stands here.

/// A matrix cut into panels of two vectors of columns (the last one may have a single vector), whole vectors
/// throughout. Row k of panel p starts at data + p * panel_stride + k * row_stride.
template <typename T>
struct Panels {
  const T* data;
  std::int64_t row_stride;
  std::int64_t panel_stride;
};

template <typename V>
constexpr std::int64_t panel_width = 2 * V::lanes;

/// The columns that a packed panel has: no more than one vector where the whole matrix fits in one.
template <typename V>
constexpr std::int64_t packed_width(std::int64_t columns) {
  return columns <= V::lanes ? V::lanes : panel_width<V>;
}

/// Columns in whole vectors.
template <typename V>
constexpr std::int64_t whole_vectors(std::int64_t columns) {
  return (columns + V::lanes - 1) / V::lanes * V::lanes;
}

/// Elements that pack_panels() writes for `depth` rows of `columns`.
template <typename V>
constexpr std::int64_t packed_size(std::int64_t depth, std::int64_t columns) {
  const std::int64_t width = packed_width<V>(columns);
  return (columns + width - 1) / width * width * depth;
}

/// Where a matrix of `depth` rows lies that was packed into `memory`.
template <typename V, typename T>
Panels<T> packed_panels(std::int64_t depth, std::int64_t columns, const T* memory) {
  const std::int64_t width = packed_width<V>(columns);
  return {memory, width, width * depth};
}

/// Columns are filled up with zeros to whole vectors. Where the last panel needs one vector only, the place
/// of the other stays as it is, and is never read.
template <typename V, typename T>
void pack_panels(std::int64_t depth, std::int64_t columns, Matrix<T> matrix, T* memory) {
  const std::int64_t width = packed_width<V>(columns);
  for (std::int64_t j = 0; j < columns; j += width, memory += width * depth) {
    const std::int64_t count = columns - j < width ? columns - j : width;
    copy_to_rows<V>(depth, count, submatrix(matrix, 0, j), memory, width);
  }
}

/// True where the matrix can be read as panels without a copy.
template <typename V, typename T>
bool lies_in_panels(std::int64_t columns, Matrix<T> matrix) {
  return matrix.column_stride == 1 && columns % V::lanes == 0;
}

/// The matrix as it lies. Precondition: lies_in_panels().
template <typename V, typename T>
Panels<T> panels_of(Matrix<T> matrix) {
  return {matrix.data, matrix.row_stride, panel_width<V>};
}

/// The same panels from row k on.
template <typename T>
WICK_INLINE Panels<T> from_row(Panels<T> panels, std::int64_t k) {
  return {panels.data + k * panels.row_stride, panels.row_stride, panels.panel_stride};
}

/// The same panels from one of them on, that of `column`, which starts a panel.
template <typename V, typename T>
WICK_INLINE Panels<T> from_column(Panels<T> panels, std::int64_t column) {
  return {panels.data + column / panel_width<V> * panels.panel_stride, panels.row_stride,
          panels.panel_stride};
}

/// out (M, columns) = a (M, depth) @ b * factor, or, where it `continues`, += that product with factor 1.
/// Each element is one chain of multiply-adds in the order of depth, which goes on from what out holds. M >
/// 0.
template <typename T, typename A>
void multiply_panels(std::int64_t M, std::int64_t columns, std::int64_t depth, Matrix<T> a, Panels<T> b,
                     T* out, std::int64_t out_row_stride, bool continues, T factor = 1) {
  using V = Vec<T, A>;
  constexpr bool masks_cost_nothing =
      Lanes<T, A>::masks_cost_nothing;  // the tiles that the product uses, too
  Ends<T> ends{.last_lanes = V::lanes, .continues = continues, .factor = factor};
  for (std::int64_t left = columns; left > 0;
       left -= panel_width<V>, b.data += b.panel_stride, out += panel_width<V>) {
    if (left > V::lanes) {
      if (left < panel_width<V>) ends.last_lanes = static_cast<int>(left - V::lanes);
      matmul_rows<V, tile_rows<T, A, 2>, 2, masks_cost_nothing>(M, depth, a, b.data, b.row_stride, out,
                                                                out_row_stride, ends);
    } else {
      ends.last_lanes = static_cast<int>(left);
      matmul_rows<V, tile_rows<T, A, 1>, 1, masks_cost_nothing>(M, depth, a, b.data, b.row_stride, out,
                                                                out_row_stride, ends);
    }
  }
}

}  // namespace
}  // namespace wick::kernels
