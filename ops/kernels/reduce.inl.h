#pragma once

#include <cstdint>

#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

/// How a long sum is cut: a block is `sum_chains` accumulators of `chain_length` vectors each. Several chains
/// hide the latency of the addition; short ones keep the error small.
constexpr int sum_chains = 4;
constexpr int chain_length = 16;

template <typename V>
constexpr std::int64_t sum_block = std::int64_t{sum_chains} * chain_length* V::lanes;

/// The sum of all lanes of all chains, in every lane.
template <typename V>
WICK_INLINE V sum_of_chains(const V (&sums)[sum_chains]) {
  return ((sums[0] + sums[2]) + (sums[1] + sums[3])).sum_of_lanes();
}

/// The sum of one block or less, of which load(io, i) gives the vector at i.
template <typename V, typename Load>
WICK_INLINE V sum_of_block(std::int64_t n, Load load) {
  V sums[sum_chains];
  repeat<sum_chains>([&](auto chain) { sums[chain] = V::zero(); });
  for_each_chained<V, sum_chains>(
      n, [&](auto io, std::int64_t i, auto chain)
             __attribute__((always_inline)) { sums[chain] = sums[chain] + load(io, i); });
  return sum_of_chains(sums);
}

/// The sum of a row in every lane: blocks, added in pairs, pairs of pairs and so on, so that the error grows
/// with log n and not with n (Higham, The accuracy of floating point summation, 1993). The left side is a
/// power of two of blocks: where an element stands decides what it is added to, never how many follow it, and
/// zeros at the end change nothing.
template <typename V, typename Load>
V pairwise_sum(std::int64_t begin, std::int64_t n, Load load) {
  if (n <= sum_block<V>) {
    return sum_of_block<V>(
        n, [&](auto io, std::int64_t i) __attribute__((always_inline)) { return load(io, begin + i); });
  }
  std::int64_t left = sum_block<V>;
  while (left < n - left) left *= 2;
  return pairwise_sum<V>(begin, left, load) + pairwise_sum<V>(begin + left, n - left, load);
}

template <typename T, typename A>
void sum_kernel(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  for (std::int64_t row = 0; row < rows; ++row, x += n) {
    out[row] = pairwise_sum<V>(0, n, [x](auto io, std::int64_t i) { return io.load(x + i); }).first();
  }
}

/// dx = y (dy - sum(dy y)), products rounded before they are added: the bits of the formula in single ops.
template <typename T, typename A>
void softmax_backward_kernel(const T* y, const T* dy, T* dx, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  for (std::int64_t row = 0; row < rows; ++row, y += n, dy += n, dx += n) {
    const V total =
        pairwise_sum<V>(0, n, [=](auto io, std::int64_t i) { return io.load(dy + i) * io.load(y + i); });
    for_each_vector<V>(
        n, [=](auto io, std::int64_t i) { io.store(io.load(y + i) * (io.load(dy + i) - total), dx + i); });
  }
}

/// The first place of a row whose element satisfies `wanted`, a test of vectors that gives a mask. There is
/// one.
template <typename V, typename T, typename Wanted>
WICK_INLINE std::int64_t first_place(const T* x, std::int64_t n, const Wanted& wanted) {
  std::uint64_t found = 0;
  std::int64_t i = 0;
  for (; n - i >= V::lanes; i += V::lanes) {
    found = V::bits_of(wanted(V::load(x + i)));
    if (found != 0) return i + __builtin_ctzll(found);
  }
  if constexpr (V::lanes > 1) {
    found = V::bits_of(wanted(V::load_partial(x + i, static_cast<int>(n - i))));
  }
  return i + __builtin_ctzll(found);
}

/// First the largest value, by vectors, then the first place that holds it; and whether there is NaN, which
/// the maximum does not tell.
template <typename T, typename A>
void argmax_kernel(const T* x, std::int64_t* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  constexpr T lowest = static_cast<T>(-__builtin_inf());
  for (std::int64_t row = 0; row < rows; ++row, x += n) {
    V largest[sum_chains];
    typename V::Mask is_number[sum_chains];
    repeat<sum_chains>([&](auto chain) {
      largest[chain] = V::broadcast(lowest);
      is_number[chain] = V::zero() == V::zero();
    });
    for_each_chained<V, sum_chains>(
        n, [&](auto io, std::int64_t i, auto chain) __attribute__((always_inline)) {
          const V value = io.load(x + i, lowest);
          is_number[chain] = is_number[chain] && value == value;
          largest[chain] = larger(largest[chain], value);
        });
    const auto all_numbers = (is_number[0] && is_number[1]) && (is_number[2] && is_number[3]);
    if (V::bits_of(all_numbers) == V::bits_of(V::zero() == V::zero())) {
      const V wanted =
          larger(larger(largest[0], largest[1]), larger(largest[2], largest[3])).largest_of_lanes();
      out[row] = first_place<V>(x, n, [=](V value) { return value == wanted; });
    } else {
      out[row] = first_place<V>(x, n, [](V value) { return !(value == value); });
    }
  }
}

}  // namespace
}  // namespace wick::kernels
