#pragma once

#include <cstdint>

#include <wick/ops/kernels/attention.inl.h>

namespace wick::kernels {
namespace {

// With S the scores, P = softmax(S), dP = dO Vᵀ and D = rowsum(dO ∘ O) (Dao et al., FlashAttention, 2022,
// section 3.1 and appendix B.2):
//
//     dV = Pᵀ dO      dS = P ∘ (dP - D) scale      dQ = dS K      dK = dSᵀ Q
//
// P comes back tile by tile from S and each row's shift and sum. Tiles of keys go outside, so that a tile
// of dK and dV gathers all queries while it is near; dQ goes through the tiles of keys in their order. Every
// element is one chain of multiply-adds over the keys (dQ) or the queries (dK, dV), in their order.

/// Queries that meet a tile of keys together: P and dS of both types stay in the second-level cache.
constexpr std::int64_t backward_query_tile = 64;

/// The same where causality cuts through the tile of keys: fewer, so that little is computed in vain.
constexpr std::int64_t backward_diagonal_tile = 32;

/// Everything that one head's backward reads again and again, laid out for the register tiles.
template <typename T>
struct BackwardHead {
  Panels<T> keys_across;    ///< (hs, Tk)
  Panels<T> values_across;  ///< (vs, Tk)
  Panels<T> keys;           ///< (Tk, hs)
  Panels<T> queries;        ///< (Tq, hs)
  Panels<T> gradients;      ///< (Tq, vs)
  const T* row_products;    ///< (Tq): D
  T* weights;               ///< (backward_query_tile, key_tile): P
  T* slopes;                ///< (backward_query_tile, key_tile): dP, then dS
};

/// Memory handed out piece by piece.
template <typename T>
struct Workspace {
  T* next;
  T* take(std::int64_t size) {
    T* const taken = next;
    next += size;
    return taken;
  }
};

template <typename V, typename T>
Panels<T> panels_for(std::int64_t depth, std::int64_t columns, Matrix<T> matrix, Workspace<T>& workspace) {
  if (lies_in_panels<V>(columns, matrix)) return panels_of<V>(matrix);
  T* const memory = workspace.take(packed_size<V>(depth, columns));
  pack_panels<V>(depth, columns, matrix, memory);
  return packed_panels<V>(depth, columns, static_cast<const T*>(memory));
}

/// D of a few rows at once, whose chains do not wait for each other; each goes through its row in the order
/// in which dP sums, so that dP - D is 0 where a row sees one key only.
template <typename T, typename A, int rows>
void products_of_rows(std::int64_t M, std::int64_t n, Matrix<T> a, Matrix<T> b, T* products) {
  using V = Vec<T, A>;
  std::int64_t i = 0;
  for (; M - i >= rows; i += rows) {
    V sums[rows];
    repeat<rows>([&](auto row) __attribute__((always_inline)) { sums[row] = V::zero(); });
    for (std::int64_t j = 0; j < n; ++j) {
      repeat<rows>([&](auto row) __attribute__((always_inline)) {
        const V of_a = V::broadcast(a.data[(i + row) * a.row_stride + j * a.column_stride]);
        sums[row] =
            mul_add(of_a, V::broadcast(b.data[(i + row) * b.row_stride + j * b.column_stride]), sums[row]);
      });
    }
    repeat<rows>([&](auto row) __attribute__((always_inline)) { products[i + row] = sums[row].first(); });
  }
  if constexpr (rows > 1)
    products_of_rows<T, A, 1>(M - i, n, submatrix(a, i, 0), submatrix(b, i, 0), products + i);
}

template <typename T, typename A>
std::int64_t attention_backward_size_kernel(std::int64_t Tq, std::int64_t Tk, std::int64_t hs,
                                            std::int64_t vs) {
  using V = Vec<T, A>;
  return packed_size<V>(hs, Tk) + packed_size<V>(vs, Tk) + packed_size<V>(Tk, hs) + packed_size<V>(Tq, hs) +
         packed_size<V>(Tq, vs) + Tq + 2 * backward_query_tile * key_tile;
}

/// One row of P and of dS from its scores and its dP, for the first n keys; 0 for the others.
template <typename V, typename T>
WICK_INLINE void differentiate_row(T* weights, T* slopes, std::int64_t n, std::int64_t keys, T shift, T sum,
                                   T row_product, T scale) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  const V shifts = V::broadcast(finite_shift(shift));
  const V share = V::broadcast(sum == 0 ? T(0) : T(1) / sum);  // a row that sees nothing has no weights here
  const V product = V::broadcast(row_product);
  const V scales = V::broadcast(scale);
  for_each_vector<V>(n, [=](auto io, std::int64_t j) {
    const V weight = exp(io.load(weights + j, lowest) - shifts) * share;
    io.store(weight, weights + j);
    io.store(weight * (io.load(slopes + j) - product) * scales, slopes + j);
  });
  // Not 0 times what the row has, which may be NaN: that would reach keys which the row does not see.
  for (std::int64_t j = n; j < keys; ++j) weights[j] = slopes[j] = T(0);
}

/// Queries i … i + rows - 1 and the `keys` keys from first_key on: adds their part to every gradient.
template <typename T, typename A>
void attention_backward_tile(const AttentionHead<T>& head, const BackwardHead<T>& tiles,
                             AttentionRows<const T> stats, Matrix<T> gradient, std::int64_t i,
                             std::int64_t rows, std::int64_t first_key, std::int64_t keys,
                             AttentionGradients<T> gradients) {
  using V = Vec<T, A>;
  const std::int64_t columns = whole_vectors<V>(keys);
  multiply_panels<T, A>(rows, columns, head.hs, submatrix(head.query, i, 0),
                        from_column<V>(tiles.keys_across, first_key), tiles.weights, key_tile, false,
                        head.scale);
  multiply_panels<T, A>(rows, columns, head.vs, submatrix(gradient, i, 0),
                        from_column<V>(tiles.values_across, first_key), tiles.slopes, key_tile, false);
  for (std::int64_t row = 0; row < rows; ++row) {
    T* weights = tiles.weights + row * key_tile;
    T* slopes = tiles.slopes + row * key_tile;
    const std::int64_t n = visible_keys(head, i + row, first_key, keys);
    differentiate_row<V>(weights, slopes, n, keys, stats.shift[i + row], stats.sum[i + row],
                         tiles.row_products[i + row], head.scale);
    if (head.blocked.data != nullptr) {
      const Matrix<bool> blocked = submatrix(head.blocked, i + row, first_key);
      leave_out_blocked<V>(weights, slopes, n, blocked.data, blocked.column_stride);
    }
  }
  multiply_panels<T, A>(keys, head.vs, rows, {tiles.weights, 1, key_tile}, from_row(tiles.gradients, i),
                        from_row(gradients.value, first_key).data, gradients.value.row_stride, true);
  multiply_panels<T, A>(keys, head.hs, rows, {tiles.slopes, 1, key_tile}, from_row(tiles.queries, i),
                        from_row(gradients.key, first_key).data, gradients.key.row_stride, true);
  multiply_panels<T, A>(rows, head.hs, keys, {tiles.slopes, key_tile, 1}, from_row(tiles.keys, first_key),
                        from_row(gradients.query, i).data, gradients.query.row_stride, true);
}

/// A query that sees no key took the mean of all values: its gradient goes to all of them alike.
template <typename T>
void add_gradients_of_means(const AttentionHead<T>& head, const T* sums, Matrix<T> gradient,
                            MutableMatrix<T> value_gradient) {
  bool any = false;
  for (std::int64_t i = 0; i < head.Tq; ++i) any |= sums[i] == 0;
  if (!any) return;
  for (std::int64_t j = 0; j < head.vs; ++j) {
    T total = 0;
    for (std::int64_t i = 0; i < head.Tq; ++i) {
      if (sums[i] == 0) total += gradient.data[i * gradient.row_stride + j * gradient.column_stride];
    }
    total /= static_cast<T>(head.Tk);
    for (std::int64_t key = 0; key < head.Tk; ++key)
      value_gradient.data[key * value_gradient.row_stride + j] += total;
  }
}

/// Adds 0 to every element: -0 would tell of tiles that were not computed.
template <typename V, typename T>
void make_zeros_positive(MutableMatrix<T> matrix, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    T* const row = from_row(matrix, i).data;
    for_each_vector<V>(columns,
                       [=](auto io, std::int64_t j) { io.store(io.load(row + j) + V::zero(), row + j); });
  }
}

