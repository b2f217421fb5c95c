#pragma once

// The register tile of a matrix product: a few rows by a few vectors of out, whose sums stay in registers
// while k runs.

#include <cstdint>

#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// The most rows of a tile that is so many vectors wide. Registers hold the sums, one row of b, an element of
/// a and, where nothing fuses, two products: 14 × 2, 9 × 3 and 6 × 4 of AVX-512's 32, 6 × 2 of AVX2's 16.
/// More than 14 rows would gain nothing: with 8 sums the multipliers (2, with a latency of 4 cycles) never
/// wait.
template <typename T, typename A, int vectors>
constexpr int tile_rows = [] {
  constexpr int others = vectors + 1 + (Lanes<T, A>::fuses ? 0 : 2);
  constexpr int rows = (Lanes<T, A>::registers - others) / vectors;
  return rows < 14 ? rows : 14;
}();

/// Rows of memory that will be wanted soon, `stride` bytes apart, so far that the processor does not foresee
/// them. To ask for one does no harm behind the end of what there is, however far: hence addresses.
struct RowsAhead {
  std::uintptr_t next = 0;
  std::int64_t stride = 0;
  std::int64_t count = 0;
};

/// What surrounds the multiply-adds over one block of k: where the sums start, what becomes of them, and what
/// is wanted afterwards.
template <typename T>
struct Ends {
  int last_lanes;           ///< of the last vector of a row, those that exist
  bool continues = false;   ///< the sums go on from what stands in out
  T factor = 1;             ///< each sum is multiplied by this,
  const T* bias = nullptr;  ///< then its column's number is added, where there are such
  RowsAhead out = {};       ///< of the next tile, to be written
  RowsAhead b = {};         ///< of the next panel, to be copied
};

/// The same value, of which the compiler then knows nothing. Else it works out the address of every row
/// before the loop, and they are more than there are registers.
template <typename Value>
WICK_INLINE Value opaque(Value value) {
  asm("" : "+r"(value));
  return value;
}

/// Asks for the next of the rows, if one is left. What will be written comes to the first-level cache, what
/// will be read somewhat later to the second.
template <int bytes, bool writes>
WICK_INLINE void ask_for_one(RowsAhead& rows) {
  if (rows.count <= 0) return;
  repeat<(bytes + 63) / 64>([&](auto line) __attribute__((always_inline)) {
    __builtin_prefetch(reinterpret_cast<const void*>(rows.next + line * 64), writes, writes ? 3 : 2);
  });
  rows.next += static_cast<std::uintptr_t>(rows.stride);
  --rows.count;
}

/// After so many k a tile asks for a row of each kind ahead. All at once they would keep the processor's few
/// buffers for lines under way from a, which comes from the second-level cache meanwhile (512³ took 4 %
/// longer).
constexpr std::int64_t asking_depth = 8;

/// A tile of fewer k is too short to hide that out comes from far away,
constexpr std::int64_t least_asking_depth = 64;

/// and an out that spans less is near: half of a second-level cache of 1 MiB.
constexpr std::int64_t least_far_bytes = std::int64_t{512} * 1024;

