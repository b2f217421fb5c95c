#pragma once

// What an optimizer does to tensors, in place and outside of the graph. Tensors of one call are of one shape
// and one type, float32 or float64; those that are written to are contiguous, a gradient may have any layout.
// Throw TypeError and ShapeError where that is not so. The bits of an element depend on its own numbers and
// the instruction set alone.

#include <cstdint>
#include <span>

#include <wick/framework/tensor.h>

namespace wick {

/// How AdamW steps (Loshchilov & Hutter, Decoupled Weight Decay Regularization, 2019).
struct AdamWStep {
  double learning_rate;
  double beta1;               ///< of the mean of gradients, in [0, 1)
  double beta2;               ///< of the mean of their squares, in [0, 1)
  double epsilon;             ///< added to the root of that mean
  double weight_decay;        ///< the parameter loses learning_rate * weight_decay of itself first
  std::int64_t step;          ///< counted from 1: the moments, begun at 0, are corrected for their start
  double gradient_scale = 1;  ///< what the gradient is multiplied by, as clipping wants it
};

/// One step, rounded where the AdamW of PyTorch 1.13 rounds (that of PyTorch 2 takes m by another formula, m
/// plus (1 - beta1) times g - m), but for a root that is multiplied by one over its correction instead of
/// divided by it: with g = gradient * gradient_scale, p the parameter, m and v the moments,
///
///     p = p * (1 - learning_rate * weight_decay)
///     m = m * beta1 + (1 - beta1) * g
///     v = v * beta2 + (1 - beta2) * g * g
///     p = p - learning_rate / (1 - beta1^step) * m / (sqrt(v) / sqrt(1 - beta2^step) + epsilon)
///
/// Throws ValueError for a step below 1, a beta outside of [0, 1), and where two of the three tensors that
/// are written to share memory.
void adamw_step(Tensor& parameter, const Tensor& gradient, Tensor& first_moment, Tensor& second_moment,
                const AdamWStep& how);

/// One parameter with what belongs to it.
struct AdamWTensors {
  Tensor parameter;
  Tensor gradient;
  Tensor first_moment;
  Tensor second_moment;
};

/// The same for many parameters, to the bit: threads share all of their elements, which pays where each has
/// few. No two tensors that are written to may share memory, whichever parameters they belong to, nor may a
/// gradient with one of them (gradients with each other may): ValueError says which do, by their places in
/// `all`. Nothing is changed where one of them is refused.
void adamw_step(std::span<AdamWTensors> all, const AdamWStep& how);

/// parameter = parameter - learning_rate * (gradient * gradient_scale). Throws ValueError where the two share
/// memory.
void sgd_step(Tensor& parameter, const Tensor& gradient, double learning_rate, double gradient_scale = 1);

/// The sum of the squares of all elements, in float64 whatever x is; any layout. Within 2^-45 of the exact
/// one, relatively. The order of additions is fixed by the number of elements and the instruction set alone,
/// whatever the threads: chunks of 4096, their sums then added pairwise. Throws TypeError.
double squared_norm(const Tensor& x);

}  // namespace wick
