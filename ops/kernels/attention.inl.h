#pragma once

#include <cstdint>

#include <wick/ops/kernels/attention_hidden.inl.h>
#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/panels.inl.h>
#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// Attention without its (Tq, Tk) scores in memory: keys come in tiles, and each row carries a shift near the
// largest score and the sum of exponentials that it has seen so far (Milakov & Gimelshein, Online normalizer
// calculation for softmax, 2018; Dao et al., FlashAttention, 2022). Tiles begin at multiples of key_tile from
// key 0 on, for whatever rows, so a row goes through the same arithmetic alone as among others, and whatever
// keys follow that it does not see.

/// Keys of a tile. The scores of a query_tile by so many keys are written, turned into weights and read while
/// they are in the first-level cache (32 KiB or more): 28 KiB of float with AVX-512 (56 rows), 12 KiB with
/// AVX2 (24 rows). Those of double take twice that, with AVX-512 more than that cache.
constexpr std::int64_t key_tile = 128;

/// Queries that go through the keys together: four register tiles, so that a tile of packed keys and values,
/// 16 KiB each where hs is 32, is read from the second-level cache once for all of them.
template <typename T, typename A>
constexpr std::int64_t query_tile = 4 * tile_rows<T, A, 2>;

/// What one row has seen so far.
template <typename V>
struct SeenSoFar {
  typename V::Element shift;  ///< taken off every score: about the largest one; -inf where there was none
  V sum;                      ///< of exp(score - shift), key i in lane i mod lanes
  bool any;                   ///< whether a key was not blocked
};

/// How far a later score may stand above the shift before that follows. Weights of up to e^4 lose nothing,
/// and a shift that stays where it is saves a row the work, and the processor a branch that it can hardly
/// foresee.
template <typename T>
constexpr T slack = 4;

/// The largest of n scores that are not NaN, -inf where there is none: a NaN will show in the sum.
template <typename V, typename T>
WICK_INLINE T largest_score(const T* scores, std::int64_t n) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  V largest = V::broadcast(lowest);
  for_each_vector<V>(
      n, [&](auto io, std::int64_t j) { largest = larger(io.load(scores + j, lowest), largest); });
  return largest.largest_of_lanes().first();
}

/// Lets a row meet n scores more. Where they stand well above its shift, this moves to the largest of them,
/// and the row's sum and its row of out, which hold the part of the earlier tiles, move along; `out` is null
/// in the first tile.
template <typename V, typename T>
WICK_INLINE void meet_scores(const T* scores, std::int64_t n, SeenSoFar<V>& seen, T* out, std::int64_t vs) {
  const T before = seen.shift;
  const T largest = largest_score<V>(scores, n);
  if (!(before + slack<T> < largest)) return;
  seen.shift = largest;
  if (out == nullptr) return;
  const V factor = exp(V::broadcast(before) - V::broadcast(largest));
  seen.sum = seen.sum * factor;
  for_each_vector<V>(vs, [=](auto io, std::int64_t j) { io.store(io.load(out + j) * factor, out + j); });
}

/// The shift as a number: 0 for -inf, since -inf - -inf is NaN.
template <typename T>
WICK_INLINE T finite_shift(T shift) {
  return shift == static_cast<T>(-__builtin_inf()) ? T(0) : shift;
}

/// Turns n scores of a row into their weights, exp(score - shift), and adds these to its sum. Those behind,
/// up to `keys`, become 0. Whole vectors are written.
template <typename V, typename T>
WICK_INLINE void weigh(T* scores, std::int64_t n, std::int64_t keys, SeenSoFar<V>& seen) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  const V shift = V::broadcast(finite_shift(seen.shift));
  V sum = V::zero();
  for_each_vector<V>(n, [&](auto io, std::int64_t j) {
    const V weight = exp(io.load(scores + j, lowest) - shift);
    weight.store(scores + j);
    sum = sum + weight;
  });
  seen.sum = seen.sum + sum;
  for (std::int64_t j = whole_vectors<V>(n); j < keys; j += V::lanes) V::zero().store(scores + j);
}

/// The keys and values of one head as attention() reads them.
template <typename T>
struct PackedHead {
  Panels<T> keys;    ///< (hs, Tk), transposed
  Panels<T> values;  ///< (Tk, vs)
};

template <typename V, typename T>
PackedHead<T> packed_head(const AttentionHead<T>& head, const T* packed) {
  return {packed_panels<V>(head.hs, head.Tk, packed),
          lies_in_panels<V>(head.vs, head.value)
              ? panels_of<V>(head.value)
              : packed_panels<V>(head.Tk, head.vs, packed + packed_size<V>(head.hs, head.Tk))};
}

template <typename T, typename A>
std::int64_t attention_pack_size_kernel(std::int64_t Tk, std::int64_t hs, std::int64_t vs) {
  using V = Vec<T, A>;
  return packed_size<V>(hs, Tk) + packed_size<V>(Tk, vs);
}

template <typename T, typename A>
void attention_pack_kernel(const AttentionHead<T>& head, T* packed) {
  using V = Vec<T, A>;
  pack_panels<V>(head.hs, head.Tk, transposed(head.key), packed);
  if (!lies_in_panels<V>(head.vs, head.value)) {
    pack_panels<V>(head.Tk, head.vs, head.value, packed + packed_size<V>(head.hs, head.Tk));
  }
}

