#pragma once

#include <cstdint>

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

/// One row of a binary op. An operand with step 0 is one value, read once; n may be 0, and then it is not
/// read.
template <typename T, typename A, typename Operation>
void binary_kernel(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  constexpr Operation operation{};
  if (n <= 0) return;
  if (a_step != 0 && b_step != 0) {
    for_each_vector<V>(
        n, [=](auto io, std::int64_t i) { io.store(operation(io.load(a + i), io.load(b + i)), out + i); });
  } else if (a_step != 0) {
    const V value = V::broadcast(*b);
    for_each_vector<V>(n,
                       [=](auto io, std::int64_t i) { io.store(operation(io.load(a + i), value), out + i); });
  } else if (b_step != 0) {
    const V value = V::broadcast(*a);
    for_each_vector<V>(n,
                       [=](auto io, std::int64_t i) { io.store(operation(value, io.load(b + i)), out + i); });
  } else {
    const V value = operation(V::broadcast(*a), V::broadcast(*b));
    for_each_vector<V>(n, [=](auto io, std::int64_t i) { io.store(value, out + i); });
  }
}

template <typename T, typename A>
void scale_kernel(const T* x, T factor, T* out, std::int64_t n) {
  using V = Vec<T, A>;
  const V factors = V::broadcast(factor);
  for_each_vector<V>(n, [=](auto io, std::int64_t i) { io.store(io.load(x + i) * factors, out + i); });
}

/// A choice rounds nothing, so that a plain loop gives every set the same bits. With steps known the compiler
/// vectorizes it, bytes of `blocked` widened and all.
template <typename T>
void mask_kernel(const T* x, std::int64_t x_step, const bool* blocked, std::int64_t blocked_step, T fill,
                 T* out, std::int64_t n) {
  if (x_step == 1 && blocked_step == 1) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = blocked[i] ? fill : x[i];
  } else {
    for (std::int64_t i = 0; i < n; ++i) out[i] = blocked[i * blocked_step] ? fill : x[i * x_step];
  }
}

}  // namespace
}  // namespace wick::kernels
