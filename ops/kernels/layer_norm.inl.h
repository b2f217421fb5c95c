#pragma once

#include <cstdint>

#include <wick/ops/kernels/reduce.inl.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// A row's mean is taken off before its squares are added: the sum of the squares less the square of the sum
// would lose a small deviation beside a large mean. Sums are those of reduce.inl.h, so that their order knows
// the row's length alone. Lanes past the end are filled with the mean, whose deviation is 0.
//
// A row of up to four vectors (64 numbers of AVX-512) stays in registers from end to end. Square root and
// quotient are taken of one number a row: of a whole register they take as long as all else together.

template <typename V, typename T>
WICK_INLINE T reciprocal_deviation(V sum_of_squares, T inverse_n, T epsilon) {
  return 1 / V::square_root(sum_of_squares.first() * inverse_n + epsilon);
}

/// Rows of `vectors` vectors, the last of which `tail` loads and stores: a few rows at once, so that the
/// latency of one's sums is hidden behind the others.
template <typename V, int vectors, int rows_at_once, typename Tail, typename T>
WICK_INLINE void layer_norm_in_registers(const T* x, const V (&gain)[vectors], const V (&bias)[vectors],
                                         T epsilon, T* out, T* statistics, std::int64_t n, Tail tail) {
  static_assert(vectors <= sum_chains);
  constexpr int last = vectors - 1;
  const T inverse_n = 1 / static_cast<T>(n);
  V values[rows_at_once][vectors], means[rows_at_once];
  T factors[rows_at_once];
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    V sums[sum_chains];
    repeat<sum_chains>([&](auto j) __attribute__((always_inline)) {
      sums[j] = V::zero();
      if constexpr (j < last) sums[j] = values[row][j] = V::load(x + row * n + j * V::lanes);
      if constexpr (j == last) sums[j] = tail.load(x + row * n + j * V::lanes);
    });
    means[row] = sum_of_chains(sums) * V::broadcast(inverse_n);
  });
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    values[row][last] = tail.load(x + row * n + last * V::lanes, means[row].first());
    V squares[sum_chains];
    repeat<sum_chains>([&](auto j) __attribute__((always_inline)) {
      squares[j] = V::zero();
      if constexpr (j < vectors) {
        values[row][j] = values[row][j] - means[row];
        squares[j] = values[row][j] * values[row][j];
      }
    });
    factors[row] = reciprocal_deviation(sum_of_chains(squares), inverse_n, epsilon);
  });
  repeat<rows_at_once>([&](auto row) __attribute__((always_inline)) {
    const V factor = V::broadcast(factors[row]);
    repeat<last>([&](auto j) __attribute__((always_inline)) {
      mul_add(values[row][j] * factor, gain[j], bias[j]).store(out + row * n + j * V::lanes);
    });
    tail.store(mul_add(values[row][last] * factor, gain[last], bias[last]), out + row * n + last * V::lanes);
    if (statistics != nullptr) {
      statistics[2 * row] = means[row].first();
      statistics[2 * row + 1] = factors[row];
    }
  });
}

/// The vectors of n numbers, 0 behind them; of none where there are none.
template <typename V, int vectors, typename Tail, typename T>
WICK_INLINE void load_all(const T* from, V (&to)[vectors], Tail tail) {
  repeat<vectors>([&](auto j) __attribute__((always_inline)) {
    to[j] = V::zero();
    if (from == nullptr) return;
    if constexpr (j + 1 < vectors) to[j] = V::load(from + j * V::lanes);
    if constexpr (j + 1 == vectors) to[j] = tail.load(from + j * V::lanes);
  });
}

template <typename V, int vectors, typename T>
void layer_norm_of_short_rows(const T* x, const T* gain, const T* bias, T epsilon, T* out, T* statistics,
                              std::int64_t rows, std::int64_t n) {
  with_tail<V>(
      n - (vectors - 1) * V::lanes, [=](auto tail) __attribute__((always_inline)) {
        constexpr int at_once = 4;
        V gains[vectors], biases[vectors];
        load_all(gain, gains, tail);
        load_all(bias, biases, tail);
        const auto statistics_of = [=](std::int64_t row) __attribute__((always_inline)) {
          return statistics == nullptr ? nullptr : statistics + 2 * row;
        };
        std::int64_t row = 0;
        for (; rows - row >= at_once; row += at_once) {
          layer_norm_in_registers<V, vectors, at_once>(x + row * n, gains, biases, epsilon, out + row * n,
                                                       statistics_of(row), n, tail);
        }
        for (; row < rows; ++row) {
          layer_norm_in_registers<V, vectors, 1>(x + row * n, gains, biases, epsilon, out + row * n,
                                                 statistics_of(row), n, tail);
        }
      });
}