/// out (rows, vectors * lanes) from a (rows, depth) and b (depth, vectors * lanes), whose rows are
/// contiguous. The last vector of b is read as far as out goes (`reads_partly`), or as a whole: in a copied
/// panel there is something behind it, which is never stored.
///
/// The loop over k does nothing but rows * vectors multiply-adds, rows broadcasts and `vectors` loads, and so
/// keeps the multipliers busy: it counts with three instructions, since more would compete with the
/// multiply-adds for their ports.
template <typename V, int rows, int vectors, bool reads_partly, typename T>
void matmul_tile(std::int64_t depth, const Matrix<T>& a, const T* b, std::int64_t b_row_stride, T* out,
                 std::int64_t out_row_stride, const Ends<T>& ends) {
  constexpr int lanes = V::lanes;
  const int last_lanes = ends.last_lanes;
  const auto load = [&](const T* row, auto vector) __attribute__((always_inline)) {
    if constexpr (vector + 1 == vectors && lanes > 1) {
      if (last_lanes < lanes) return V::load_partial(row + vector * lanes, last_lanes);
    }
    return V::load(row + vector * lanes);
  };

  V sums[rows][vectors];
  if (ends.continues) {
    const T* from = out;
    repeat<rows>([&](auto row) __attribute__((always_inline)) {
      repeat<vectors>([&](auto vector)
                          __attribute__((always_inline)) { sums[row][vector] = load(from, vector); });
      from = opaque(from + out_row_stride);
    });
  } else {
    repeat<rows>([&](auto row) __attribute__((always_inline)) {
      repeat<vectors>([&](auto vector) __attribute__((always_inline)) { sums[row][vector] = V::zero(); });
    });
  }

  // All rows of a are reached from one pointer, the only one to move: row 12, say, is 3 strides * 4 away,
  // where an instruction multiplies by 1, 2, 4 or 8 by itself, so that odd multiples of the stride are all it
  // takes.
  constexpr int odd_multiples = (rows + 1) / 2;
  const std::int64_t row_bytes = a.row_stride * static_cast<std::int64_t>(sizeof(T));
  std::int64_t strides[odd_multiples];
  repeat<odd_multiples>([&](auto i)
                            __attribute__((always_inline)) { strides[i] = opaque((2 * i + 1) * row_bytes); });
  const auto* column_of_a = reinterpret_cast<const char*>(a.data);
  const std::int64_t column_bytes = a.column_stride * static_cast<std::int64_t>(sizeof(T));
  const auto multiply = [&](std::int64_t count) __attribute__((always_inline)) {
    for (std::int64_t k = 0; k < count; ++k) {
      V row_of_b[vectors];
      repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
        if constexpr (reads_partly && vector + 1 == vectors) {
          row_of_b[vector] = V::load_partial(b + vector * lanes, last_lanes);
        } else {
          row_of_b[vector] = V::load(b + vector * lanes);
        }
      });
      repeat<rows>([&](auto row) __attribute__((always_inline)) {
        constexpr int power_of_two = row & -row;
        std::int64_t distance = 0;
        if constexpr (row > 0) distance = strides[row / power_of_two / 2] * power_of_two;
        const V element = V::broadcast(*reinterpret_cast<const T*>(column_of_a + distance));
        repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
          sums[row][vector] = mul_add(element, row_of_b[vector], sums[row][vector]);
        });
      });
      column_of_a = opaque(column_of_a + column_bytes);
      b = opaque(b + b_row_stride);
    }
  };
  std::int64_t left = depth;
  // A single vector is all of a narrow matrix, or the rest of another: that waits for little.
  if constexpr (vectors > 1) {
    constexpr int width_bytes = vectors * lanes * static_cast<int>(sizeof(T));
    RowsAhead of_out = ends.out;
    RowsAhead of_b = ends.b;
    for (; left > asking_depth && (of_out.count > 0 || of_b.count > 0); left -= asking_depth) {
      multiply(asking_depth);
      ask_for_one<width_bytes, true>(of_out);
      ask_for_one<width_bytes, false>(of_b);
    }
  }
  multiply(left);

  if (ends.factor != T(1)) {
    const V factor = V::broadcast(ends.factor);
    repeat<rows>([&](auto row) __attribute__((always_inline)) {
      repeat<vectors>([&](auto vector)
                          __attribute__((always_inline)) { sums[row][vector] = sums[row][vector] * factor; });
    });
  }
  if (ends.bias != nullptr) {
    repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
      const V bias = load(ends.bias, vector);
      repeat<rows>([&](auto row)
                       __attribute__((always_inline)) { sums[row][vector] = sums[row][vector] + bias; });
    });
  }
  repeat<rows>([&](auto row) __attribute__((always_inline)) {
    repeat<vectors>([&](auto vector) __attribute__((always_inline)) {
      if constexpr (vector + 1 == vectors && lanes > 1) {
        if (last_lanes < lanes) {
          return sums[row][vector].store_partial(out + vector * lanes, last_lanes);
        }
      }
      sums[row][vector].store(out + vector * lanes);
    });
    out = opaque(out + out_row_stride);
  });
}

