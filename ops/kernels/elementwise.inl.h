#pragma once

#include <cstdint>

#include <wick/ops/kernels/streaming.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

struct Add {
  template <typename V>
  WICK_INLINE V operator()(V a, V b) const {
    return a + b;
  }
};
struct Subtract {
  template <typename V>
  WICK_INLINE V operator()(V a, V b) const {
    return a - b;
  }
};
struct Multiply {
  template <typename V>
  WICK_INLINE V operator()(V a, V b) const {
    return a * b;
  }
};
struct Divide {
  template <typename V>
  WICK_INLINE V operator()(V a, V b) const {
    return a / b;
  }
};

struct First {
  template <typename V>
  WICK_INLINE V operator()(V a, V /*b*/) const {
    return a;
  }
};

/// One row of a binary op. An operand with step 0 is one value, read once; n may be 0, and then it is not
/// read.
template <typename T, typename A, typename Operation>
void binary_kernel(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  constexpr Operation operation{};
  if (n <= 0) return;
  const bool streams = a != out && b != out && is_streamed<T>(n);
  if (a_step != 0 && b_step != 0) {
    for_each_vector_to<V>(
        out, n, streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(operation(io.load(a + i), io.load(b + i)), out + i);
        });
  } else if (a_step != 0) {
    const V value = V::broadcast(*b);
    for_each_vector_to<V>(
        out, n, streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(operation(io.load(a + i), value), out + i);
        });
  } else if (b_step != 0) {
    const V value = V::broadcast(*a);
    for_each_vector_to<V>(
        out, n, streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(operation(value, io.load(b + i)), out + i);
        });
  } else {
    const V value = operation(V::broadcast(*a), V::broadcast(*b));
    for_each_vector_to<V>(
        out, n,
        streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) { io.store(value, out + i); });
  }
}

template <typename T, typename A>
void scale_kernel(const T* x, T factor, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  const V factors = V::broadcast(factor);
  for_each_vector_to<V>(
      out, n, x != out && is_streamed<T>(n), [&](auto io, std::int64_t i) __attribute__((always_inline)) {
        io.store(io.load(x + i) * factors, out + i);
      });
}

/// A choice rounds nothing: every set gives the same bits.
template <typename T, typename A>
void mask_kernel(const T* x, std::int64_t x_step, const bool* blocked, std::int64_t blocked_step, T fill,
                 T* out, std::int64_t n) {
  using V = Vec<T, A>;
  if (n <= 0) return;
  const bool streams = x != out && is_streamed<T>(n);
  const V fills = V::broadcast(fill);
  const V value = V::broadcast(*x);
  if (blocked_step == 0) {
    const T* kept = *blocked ? &fill : x;
    binary_kernel<T, A, First>(kept, *blocked ? 0 : x_step, kept, 0, out, n);
  } else if (x_step != 0) {
    for_each_vector_to<V>(
        out, n, streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(V::select(io.load_mask(blocked + i), fills, io.load(x + i)), out + i);
        });
  } else {
    for_each_vector_to<V>(
        out, n, streams, [&](auto io, std::int64_t i) __attribute__((always_inline)) {
          io.store(V::select(io.load_mask(blocked + i), fills, value), out + i);
        });
  }
}

template <typename T, typename A>
void dropout_kernel(const T* x, const bool* kept, T factor, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  const V factors = V::broadcast(factor);
  for_each_vector_to<V>(
      out, n, x != out && is_streamed<T>(n), [&](auto io, std::int64_t i) __attribute__((always_inline)) {
        io.store(V::select(io.load_mask(kept + i), io.load(x + i) * factors, V::zero()), out + i);
      });
}

/// Row r keeps its first `visible` + r elements; in the others, `fill`.
template <typename T, typename A>
void causal_mask_kernel(const T* x, std::int64_t visible, T fill, T* out, std::int64_t rows, std::int64_t n) {
  using V = Vec<T, A>;
  const V fills = V::broadcast(fill);
  for (std::int64_t row = 0; row < rows; ++row, ++visible, x += n, out += n) {
    const std::int64_t kept = visible < n ? visible : n;
    for_each_vector<V>(kept, [&](auto io, std::int64_t i) { io.store(io.load(x + i), out + i); });
    for_each_vector<V>(n - kept, [&](auto io, std::int64_t i) { io.store(fills, out + kept + i); });
  }
}

}  // namespace
}  // namespace wick::kernels