/// A row that is read three times, from the first-level cache.
template <typename V, typename T>
void layer_norm_of_long_rows(const T* x, const T* gain, const T* bias, T epsilon, T* out, T* statistics,
                             std::int64_t rows, std::int64_t n) {
  const T inverse_n = 1 / static_cast<T>(n);
  for (std::int64_t row = 0; row < rows; ++row, x += n, out += n) {
    const V mean =
        pairwise_sum<V>(
            0, n, [=](auto io, std::int64_t i) __attribute__((always_inline)) { return io.load(x + i); }) *
        V::broadcast(inverse_n);
    const T padding = mean.first();
    const V squares = pairwise_sum<V>(
        0, n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          const V deviation = io.load(x + i, padding) - mean;
          return deviation * deviation;
        });
    const T factor = reciprocal_deviation(squares, inverse_n, epsilon);
    const V factors = V::broadcast(factor);
    for_each_vector<V>(
        n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          const V shift = bias == nullptr ? V::zero() : io.load(bias + i);
          io.store(mul_add((io.load(x + i) - mean) * factors, io.load(gain + i), shift), out + i);
        });
    if (statistics != nullptr) {
      statistics[2 * row] = padding;
      statistics[2 * row + 1] = factor;
    }
  }
}

template <typename T, typename A>
void layer_norm_kernel(const T* x, const T* gain, const T* bias, T epsilon, T* out, T* statistics,
                       std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  if (n <= 0) return;
  switch ((n - 1) / V::lanes) {
    case 0:
      return layer_norm_of_short_rows<V, 1>(x, gain, bias, epsilon, out, statistics, rows, n);
    case 1:
      return layer_norm_of_short_rows<V, 2>(x, gain, bias, epsilon, out, statistics, rows, n);
    case 2:
      return layer_norm_of_short_rows<V, 3>(x, gain, bias, epsilon, out, statistics, rows, n);
    case 3:
      return layer_norm_of_short_rows<V, 4>(x, gain, bias, epsilon, out, statistics, rows, n);
    default:
      return layer_norm_of_long_rows<V>(x, gain, bias, epsilon, out, statistics, rows, n);
  }
}

// Backward, of a row: with z = (x - mean) factor and g = dy gain,
// dx = factor (g - mean(g) - z mean(g z)). The shares of gain and bias grow from row to row.

template <typename V, int vectors, typename T>
void layer_norm_backward_of_short_rows(const T* x, const T* gain, const T* statistics, const T* dy, T* dx,
                                       T* dgain, T* dbias, std::int64_t rows, std::int64_t n) {
  with_tail<V>(
      n - (vectors - 1) * V::lanes, [=](auto tail) __attribute__((always_inline)) {
        constexpr int last = vectors - 1;
        const V inverse_n = V::broadcast(1 / static_cast<T>(n));
        V gains[vectors], gain_sums[vectors], bias_sums[vectors];
        load_all(gain, gains, tail);
        repeat<vectors>([&](auto j) { gain_sums[j] = bias_sums[j] = V::zero(); });
        for (std::int64_t row = 0; row < rows; ++row) {
          const T* from = x + row * n;
          const T* from_gradient = dy + row * n;
          const V mean = V::broadcast(statistics[2 * row]);
          const V factor = V::broadcast(statistics[2 * row + 1]);
          V z[vectors], g[vectors], sums[sum_chains], products[sum_chains];
          repeat<sum_chains>([&](auto j) __attribute__((always_inline)) {
            sums[j] = products[j] = V::zero();
            if constexpr (j < vectors) {
              V value, gradient;
              if constexpr (j < last) {
                value = V::load(from + j * V::lanes);
                gradient = V::load(from_gradient + j * V::lanes);
              } else {
                value = tail.load(from + j * V::lanes, statistics[2 * row]);
                gradient = tail.load(from_gradient + j * V::lanes);
              }
              z[j] = (value - mean) * factor;
              gain_sums[j] = mul_add(gradient, z[j], gain_sums[j]);
              bias_sums[j] = bias_sums[j] + gradient;
              sums[j] = g[j] = gradient * gains[j];
              products[j] = g[j] * z[j];
            }
          });
          const V mean_g = sum_of_chains(sums) * inverse_n;
          const V minus_mean_gz = V::zero() - sum_of_chains(products) * inverse_n;
          repeat<vectors>([&](auto j) __attribute__((always_inline)) {
            const V result = mul_add(z[j], minus_mean_gz, g[j] - mean_g) * factor;
            if constexpr (j < last) result.store(dx + row * n + j * V::lanes);
            if constexpr (j == last) tail.store(result, dx + row * n + j * V::lanes);
          });
        }
        repeat<last>([&](auto j) __attribute__((always_inline)) {
          gain_sums[j].store(dgain + j * V::lanes);
          bias_sums[j].store(dbias + j * V::lanes);
        });
        tail.store(gain_sums[last], dgain + last * V::lanes);
        tail.store(bias_sums[last], dbias + last * V::lanes);
      });
}

