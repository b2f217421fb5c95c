#pragma once

#include <optional>

#include <wick/framework/tensor.h>

namespace wick {

/// (x - mean) / sqrt(variance + epsilon) * gain + bias, along the last axis: x is (…, C), gain and bias are
/// (C,), and the result is as x. The mean and the variance are those of each row of C; the variance is
/// biased, the mean of the squares. An undefined `bias` adds nothing. All float32 or all float64. Ba et al.,
/// Layer Normalization, 2016.
///
/// A row with NaN or infinity in it, or whose sum overflows, is NaN throughout; C = 0 gives an empty result.
/// A row of which only the squares overflow gets the bias alone; one of equal values with epsilon = 0 may be
/// NaN. Epsilon is rounded to x's type first. Accuracy, to the first
/// order in the type's epsilon: within (32 + log2(C)) epsilon of |gain| (|x - mean| + mean |x|) / deviation +
/// |bias|, where deviation is sqrt(variance + epsilon); results below the smallest normal number may be off,
/// or 0. A row's bits depend on its own numbers, gain, bias and C; the gradients of gain and bias add up rows
/// in an order that the shape alone decides.
///
/// Throws ShapeError "layer_norm: x (4, 32) and gain (16,): the gain should be (32,)", TypeError; ValueError
/// for an epsilon that is neither 0 nor a positive normal number of x's type, as 1e-40 is none of float32.
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias = {}, double epsilon = 1e-5);

/// The shape rule. Without a bias its shape is left out.
Shape layer_norm_shape(const Shape& x, const Shape& gain, const std::optional<Shape>& bias = {});

}  // namespace wick