/// One tile of keys for queries i … i + rows - 1: their part of out is written or added to.
template <typename T, typename A>
void attention_tile(const AttentionHead<T>& head, const PackedHead<T>& packed, std::int64_t i,
                    std::int64_t rows, std::int64_t first_key, T* scores, SeenSoFar<Vec<T, A>>* seen,
                    MutableMatrix<T> out) {
  using V = Vec<T, A>;
  const std::int64_t left = head.Tk - first_key;
  const std::int64_t keys = visible_keys(head, i + rows - 1, first_key, left < key_tile ? left : key_tile);
  if (keys == 0) return;
  const bool is_first = first_key == 0;
  if (adds_nothing<V>(head, i, rows, first_key, keys)) {
    if (is_first) set_to_zero(out, rows, head.vs);
    return;
  }
  multiply_panels<T, A>(rows, whole_vectors<V>(keys), head.hs, submatrix(head.query, i, 0),
                        from_column<V>(packed.keys, first_key), scores, key_tile, false, head.scale);
  // All maxima first: one row's exponentials would have to wait for its own, but not for those of others.
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t n = visible_keys(head, i + row, first_key, keys);
    if (head.blocked.data != nullptr) {
      const Matrix<bool> blocked = submatrix(head.blocked, i + row, first_key);
      seen[row].any |= hide_blocked<V>(scores + row * key_tile, n, blocked.data, blocked.column_stride);
    }
    meet_scores<V>(scores + row * key_tile, n, seen[row],
                   is_first ? nullptr : out.data + row * out.row_stride, head.vs);
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t n = visible_keys(head, i + row, first_key, keys);
    weigh<V>(scores + row * key_tile, n, keys, seen[row]);
  }
  multiply_panels<T, A>(rows, head.vs, keys, {scores, key_tile, 1}, from_row(packed.values, first_key),
                        out.data, out.row_stride, !is_first);
}

/// The mean of all values, for a row that sees no key. `weights` is memory for key_tile numbers.
template <typename T, typename A>
void mean_of_values(const AttentionHead<T>& head, const PackedHead<T>& packed, T* weights, T* out) {
  for (std::int64_t j = 0; j < head.vs; ++j) out[j] = T(0);
  for (std::int64_t j = 0; j < key_tile; ++j) weights[j] = T(1) / static_cast<T>(head.Tk);
  for (std::int64_t key = 0; key < head.Tk; key += key_tile) {
    const std::int64_t keys = head.Tk - key < key_tile ? head.Tk - key : key_tile;
    multiply_panels<T, A>(1, head.vs, keys, {weights, key_tile, 1}, from_row(packed.values, key), out,
                          head.vs, true);
  }
}

/// A row's part of out over its sum, which is returned. Adding 0 makes 0 of -0, which else would tell of keys
/// with weight 0.
template <typename V, typename T>
WICK_INLINE T normalize_row(const SeenSoFar<V>& seen, T* out, std::int64_t vs) {
  T sum = seen.sum.hsum();
  if (sum == 0) sum = static_cast<T>(__builtin_nan(""));  // all scores are -inf
  const V share = V::broadcast(T(1) / sum);
  for_each_vector<V>(
      vs, [=](auto io, std::int64_t j) { io.store(mul_add(io.load(out + j), share, V::zero()), out + j); });
  return sum;
}

template <typename T, typename A>
void attention_kernel(const AttentionHead<T>& head, const T* packed, std::int64_t first, std::int64_t end,
                      MutableMatrix<T> out, AttentionRows<T> rows) {
  using V = Vec<T, A>;
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  constexpr std::int64_t most_rows = query_tile<T, A>;
  const PackedHead<T> panels = packed_head<V>(head, packed);
  alignas(64) T scores[most_rows * key_tile];
  SeenSoFar<V> seen[most_rows];
  const T* mean = nullptr;  // of all values, once a row has needed it
  for (std::int64_t i = first; i < end; i += most_rows) {
    const std::int64_t count = end - i < most_rows ? end - i : most_rows;
    for (std::int64_t row = 0; row < count; ++row) {
      seen[row] = {lowest, V::zero(), head.blocked.data == nullptr && head.Tk > 0};
    }
    for (std::int64_t key = 0; key < head.Tk; key += key_tile) {
      const std::int64_t keys = head.Tk - key < key_tile ? head.Tk - key : key_tile;
      // Where causality cuts through the tile, a few rows at a time, so that little is computed in vain.
      const bool is_whole = visible_keys(head, i, key, keys) == keys;
      const std::int64_t step = is_whole ? count : tile_rows<T, A, 2>;
      for (std::int64_t row = 0; row < count; row += step) {
        attention_tile<T, A>(head, panels, i + row, count - row < step ? count - row : step, key,
                             scores + row * key_tile, seen + row, from_row(out, i + row));
      }
    }
    for (std::int64_t row = 0; row < count; ++row) {
      T* out_row = from_row(out, i + row).data;
      T sum = 0;
      if (seen[row].any) {
        sum = normalize_row(seen[row], out_row, head.vs);
      } else if (mean == nullptr) {
        mean_of_values<T, A>(head, panels, scores, out_row);
        mean = out_row;
      } else {
        for (std::int64_t j = 0; j < head.vs; ++j) out_row[j] = mean[j];
      }
      if (rows.shift == nullptr) continue;
      rows.shift[i + row] = seen[row].shift;
      rows.sum[i + row] = sum;
    }
  }
}

}  // namespace
}  // namespace wick::kernels
