#pragma once

// Every op whose work threads share, in a size that is enough for four of them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <wick/framework/threads.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {

struct LargeOp {
  std::string name;
  std::function<Tensor(DType)> compute;
};

/// normal(), drawn once: drawing takes longer than computing.
inline const Tensor& sample(const Shape& shape, DType dtype, std::uint64_t seed = 1) {
  static std::map<std::string, Tensor> drawn;
  Tensor& tensor = drawn[to_string(shape) + " " + std::string(name(dtype)) + " " + std::to_string(seed)];
  if (!tensor.defined()) tensor = normal(shape, dtype, seed);
  return tensor;
}

/// About one in three is true.
inline Tensor blocked_of(const Shape& shape) { return sample(shape, float64, 3).to(int64).to(boolean); }

/// Each is cut where no vector and no tile ends.
inline const std::vector<LargeOp>& large_ops() {
  static const std::vector<LargeOp> cases{
      {"softmax",
       [](DType type) {
         return softmax(sample({1275, 64}, type));
       }},
      {"softmax over the first axis",
       [](DType type) {
         return softmax(sample({65, 1275}, type), 0);
       }},
      {"cross_entropy",
       [](DType type) {
         return cross_entropy(sample({2551, 65}, type), argmax(sample({2551, 65}, type, 2), -1));
       }},
      {"cross_entropy, its gradient",
       [](DType type) {
         Tensor x = sample({2551, 65}, type).clone();
         x.set_requires_grad(true);
         cross_entropy(x, argmax(sample({2551, 65}, type, 2), -1), {.ignored_id = 7}).backward();
         return x.grad();
       }},
      {"dropout",
       [](DType type) {
         return dropout(sample({301, 1275}, type), 0.3, *default_rng(4));
       }},
      {"concat",
       [](DType type) {
         return concat({sample({301, 1275}, type), sample({101, 1275}, type, 2)});
       }},
      {"concat along the last axis",
       [](DType type) {
         return concat({sample({301, 1275}, type), sample({301, 301}, type, 2)}, 1);
       }},
      {"adamw_step",
       [](DType type) {
         Tensor parameter = sample({301, 1275}, type).clone(), first = zeros({301, 1275}, type);
         Tensor second = zeros({301, 1275}, type);
         const AdamWStep how{.learning_rate = 0.1,
                             .beta1 = 0.9,
                             .beta2 = 0.95,
                             .epsilon = 1e-8,
                             .weight_decay = 0.1,
                             .step = 1};
         adamw_step(parameter, sample({301, 1275}, type, 2), first, second, how);
         return parameter;
       }},
      {"sgd_step",
       [](DType type) {
         Tensor parameter = sample({301, 1275}, type).clone();
         sgd_step(parameter, sample({301, 1275}, type, 2), 0.1);
         return parameter;
       }},
      {"squared_norm",
       [](DType type) {
         return full({}, squared_norm(sample({301, 1275}, type)), float64);
       }},
      {"a product",
       [](DType type) {
         return matmul(sample({1275, 64}, type), sample({64, 1275}, type, 2));
       }},
      {"linear, its rows cut",
       [](DType type) {
         return linear(sample({1275, 64}, type), sample({64, 65}, type, 2), sample({65}, type, 3));
       }},
      {"linear, its columns cut",
       [](DType type) {
         return linear(sample({5, 301}, type), sample({301, 1275}, type, 2), sample({1275}, type, 3));
       }},
      {"a product with a transposed matrix",
       [](DType type) {
         return matmul(sample({301, 65}, type), transpose(sample({101, 65}, type, 2)));
       }},
      {"a product of a transposed matrix",
       [](DType type) {
         return matmul(transpose(sample({65, 301}, type)), sample({65, 101}, type, 2));
       }},
      {"a row times a wide matrix",
       [](DType type) {
         return matmul(sample({1, 1031}, type), sample({1031, 1275}, type, 2));
       }},
      {"a few rows times a wide, transposed matrix",
       [](DType type) {
         return matmul(sample({5, 301}, type), transpose(sample({1275, 301}, type, 2)));
       }},
      {"a batch of products",
       [](DType type) {
         return matmul(sample({7, 51, 65}, type), sample({7, 65, 67}, type, 2));
       }},
      {"a batch of wide products",
       [](DType type) {
         return matmul(sample({3, 2, 301}, type), sample({3, 301, 1275}, type, 2));
       }},
      {"a batch of rows, each with its matrix",
       [](DType type) {
         return matmul(sample({301, 1, 65}, type), sample({301, 65, 67}, type, 2));
       }},
      {"a batch of products with one matrix",
       [](DType type) {
         return matmul(sample({7, 51, 65}, type), sample({65, 67}, type, 2));
       }},
      {"products of every matrix with every other",
       [](DType type) {
         return matmul(sample({5, 1, 21, 65}, type), sample({4, 65, 67}, type, 2));
       }},
      {"a sum of two",
       [](DType type) {
         return sample({301, 1275}, type) + sample({301, 1275}, type, 2);
       }},
      {"a row added to all",
       [](DType type) {
         return sample({301, 1275}, type) + sample({1275}, type, 2);
       }},
      {"a column multiplied with all",
       [](DType type) {
         return sample({1275, 301}, type) * sample({1275, 1}, type, 2);
       }},
      {"a quotient with a transposed matrix",
       [](DType type) {
         return sample({301, 1275}, type) / transpose(sample({1275, 301}, type, 2));
       }},
      {"scale",
       [](DType type) {
         return scale(sample({301, 1275}, type), 0.3);
       }},
      {"mask",
       [](DType type) {
         return mask(sample({3, 301, 1275}, type), blocked_of({301, 1275}));
       }},
      {"causal_mask",
       [](DType type) {
         return causal_mask(sample({2, 301, 1275}, type));
       }},
      {"sum of rows",
       [](DType type) {
         return sum(sample({1275, 301}, type), -1);
       }},
      {"sum of columns",
       [](DType type) {
         return sum(sample({1275, 301}, type), 0);
       }},
      {"sum of all",
       [](DType type) {
         return sum(sample({1275, 301}, type));
       }},
      {"mean of columns",
       [](DType type) {
         return mean(sample({1275, 301}, type), 0);
       }},
      {"layer_norm",
       [](DType type) {
         return layer_norm(sample({1275, 301}, type), sample({301}, type, 2), sample({301}, type, 3));
       }},
      {"layer_norm, the gradient of its input",
       [](DType type) {
         Tensor x = sample({1275, 301}, type).clone();
         x.set_requires_grad(true);
         layer_norm(x, sample({301}, type, 2)).backward(sample({1275, 301}, type, 3));
         return x.grad();
       }},
      {"layer_norm, the gradient of its gain",
       [](DType type) {
         Tensor gain = sample({65}, type).clone();
         gain.set_requires_grad(true);
         layer_norm(sample({3001, 65}, type), gain).backward(sample({3001, 65}, type, 3));
         return gain.grad();
       }},
      {"gelu",
       [](DType type) {
         return gelu(sample({301, 127}, type));
       }},
      {"exact gelu and its gradient",
       [](DType type) {
         Tensor x = sample({301, 127}, type).clone();
         x.set_requires_grad(true);
         gelu(x, GeluForm::exact).backward(sample({301, 127}, type, 2));
         return x.grad();
       }},
      {"argmax",
       [](DType type) {
         return argmax(sample({1275, 301}, type), -1);
       }},
      {"a copy of a transpose",
       [](DType type) {
         return transpose(sample({5, 301, 127}, type), {2, 0, 1}).contiguous();
       }},
      {"attention",
       [](DType type) {
         return attention(sample({3, 301, 17}, type), sample({3, 333, 17}, type, 2),
                          sample({3, 333, 17}, type, 4), {.causal = true});
       }},
      {"packed_attention",
       [](DType type) {
         return packed_attention(sample({3, 301, 102}, type), 2, {.causal = true});
       }},
      {"packed_attention, its gradient",
       [](DType type) {
         Tensor x = sample({3, 301, 102}, type).clone();
         x.set_requires_grad(true);
         sum(packed_attention(x, 2, {.causal = true})).backward();
         return x.grad();
       }},
      {"attention with a mask, its gradients",
       [](DType type) {
         Tensor x = sample({3, 301, 17}, type).clone();
         x.set_requires_grad(true);
         sum(attention(x, x, x, {.blocked = blocked_of({301, 301})})).backward();
         return x.grad();
       }},
      {"gradients",
       [](DType type) {
         Tensor x = sample({401, 16}, type).clone();
         x.set_requires_grad(true);
         const Tensor scores = causal_mask(scale(matmul(x, transpose(x)), 0.1));
         sum(matmul(softmax(scores), x)).backward();
         return x.grad();
       }},
  };
  return cases;
}

/// Softmax of work for four threads, made on one: what is left to do is backward.
inline Tensor softmax_of(const Tensor& x) {
  const ThreadCount one(1);
  return softmax(x);
}

}  // namespace wick