template <typename T, typename A>
void attention_backward_kernel(const AttentionHead<T>& head, Matrix<T> out, AttentionRows<const T> rows,
                               Matrix<T> gradient, AttentionGradients<T> gradients, T* memory) {
  using V = Vec<T, A>;
  Workspace<T> workspace{memory};
  T* const keys_across = workspace.take(packed_size<V>(head.hs, head.Tk));
  pack_panels<V>(head.hs, head.Tk, transposed(head.key), keys_across);
  T* const values_across = workspace.take(packed_size<V>(head.vs, head.Tk));
  pack_panels<V>(head.vs, head.Tk, transposed(head.value), values_across);
  T* const row_products = workspace.take(head.Tq);
  products_of_rows<T, A, 8>(head.Tq, head.vs, gradient, out, row_products);
  const BackwardHead<T> tiles = {
      .keys_across = packed_panels<V>(head.hs, head.Tk, static_cast<const T*>(keys_across)),
      .values_across = packed_panels<V>(head.vs, head.Tk, static_cast<const T*>(values_across)),
      .keys = panels_for<V>(head.Tk, head.hs, head.key, workspace),
      .queries = panels_for<V>(head.Tq, head.hs, head.query, workspace),
      .gradients = panels_for<V>(head.Tq, head.vs, gradient, workspace),
      .row_products = row_products,
      .weights = workspace.take(backward_query_tile * key_tile),
      .slopes = workspace.take(backward_query_tile * key_tile)};
  set_to_zero(gradients.query, head.Tq, head.hs);
  set_to_zero(gradients.key, head.Tk, head.hs);
  set_to_zero(gradients.value, head.Tk, head.vs);
  for (std::int64_t key = 0; key < head.Tk; key += key_tile) {
    const std::int64_t keys = head.Tk - key < key_tile ? head.Tk - key : key_tile;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < head.Tq; i += count) {
      const bool is_whole = visible_keys(head, i, key, keys) == keys;
      const std::int64_t most = is_whole ? backward_query_tile : backward_diagonal_tile;
      count = head.Tq - i < most ? head.Tq - i : most;
      const std::int64_t seen = visible_keys(head, i + count - 1, key, keys);
      if (seen == 0 || adds_no_gradients<V>(head, gradient, i, count, key, seen)) continue;
      attention_backward_tile<T, A>(head, tiles, rows, gradient, i, count, key, seen, gradients);
    }
  }
  if (head.blocked.data == nullptr) return;
  make_zeros_positive<V>(gradients.query, head.Tq, head.hs);
  make_zeros_positive<V>(gradients.key, head.Tk, head.hs);
  make_zeros_positive<V>(gradients.value, head.Tk, head.vs);
  add_gradients_of_means(head, rows.sum, gradient, gradients.value);
}

}  // namespace
}  // namespace wick::kernels
