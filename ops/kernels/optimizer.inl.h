#pragma once

#include <cstdint>

#include <wick/ops/kernels/reduce.inl.h>
#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/vec.h>

namespace wick::kernels {
namespace {

template <typename T, typename A>
void adamw_kernel(const AdamW<T>& how, T* parameter, const T* gradient, T* mean, T* square, std::int64_t n) {
  using V = Vec<T, A>;
  const V parameter_kept = V::broadcast(how.parameter_kept);
  const V gradient_scale = V::broadcast(how.gradient_scale);
  const V mean_kept = V::broadcast(how.mean_kept), mean_added = V::broadcast(how.mean_added);
  const V square_kept = V::broadcast(how.square_kept), square_added = V::broadcast(how.square_added);
  const V root_scale = V::broadcast(how.root_scale), epsilon = V::broadcast(how.epsilon);
  const V step_size = V::broadcast(how.step_size);
  for_each_vector<V>(
      n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
        const V g = io.load(gradient + i) * gradient_scale;
        const V m = mul_add(g, mean_added, io.load(mean + i) * mean_kept);
        const V v = mul_add(g * square_added, g, io.load(square + i) * square_kept);
        const V step = step_size * m / mul_add(square_root(v), root_scale, epsilon);
        io.store(m, mean + i);
        io.store(v, square + i);
        io.store(io.load(parameter + i) * parameter_kept - step, parameter + i);
      });
}

template <typename T, typename A>
void sgd_kernel(T rate, T gradient_scale, T* parameter, const T* gradient, std::int64_t n) {
  using V = Vec<T, A>;
  const V scales = V::broadcast(gradient_scale), rates = V::broadcast(-rate);
  for_each_vector<V>(
      n, [=](auto io, std::int64_t i) __attribute__((always_inline)) {
        const V g = io.load(gradient + i) * scales;
        io.store(mul_add(g, rates, io.load(parameter + i)), parameter + i);
      });
}

/// Block by block: float32 is widened into a buffer first, where its squares are exact and can neither
/// overflow nor underflow. Those of float64 can: a number beyond 1.34e154 makes the sum infinite, one below
/// 1.5e-154 loses digits, and one below 1.5e-162 adds 0. Gradients worth clipping are far from all three, so
/// that nothing is scaled beforehand. A block of 256 is 2 KiB as double: near, and long enough for
/// pairwise_sum to be quick.
template <typename T, typename A>
double sum_of_squares_kernel(const T* x, std::int64_t n) {
  using V = Vec<double, A>;
  constexpr std::int64_t block = 256;
  double wide[block];
  double total = 0;
  for (std::int64_t begin = 0; begin < n; begin += block) {
    const std::int64_t count = n - begin < block ? n - begin : block;
    for (std::int64_t i = 0; i < count; ++i) wide[i] = x[begin + i];
    total += pairwise_sum<V>(0, count, [&](auto io, std::int64_t i) {
               const V value = io.load(wide + i);
               return value * value;
             }).first();
  }
  return total;
}

}  // namespace
}  // namespace wick::kernels