template <typename T>
using Tile = void (*)(std::int64_t depth, const Matrix<T>& a, const T* b, std::int64_t b_row_stride, T* out,
                      std::int64_t out_row_stride, const Ends<T>& ends);

template <int count, typename T>
struct Tiles {
  Tile<T> of_rows[count];
};

template <typename V, int vectors, bool reads_partly, typename T, int... i>
constexpr Tiles<sizeof...(i), T> make_tiles(std::integer_sequence<int, i...>) {
  return {{matmul_tile<V, i + 1, vectors, reads_partly, T>...}};
}

/// Tiles of 1, 2 … tile_rows rows.
template <typename V, int tile_rows, int vectors, bool reads_partly, typename T>
constexpr Tiles<tile_rows, T> all_tiles =
    make_tiles<V, vectors, reads_partly, T>(std::make_integer_sequence<int, tile_rows>{});

WICK_INLINE std::uintptr_t address_of(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }

/// More rows than one tile holds, in equal ones: 64 rows are 13, 13, 13, 13 and 12 where a tile holds up to
/// 14, since a small rest would leave the multipliers waiting for its few sums.
template <typename V, int vectors, typename T>
__attribute__((noinline)) void matmul_equal_tiles(const Tile<T>* of_rows, std::int64_t most, std::int64_t M,
                                                  std::int64_t depth, Matrix<T> a, const T* b,
                                                  std::int64_t b_row_stride, T* out,
                                                  std::int64_t out_row_stride, const Ends<T>& ends) {
  const std::int64_t count = (M + most - 1) / most;
  const std::int64_t fewest = M / count;
  const std::int64_t with_one_more = M % count;
  const std::int64_t out_row_bytes = out_row_stride * static_cast<std::int64_t>(sizeof(T));
  const bool out_is_far = depth >= least_asking_depth && M * out_row_bytes >= least_far_bytes;
  Ends<T> of_tile = ends;
  for (std::int64_t tile = 0; tile < count; ++tile) {
    const std::int64_t rows = fewest + (tile < with_one_more ? 1 : 0);
    if (out_is_far) {
      of_tile.out = {.next = address_of(out + rows * out_row_stride),
                     .stride = out_row_bytes,
                     .count = tile + 1 < count ? fewest : 0};
    }
    if (ends.b.count > 0) {  // a part of it with every tile
      const std::int64_t first = tile * ends.b.count / count;
      of_tile.b.next = ends.b.next + static_cast<std::uintptr_t>(first * ends.b.stride);
      of_tile.b.count = (tile + 1) * ends.b.count / count - first;
    }
    of_rows[rows - 1](depth, a, b, b_row_stride, out, out_row_stride, of_tile);
    a.data += rows * a.row_stride;
    out += rows * out_row_stride;
  }
}

/// out (M, vectors * lanes), M > 0, as matmul_tile() says.
template <typename V, int tile_rows, int vectors, bool reads_partly, typename T>
WICK_INLINE void matmul_rows(std::int64_t M, std::int64_t depth, const Matrix<T>& a, const T* b,
                             std::int64_t b_row_stride, T* out, std::int64_t out_row_stride,
                             const Ends<T>& ends) {
  constexpr const Tile<T>* of_rows = all_tiles<V, tile_rows, vectors, reads_partly, T>.of_rows;
  if (M <= tile_rows) return of_rows[M - 1](depth, a, b, b_row_stride, out, out_row_stride, ends);
  matmul_equal_tiles<V, vectors>(of_rows, tile_rows, M, depth, a, b, b_row_stride, out, out_row_stride, ends);
}

}  // namespace
}  // namespace wick::kernels
