#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// A view of positions start, start + step, … before stop along one axis. start and stop may be negative:
/// they count from the end. Any type.
///
/// Unlike NumPy, which shortens silently, a start or stop outside the axis is an IndexError that names both:
/// a slice has the length one asked for. Throws ValueError for a step below 1. NumPy: x[..., start:stop:step,
/// ...].
Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1);

/// The shape rule: ceil((stop - start) / step) along the axis, 0 where stop <= start.
Shape slice_shape(const Shape& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1);

}  // namespace wick
