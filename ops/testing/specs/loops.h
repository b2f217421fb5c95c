#pragma once

// What the specs are written with: sizes, positions and row-major arrays, and nothing of the ops that they
// judge.

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>
#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

/// The sizes at which kernels go wrong: none, one, and around the lanes of every vector register (1 to 16)
/// and twice that.
inline constexpr std::array<std::int64_t, 15> kSizes = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33};

/// body(position) for every position of a shape, in row-major order.
template <typename Body>
void for_each_position(const Shape& shape, Body&& body) {
  Dimensions position;
  for (int axis = 0; axis < shape.rank(); ++axis) position.push_back(0);
  for (std::int64_t count = shape.numel(); count > 0; --count) {
    body(static_cast<const Dimensions&>(position));
    for (int axis = shape.rank() - 1; axis >= 0 && ++position[axis] == shape[axis]; --axis)
      position[axis] = 0;
  }
}

/// Where an element of a broadcast result finds its operand: aligned at the last dimension, size 1 repeated.
inline std::size_t broadcast_index(const Dimensions& position, const Shape& operand) {
  std::int64_t index = 0;
  const int lead = position.rank() - operand.rank();
  for (int axis = 0; axis < operand.rank(); ++axis) {
    index = index * operand[axis] + (operand[axis] == 1 ? 0 : position[axis + lead]);
  }
  return static_cast<std::size_t>(index);
}

/// (…, M, N) -> (…).
inline Shape front_of(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

/// Bounds of one rounding: half an epsilon of each result.
inline Tensor one_rounding(const std::vector<double>& results, const Shape& shape) {
  std::vector<double> bounds;
  for (const double result : results) bounds.push_back(std::isfinite(result) ? std::abs(result) / 2 : 0);
  return from_vector(bounds, shape);
}

/// What an axis of the output reads of an operand that is broadcast: its own slice, or all of it where it is
/// repeated.
inline std::optional<int> broadcast_axis(const Shape& operand, const Shape& output, int output_axis) {
  const int axis = output_axis - (output.rank() - operand.rank());
  if (axis < 0 || operand[axis] != output[output_axis]) return std::nullopt;
  return axis;
}

/// For ops that work element on element: every axis is independent.
inline std::vector<IndependentAxis> elementwise_axes(const Inputs& inputs, const Shape& output) {
  std::vector<IndependentAxis> axes;
  for (int axis = 0; axis < output.rank(); ++axis) {
    IndependentAxis independent{{}, axis};
    for (const Tensor& input : inputs)
      independent.of_inputs.push_back(broadcast_axis(input.shape(), output, axis));
    axes.push_back(independent);
  }
  return axes;
}

/// For ops with one input that mix along a single axis: every other one is independent. Where `keeps_axis` is
/// false the output lacks it.
inline std::vector<IndependentAxis> all_axes_but(int mixed, int rank, bool keeps_axis) {
  std::vector<IndependentAxis> axes;
  for (int axis = 0; axis < rank; ++axis) {
    if (axis != mixed) axes.push_back({{axis}, !keeps_axis && axis > mixed ? axis - 1 : axis});
  }
  return axes;
}

/// "17", "3x17": a shape in the name of a case.
inline std::string label(const Shape& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "rank 0" : text;
}

}  // namespace wick::testing
