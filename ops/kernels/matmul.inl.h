#pragma once

// The matrix product: register tiles (matmul_tile.inl.h) over panels of columns, over blocks of k and, in
// large products, of rows. None of these cuts shows in the bits: an element is one chain of multiply-adds in
// the order of k, in whichever lane, tile or panel it falls, and between blocks of k the chains wait in out,
// where they lose nothing. So the sizes below are free to follow the machine.

#include <cstdint>

#include <wick/ops/kernels/matmul_tile.inl.h>
#include <wick/ops/kernels/transpose.inl.h>

namespace wick::kernels {
namespace {

/// The most k of one block: a panel of b, two vectors wide, takes 32 KiB with AVX-512 and stays in the
/// first-level cache (48 KiB from Ice Lake and Zen 5 on) or close behind it; narrower sets take less.
constexpr std::int64_t block_depth = 256;

/// The most bytes of a's block of rows, copied to stand close together: what fits in the second-level cache
/// of processors with AVX-512 (1 MiB and up), b's panels and out beside it. b is copied once for each block,
/// so that larger is better. Where that cache is smaller (256 or 512 KiB beside some processors' AVX2), the
/// block is read from the third level, once for each panel of b; not measured there.
constexpr std::int64_t block_bytes = std::int64_t{640} * 1024;

/// What a must take at least to be copied: less of it stays in the second-level cache by itself.
constexpr std::int64_t least_copied_bytes = std::int64_t{128} * 1024;

/// Up to this many tiles of rows, b is read where it is. A copied panel is nearer, but the copy takes as long
/// as some ten rows of the product, and what a tile waits for b is hidden behind its multiply-adds until b
/// comes from far away (256³ took 5 % longer with copies, 512³ 6 % longer without).
constexpr std::int64_t tiles_without_copy = 24;

/// Up to this many rows take the widest panels: in narrower ones they are too few sums to keep the
/// multipliers busy.
constexpr std::int64_t few_rows = 3;

WICK_INLINE std::int64_t smaller_of(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

/// The longest of the equal parts that `whole` is cut into, none above `most`.
WICK_INLINE std::int64_t equal_part(std::int64_t whole, std::int64_t most) {
  if (whole <= most) return whole;
  const std::int64_t parts = (whole + most - 1) / most;
  return (whole + parts - 1) / parts;
}

/// How many vectors wide the panels of an (M, N) product are: all of it where that is narrow enough or the
/// rows are few, else two, with the most rows to a tile.
template <typename T, typename A>
WICK_INLINE int panel_vectors(std::int64_t M, std::int64_t N) {
  constexpr std::int64_t lanes = Vec<T, A>::lanes;
  constexpr int widest = Lanes<T, A>::widest_panel;
  if (N <= widest * lanes) return static_cast<int>((N + lanes - 1) / lanes);
  return M <= few_rows ? widest : 2;
}

/// (M, columns) of out, from a panel of b that is copied first.
template <typename T, typename A, int vectors>
__attribute__((noinline)) void multiply_by_copied_panel(std::int64_t M, std::int64_t columns,
                                                        std::int64_t depth, const Matrix<T>& a,
                                                        const Matrix<T>& b, T* out,
                                                        std::int64_t out_row_stride, Ends<T> ends) {
  using V = Vec<T, A>;
  constexpr std::int64_t width = vectors * V::lanes;
  if (b.column_stride == 1) {
    constexpr std::int64_t size = sizeof(T);
    ends.b = {.next = address_of(b.data) + width * size, .stride = b.row_stride * size, .count = depth};
  }
  alignas(64) T panel[block_depth * width];
  copy_to_rows<V>(depth, columns, b, panel, width);
  matmul_rows<V, tile_rows<T, A, vectors>, vectors, Lanes<T, A>::masks_cost_nothing>(
      M, depth, a, panel, width, out, out_row_stride, ends);
}

/// (M, columns) of out; columns fill `vectors` vectors but for a part of the last.
template <typename T, typename A, int vectors>
WICK_INLINE void multiply_panel(std::int64_t M, std::int64_t columns, std::int64_t depth, const Matrix<T>& a,
                                const Matrix<T>& b, T* out, std::int64_t out_row_stride, Ends<T>& ends) {
  using V = Vec<T, A>;
  constexpr int rows = tile_rows<T, A, vectors>;
  constexpr bool masks_cost_nothing = Lanes<T, A>::masks_cost_nothing;
  ends.last_lanes = static_cast<int>(columns - (vectors - 1) * V::lanes);
  if (b.column_stride == 1 && M <= tiles_without_copy * rows) {
    if (masks_cost_nothing || ends.last_lanes == V::lanes) {
      return matmul_rows<V, rows, vectors, masks_cost_nothing>(M, depth, a, b.data, b.row_stride, out,
                                                               out_row_stride, ends);
    }
    if constexpr (Lanes<T, A>::has_masks) {
      return matmul_rows<V, rows, vectors, true>(M, depth, a, b.data, b.row_stride, out, out_row_stride,
                                                 ends);
    }
  }
  multiply_by_copied_panel<T, A, vectors>(M, columns, depth, a, b, out, out_row_stride, ends);
}

/// (M, N) of out over one block of k, in panels of `vectors` and a rest.
template <typename T, typename A>
WICK_INLINE void multiply_block(std::int64_t M, std::int64_t N, std::int64_t depth, int vectors,
                                const Matrix<T>& a, Matrix<T> b, T* out, std::int64_t out_row_stride,
                                Ends<T> ends) {
  constexpr std::int64_t lanes = Vec<T, A>::lanes;
  const std::int64_t width = vectors * lanes;
  for (std::int64_t j = 0; j < N; j += width) {
    const std::int64_t columns = smaller_of(N - j, width);
    const int wide = columns == width ? vectors : static_cast<int>((columns + lanes - 1) / lanes);
    if (wide == 1) multiply_panel<T, A, 1>(M, columns, depth, a, b, out, out_row_stride, ends);
    if (wide == 2) multiply_panel<T, A, 2>(M, columns, depth, a, b, out, out_row_stride, ends);
    if constexpr (Lanes<T, A>::widest_panel == 4) {
      if (wide == 3) multiply_panel<T, A, 3>(M, columns, depth, a, b, out, out_row_stride, ends);
      if (wide == 4) multiply_panel<T, A, 4>(M, columns, depth, a, b, out, out_row_stride, ends);
    }
    if (depth > 0) b.data += width * b.column_stride;  // it may be null where K is 0
    out += width;
    if (ends.bias != nullptr) ends.bias += width;
  }
}

/// How a's rows stand in the workspace: a cache line further apart than they are long, so that the rows of a
/// tile do not fall on the same few sets of the cache, as rows a power of two apart do.
template <typename T>
WICK_INLINE std::int64_t copied_stride(std::int64_t depth) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return (depth + line - 1) / line * line + line;
}

template <typename T>
WICK_INLINE std::int64_t copied_rows(std::int64_t M, std::int64_t depth) {
  return equal_part(M, block_bytes / static_cast<std::int64_t>(sizeof(T)) / copied_stride<T>(depth));
}

template <typename T, typename A>
std::int64_t matmul_workspace(std::int64_t M, std::int64_t N, std::int64_t K) {
  using V = Vec<T, A>;
  constexpr std::int64_t least = least_copied_bytes / sizeof(T);
  if (N <= Lanes<T, A>::widest_panel * V::lanes || M <= tiles_without_copy * tile_rows<T, A, 2> ||
      M < least / smaller_of(K + 1, least)) {
    return 0;
  }
  const std::int64_t depth = equal_part(K, block_depth);
  return copied_rows<T>(M, depth) * copied_stride<T>(depth);
}

template <typename T, typename A>
void matmul_kernel(const Product<T>& p) {
  using V = Vec<T, A>;
  if (p.M == 0 || p.N == 0) return;
  const int vectors = panel_vectors<T, A>(p.M, p.N);
  if constexpr (Lanes<T, A>::has_masks) {
    // A single tile, the head's daily bread: straight to it, for the rest of this function takes as long.
    if (vectors == 1 && p.M <= tile_rows<T, A, 1> && p.K <= block_depth && p.b.column_stride == 1) {
      const Ends<T> ends{.last_lanes = static_cast<int>(p.N), .factor = p.factor, .bias = p.bias};
      return matmul_rows<V, tile_rows<T, A, 1>, 1, true>(p.M, p.K, p.a, p.b.data, p.b.row_stride, p.out,
                                                         p.out_row_stride, ends);
    }
  }
  const std::int64_t longest = equal_part(p.K, block_depth);
  std::int64_t k = 0;
  do {  // once where K is 0
    const std::int64_t depth = smaller_of(p.K - k, longest);
    Ends<T> ends{.last_lanes = 0, .continues = k > 0};
    if (k + depth == p.K) {
      ends.factor = p.factor;
      ends.bias = p.bias;
    }
    const Matrix<T> a = submatrix(p.a, 0, k);
    const Matrix<T> b = submatrix(p.b, k, 0);
    if (p.workspace == nullptr) {
      multiply_block<T, A>(p.M, p.N, depth, vectors, a, b, p.out, p.out_row_stride, ends);
    } else {
      const std::int64_t stride = copied_stride<T>(longest);
      const std::int64_t most = copied_rows<T>(p.M, longest);
      for (std::int64_t i = 0; i < p.M; i += most) {
        const std::int64_t rows = smaller_of(p.M - i, most);
        copy_to_rows<V>(rows, depth, submatrix(a, i, 0), p.workspace, stride);
        multiply_block<T, A>(rows, p.N, depth, vectors, Matrix<T>{p.workspace, stride, 1}, b,
                             p.out + i * p.out_row_stride, p.out_row_stride, ends);
      }
    }
    k += depth;
  } while (k < p.K);
}

}  // namespace
}  // namespace wick::kernels
