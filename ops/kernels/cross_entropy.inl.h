#pragma once

#include <cstdint>

#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/log.inl.h>
#include <wick/ops/kernels/softmax.inl.h>
#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

// -log(softmax(x)[id]) of a row is log(sum(exp(x - max))) - (x[id] - max): both parts are at least 0, so that
// no digit is lost where the model is sure. Backward wants exp(x - max) again, which costs less than to keep
// them.

/// Rows that stay in registers from end to end, as softmax has them.
template <typename V, int vectors, typename Tail, typename T>
void sums_of_short_rows(const T* x, std::int64_t rows, std::int64_t n, Tail tail, CrossEntropyRows<T> left) {
  const auto write = [&]<int rows_at_once>(std::int64_t row) __attribute__((always_inline)) {
    V values[rows_at_once][vectors], shift[rows_at_once], sum[rows_at_once];
    exponentials_in_registers<V, vectors, rows_at_once>(x + row * n, n, tail, values, shift, sum);
    repeat<rows_at_once>([&](auto i) __attribute__((always_inline)) {
      left.shift[row + i] = shift[i].first();
      left.sum[row + i] = sum[i].first();
    });
  };
  constexpr int at_once = 4;
  std::int64_t row = 0;
  for (; rows - row >= at_once; row += at_once) write.template operator()<at_once>(row);
  for (; row < rows; ++row) write.template operator()<1>(row);
}

template <typename V, int vectors, typename T>
void sums_of_short_rows(const T* x, std::int64_t rows, std::int64_t n, CrossEntropyRows<T> left) {
  const std::int64_t in_last = n - (vectors - 1) * V::lanes;
  if constexpr (V::lanes > 1) {
    if (in_last < V::lanes) {
      return sums_of_short_rows<V, vectors>(x, rows, n, Part<V>{static_cast<int>(in_last)}, left);
    }
  }
  sums_of_short_rows<V, vectors>(x, rows, n, Whole<V>{}, left);
}

template <typename V, typename T>
void sums_of_long_rows(const T* x, std::int64_t rows, std::int64_t n, CrossEntropyRows<T> left) {
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  for (std::int64_t row = 0; row < rows; ++row, x += n) {
    const V shift = largest_of_row<V>(x, n);
    V sums[sum_chains];
    repeat<sum_chains>([&](auto chain) { sums[chain] = V::zero(); });
    for_each_chained<V, sum_chains>(
        n, [&](auto io, std::int64_t i, auto chain) __attribute__((always_inline)) {
          sums[chain] = sums[chain] + exp_up_to_one(io.load(x + i, lowest) - shift);
        });
    left.shift[row] = shift.first();
    left.sum[row] = sum_of_chains(sums).first();
  }
}

template <typename V, typename T>
void sums_of_rows(const T* x, std::int64_t rows, std::int64_t n, CrossEntropyRows<T> left) {
  switch ((n - 1) / V::lanes) {
    case 0:
      return sums_of_short_rows<V, 1>(x, rows, n, left);
    case 1:
      return sums_of_short_rows<V, 2>(x, rows, n, left);
    case 2:
      return sums_of_short_rows<V, 3>(x, rows, n, left);
    case 3:
      return sums_of_short_rows<V, 4>(x, rows, n, left);
    default:
      return sums_of_long_rows<V>(x, rows, n, left);
  }
}

template <typename T, typename A>
void cross_entropy_kernel(const CrossEntropy<T>& of, T* losses, CrossEntropyRows<T> left) {
  using V = Vec<T, A>;
  const auto is_ignored = [&](std::int64_t row) { return of.ids[row] == of.ignored; };
  if (of.n > 0) {
    sums_of_rows<V>(of.logits, of.rows, of.n, left);
    for (std::int64_t row = 0; row < of.rows; ++row) {
      losses[row] = of.logits[row * of.n + (is_ignored(row) ? 0 : of.ids[row])];
    }
    for_each_vector<V>(
        of.rows, [=](auto io, std::int64_t row) __attribute__((always_inline)) {
          const V below = io.load(losses + row) - io.load(left.shift + row);
          io.store(log(io.load(left.sum + row, T(1))) - below, losses + row);
        });
  }
  for (std::int64_t row = 0; row < of.rows; ++row) {
    if (is_ignored(row)) losses[row] = 0;
  }
}

template <typename T, typename A>
void cross_entropy_backward_kernel(const CrossEntropy<T>& of, CrossEntropyRows<const T> left, T factor,
                                   T* out) {
  using V = Vec<T, A>;
  const T* x = of.logits;
  for (std::int64_t row = 0; row < of.rows; ++row, x += of.n, out += of.n) {
    if (of.ids[row] == of.ignored) {
      for_each_vector<V>(of.n, [=](auto io, std::int64_t i) { io.store(V::zero(), out + i); });
      continue;
    }
    const V shift = V::broadcast(left.shift[row]);
    const V scale = V::broadcast(factor / left.sum[row]);
    for_each_vector<V>(
        of.n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(exp_up_to_one(io.load(x + i) - shift) * scale, out + i);
        });
    out[of.ids[row]] -= factor;
  }
}

}  // namespace
}  // namespace wick::kernels
