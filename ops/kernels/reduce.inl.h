#pragma once

#include <cstdint>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// How a long sum is cut: a block is `chains` accumulators of `chain_length` vectors each. Several chains
/// hide the latency of the addition; short ones keep the error small.
constexpr int chains = 4;
constexpr int chain_length = 16;

template <typename V>
constexpr std::int64_t sum_block = std::int64_t{chains} * chain_length* V::lanes;

/// The sum of one block or less.
template <typename V, typename T>
T sum_of_block(const T* x, std::int64_t n) {
  constexpr int step = chains * V::lanes;
  V sums[chains];
  repeat<chains>([&](auto chain) { sums[chain] = V::zero(); });
  std::int64_t i = 0;
  for (; n - i >= step; i += step) {
    repeat<chains>([&](auto chain) { sums[chain] = sums[chain] + V::load(x + i + chain * V::lanes); });
  }
  // What is left goes to the chains that it would have gone to in a full step.
  repeat<chains>([&](auto chain) {
    const std::int64_t left = n - i - chain * V::lanes;
    if (left >= V::lanes) {
      sums[chain] = sums[chain] + V::load(x + i + chain * V::lanes);
    } else if constexpr (V::lanes > 1) {
      if (left > 0) {
        sums[chain] = sums[chain] + V::load_partial(x + i + chain * V::lanes, static_cast<int>(left));
      }
    }
  });
  return ((sums[0] + sums[2]) + (sums[1] + sums[3])).hsum();
}

/// The sum of a row: blocks, added in pairs, pairs of pairs and so on, so that the error grows with log n and
/// not with n (Higham, The accuracy of floating point summation, 1993). The left side is a power of two of
/// blocks: where an element stands decides what it is added to, never how many follow it, and zeros at the
/// end change nothing.
template <typename V, typename T>
T pairwise_sum(const T* x, std::int64_t n) {
  if (n <= sum_block<V>) return sum_of_block<V>(x, n);
  std::int64_t left = sum_block<V>;
  while (left < n - left) left *= 2;
  return pairwise_sum<V>(x, left) + pairwise_sum<V>(x + left, n - left);
}

template <typename T, typename A>
void sum_kernel(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  for (std::int64_t row = 0; row < rows; ++row) out[row] = pairwise_sum<Vec<T, A>>(x + row * n, n);
}

/// First the largest value, by vectors, then the first place that holds it.
template <typename T, typename A>
void argmax_kernel(const T* x, std::int64_t* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  for (std::int64_t row = 0; row < rows; ++row, x += n) {
    V largest = V::broadcast(lowest);
    for_each_vector<V>(n, [&](auto io, std::int64_t i) { largest = max(largest, io.load(x + i, lowest)); });
    const T wanted = largest.hmax();
    std::int64_t i = 0;
    if (wanted != wanted) {
      while (x[i] == x[i]) ++i;
    } else {
      while (x[i] != wanted) ++i;
    }
    out[row] = i;
  }
}

}  // namespace
}  // namespace wick::kernels
