#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

// What a textbook writes, compiled with the flags of any ordinary file: the first step of the ladder.
// Matrices are row-major, without gaps.

namespace wick::bench {

/// out (M, N) = a (M, K) @ b (K, N)
template <typename T>
void plain_matmul(const T* a, const T* b, T* out, std::int64_t M, std::int64_t N, std::int64_t K) {
  for (std::int64_t i = 0; i < M; ++i) {
    for (std::int64_t j = 0; j < N; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < K; ++k) sum += a[i * K + k] * b[k * N + j];
      out[i * N + j] = sum;
    }
  }
}

/// Each row of x (rows, n).
template <typename T>
void plain_softmax(const T* x, T* out, std::int64_t rows, std::int64_t n) {
  for (std::int64_t i = 0; i < rows; ++i, x += n, out += n) {
    T largest = x[0];
    for (std::int64_t j = 1; j < n; ++j) largest = std::max(largest, x[j]);
    T sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      out[j] = std::exp(x[j] - largest);
      sum += out[j];
    }
    for (std::int64_t j = 0; j < n; ++j) out[j] /= sum;
  }
}

/// out (columns, rows) from x (rows, columns)
template <typename T>
void plain_transpose(const T* x, T* out, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) out[j * rows + i] = x[i * columns + j];
  }
}

/// One head: query, key, value and out are (length, size).
template <typename T>
void plain_attention(const T* query, const T* key, const T* value, T* out, std::int64_t length,
                     std::int64_t size, bool causal) {
  std::vector<T> weights(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t seen = causal ? i + 1 : length;
    for (std::int64_t j = 0; j < seen; ++j) {
      T score = 0;
      for (std::int64_t k = 0; k < size; ++k) score += query[i * size + k] * key[j * size + k];
      weights[static_cast<std::size_t>(j)] = score / std::sqrt(static_cast<T>(size));
    }
    plain_softmax(weights.data(), weights.data(), 1, seen);
    plain_matmul(weights.data(), value, out + i * size, 1, size, seen);
  }
}

/// The gradients of that head's query, key and value, from out's.
template <typename T>
void plain_attention_backward(const T* query, const T* key, const T* value, const T* out_gradient,
                              T* query_gradient, T* key_gradient, T* value_gradient, std::int64_t length,
                              std::int64_t size, bool causal) {
  const T scale = 1 / std::sqrt(static_cast<T>(size));
  for (T* gradient : {query_gradient, key_gradient, value_gradient}) {
    std::fill(gradient, gradient + length * size, T{0});
  }
  std::vector<T> weights(static_cast<std::size_t>(length));
  std::vector<T> weight_gradients(static_cast<std::size_t>(length));
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t seen = causal ? i + 1 : length;
    for (std::int64_t j = 0; j < seen; ++j) {
      T score = 0;
      T weight_gradient = 0;
      for (std::int64_t k = 0; k < size; ++k) {
        score += query[i * size + k] * key[j * size + k];
        weight_gradient += out_gradient[i * size + k] * value[j * size + k];
      }
      weights[static_cast<std::size_t>(j)] = score * scale;
      weight_gradients[static_cast<std::size_t>(j)] = weight_gradient;
    }
    plain_softmax(weights.data(), weights.data(), 1, seen);
    T mean = 0;  // of the weights' gradients, by weight
    for (std::size_t j = 0; j < static_cast<std::size_t>(seen); ++j) mean += weights[j] * weight_gradients[j];
    for (std::int64_t j = 0; j < seen; ++j) {
      const T weight = weights[static_cast<std::size_t>(j)];
      const T score_gradient = weight * (weight_gradients[static_cast<std::size_t>(j)] - mean) * scale;
      for (std::int64_t k = 0; k < size; ++k) {
        query_gradient[i * size + k] += score_gradient * key[j * size + k];
        key_gradient[j * size + k] += score_gradient * query[i * size + k];
        value_gradient[j * size + k] += weight * out_gradient[i * size + k];
      }
    }
  }
}

}  // namespace wick::bench
