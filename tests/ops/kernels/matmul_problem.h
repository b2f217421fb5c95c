#pragma once

// What the tests of the matrix product share: problems with the contract's own answer, and matrices in any
// layout.

#include "support.h"

namespace wick::kernels {

/// a (M, K) and b (K, N), row-major, and what the tests want to know of them.
template <typename T>
struct Problem {
  std::int64_t M, N, K;
  std::vector<T> a, b;

  Problem(std::int64_t m, std::int64_t n, std::int64_t k, std::uint64_t seed) : M(m), N(n), K(k) {
    Numbers numbers(seed);
    a = numbers.vector<T>(M * K);
    b = numbers.vector<T>(K * N);
  }
  T a_at(std::int64_t i, std::int64_t k) const { return a[static_cast<std::size_t>(i * K + k)]; }
  T b_at(std::int64_t k, std::int64_t j) const { return b[static_cast<std::size_t>(k * N + j)]; }

  /// The contract to the letter: one chain over k for each element, with one rounding per step or with two.
  std::vector<T> chains(bool fused) const {
    std::vector<T> out;
    for (std::int64_t i = 0; i < M; ++i) {
      for (std::int64_t j = 0; j < N; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < K; ++k) {
          sum = fused ? std::fma(a_at(i, k), b_at(k, j), sum) : sum + a_at(i, k) * b_at(k, j);
        }
        out.push_back(sum);
      }
    }
    return out;
  }

  std::vector<T> multiply(const KernelTable& table) const {
    std::vector<T> out(static_cast<std::size_t>(M * N), nan<T>);
    table.in<T>().matmul({M, N, K, {a.data(), K, 1}, {b.data(), N, 1}, out.data(), N});
    return out;
  }
};

/// A matrix of rows × columns, its elements `row_stride` and `column_stride` apart, with NaN between them.
template <typename T>
Guarded<T> spread(const std::vector<T>& values, std::int64_t rows, std::int64_t columns,
                  std::int64_t row_stride, std::int64_t column_stride, Against against) {
  const bool empty = rows == 0 || columns == 0;
  const std::int64_t size = empty ? 0 : (rows - 1) * row_stride + (columns - 1) * column_stride + 1;
  std::vector<T> memory(static_cast<std::size_t>(size), nan<T>);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      memory[static_cast<std::size_t>(i * row_stride + j * column_stride)] =
          values[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return Guarded<T>(memory, against);
}

}  // namespace wick::kernels