template <typename V>
struct TwoSums {
  V sum;
  V product;
};

/// Two sums along a row, each as pairwise_sum has it, in one walk: load(io, i) gives what both add at i.
template <typename V, typename Load>
TwoSums<V> pairwise_sums(std::int64_t begin, std::int64_t n, Load load) {
  if (n <= sum_block<V>) {
    V sums[sum_chains], products[sum_chains];
    repeat<sum_chains>([&](auto chain) { sums[chain] = products[chain] = V::zero(); });
    for_each_chained<V, sum_chains>(
        n, [&](auto io, std::int64_t i, auto chain) __attribute__((always_inline)) {
          const TwoSums<V> both = load(io, begin + i);
          sums[chain] = sums[chain] + both.sum;
          products[chain] = products[chain] + both.product;
        });
    return {sum_of_chains(sums), sum_of_chains(products)};
  }
  std::int64_t left = sum_block<V>;
  while (left < n - left) left *= 2;
  const TwoSums<V> a = pairwise_sums<V>(begin, left, load);
  const TwoSums<V> b = pairwise_sums<V>(begin + left, n - left, load);
  return {a.sum + b.sum, a.product + b.product};
}

template <typename V, typename T>
void layer_norm_backward_of_long_rows(const T* x, const T* gain, const T* statistics, const T* dy, T* dx,
                                      T* dgain, T* dbias, std::int64_t rows, std::int64_t n) {
  const V inverse_n = V::broadcast(1 / static_cast<T>(n));
  for_each_vector<V>(
      n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
        io.store(V::zero(), dgain + i);
        io.store(V::zero(), dbias + i);
      });
  for (std::int64_t row = 0; row < rows; ++row, x += n, dy += n, dx += n) {
    const T padding = statistics[2 * row];
    const V mean = V::broadcast(padding);
    const V factor = V::broadcast(statistics[2 * row + 1]);
    const TwoSums<V> sums = pairwise_sums<V>(
        0, n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          const V g = io.load(dy + i) * io.load(gain + i);
          return TwoSums<V>{g, g * ((io.load(x + i, padding) - mean) * factor)};
        });
    const V mean_g = sums.sum * inverse_n;
    const V minus_mean_gz = V::zero() - sums.product * inverse_n;
    for_each_vector<V>(
        n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          const V gradient = io.load(dy + i);
          const V z = (io.load(x + i, padding) - mean) * factor;
          io.store(mul_add(gradient, z, io.load(dgain + i)), dgain + i);
          io.store(io.load(dbias + i) + gradient, dbias + i);
          io.store(mul_add(z, minus_mean_gz, gradient * io.load(gain + i) - mean_g) * factor, dx + i);
        });
  }
}

template <typename T, typename A>
void layer_norm_backward_kernel(const T* x, const T* gain, const T* statistics, const T* dy, T* dx, T* dgain,
                                T* dbias, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  if (n <= 0) return;
  switch ((n - 1) / V::lanes) {
    case 0:
      return layer_norm_backward_of_short_rows<V, 1>(x, gain, statistics, dy, dx, dgain, dbias, rows, n);
    case 1:
      return layer_norm_backward_of_short_rows<V, 2>(x, gain, statistics, dy, dx, dgain, dbias, rows, n);
    case 2:
      return layer_norm_backward_of_short_rows<V, 3>(x, gain, statistics, dy, dx, dgain, dbias, rows, n);
    case 3:
      return layer_norm_backward_of_short_rows<V, 4>(x, gain, statistics, dy, dx, dgain, dbias, rows, n);
    default:
      return layer_norm_backward_of_long_rows<V>(x, gain, statistics, dy, dx, dgain, dbias, rows, n);
  }
}

}  // namespace
}  // namespace wick::kernels
