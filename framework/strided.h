#pragma once

// Walking tensors whose elements are not in a row: one place for the index arithmetic of views.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <wick/framework/shape.h>

namespace wick {

/// The strides that let a tensor of `shape` be read as one of `target`: 0 along dimensions that are expanded.
/// Precondition: `shape` broadcasts to `target`.
Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target);

/// Joins neighbouring dimensions that all operands walk through with one step, and drops those of size 1:
/// contiguous operands end up with a single dimension. The order of the elements stays. Rank is at least 1
/// afterwards.
template <std::size_t Operands>
void coalesce(Shape& shape, std::array<Strides, Operands>& strides) {
  Shape joined;
  std::array<Strides, Operands> steps;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == 1) continue;
    bool joins = joined.rank() > 0;
    for (std::size_t i = 0; i < Operands && joins; ++i) {
      joins = steps[i].back() == strides[i][axis] * shape[axis];
    }
    if (joins) {
      joined[joined.rank() - 1] *= shape[axis];
      for (std::size_t i = 0; i < Operands; ++i) steps[i][joined.rank() - 1] = strides[i][axis];
    } else {
      joined.push_back(shape[axis]);
      for (std::size_t i = 0; i < Operands; ++i) steps[i].push_back(strides[i][axis]);
    }
  }
  if (joined.rank() == 0) {
    joined.push_back(1);
    for (Strides& step : steps) step.push_back(0);
  }
  shape = joined;
  strides = steps;
}

/// Calls row(offsets, n, steps) for every run of n elements along the last dimension, in row-major order:
/// operand i has its elements at offsets[i] + k * steps[i]. Dimensions are joined where they can be, so the
/// runs are long. Only elements [begin, end) are visited, counted in row-major order: what one thread of
/// several does.
template <std::size_t Operands, typename Row>
void for_each_row(Shape shape, std::array<Strides, Operands> strides, std::int64_t begin, std::int64_t end,
                  Row&& row) {
  if (begin >= end) return;
  coalesce(shape, strides);
  const int last = shape.rank() - 1;
  std::array<std::int64_t, Operands> steps{};
  for (std::size_t i = 0; i < Operands; ++i) steps[i] = strides[i][last];
  std::array<std::int64_t, Operands> offsets{};
  std::array<std::int64_t, kMaxRank> position{};
  const auto move = [&](int axis, std::int64_t distance) {
    position[static_cast<std::size_t>(axis)] += distance;
    for (std::size_t i = 0; i < Operands; ++i) offsets[i] += strides[i][axis] * distance;
  };
  std::int64_t before = begin;
  for (int axis = last; before > 0; --axis) {
    move(axis, before % shape[axis]);
    before /= shape[axis];
  }
  for (std::int64_t left = end - begin;;) {
    const std::int64_t begun = position[static_cast<std::size_t>(last)];
    const std::int64_t n = std::min(left, shape[last] - begun);
    row(offsets, n, steps);
    left -= n;
    if (left == 0) return;
    move(last, -begun);
    int axis = last - 1;
    for (; position[static_cast<std::size_t>(axis)] + 1 == shape[axis]; --axis) move(axis, 1 - shape[axis]);
    move(axis, 1);
  }
}

/// All elements.
template <std::size_t Operands, typename Row>
void for_each_row(const Shape& shape, const std::array<Strides, Operands>& strides, Row&& row) {
  for_each_row<Operands>(shape, strides, 0, shape.numel(), row);
}

/// Where element `index`, counted in row-major order, stands in each operand.
template <std::size_t Operands>
std::array<std::int64_t, Operands> offsets_of(std::int64_t index, const Shape& shape,
                                              const std::array<Strides, Operands>& strides) {
  std::array<std::int64_t, Operands> offsets{};
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const std::int64_t place = index % shape[axis];
    for (std::size_t i = 0; i < Operands; ++i) offsets[i] += place * strides[i][axis];
    index /= shape[axis];
  }
  return offsets;
}

/// Cuts [begin, end) where groups of `size` end, and calls run(group, first, count) for each part: elements
/// [first, first + count) of that group. What one thread of several does where groups are matrices.
template <typename Run>
void for_each_group(std::int64_t begin, std::int64_t end, std::int64_t size, const Run& run) {
  while (begin < end) {
    const std::int64_t first = begin % size;
    const std::int64_t count = std::min(size - first, end - begin);
    run(begin / size, first, count);
    begin += count;
  }
}

}  // namespace wick
