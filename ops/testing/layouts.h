#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick::testing {

/// The same values, lying in memory in another way.
struct Layout {
  std::string name;
  Tensor tensor;
};

/// Views with the values of `values`: behind an odd offset; as the transpose of what is in memory; with gaps
/// between the elements; backwards; and, where all values are equal, expanded from a single element. Around
/// them and in their gaps stands what shows if it is read: NaN, an id that no table has, true.
std::vector<Layout> layouts_of(const Tensor& values);

/// Leaves memory full of NaN for the next tensor of this shape and type to be made of: what an op does not
/// write shows.
void poison_memory(const Shape& shape, DType dtype);

/// A contiguous copy of the slices `indices` of an axis, in their order. NumPy: take(values, indices, axis).
/// Precondition: the axis is counted from the front, the indices lie within it.
Tensor take(const Tensor& values, int axis, const std::vector<std::int64_t>& indices);

}  // namespace wick::testing
