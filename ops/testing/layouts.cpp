#include <algorithm>
#include <cstring>
#include <limits>

#include <wick/ops/testing/layouts.h>

namespace wick::testing {
namespace {

constexpr std::int64_t kRing = 19;  // odd, and more than the lanes of any vector

// Memory for `count` elements with as much as kRing around them that nobody should read.
Tensor ringed(std::int64_t count, DType dtype) {
  Tensor buffer({count + 2 * kRing}, dtype);
  if (is_floating(dtype)) {
    buffer.fill(std::numeric_limits<double>::quiet_NaN());
  } else {
    buffer.fill(-1);  // true, in a boolean
  }
  return buffer;
}

Strides column_major(const Shape& shape) {
  Strides strides = row_major(shape);
  std::int64_t step = 1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
  return strides;
}

Strides scaled(Strides strides, std::int64_t factor) {
  for (int axis = 0; axis < strides.rank(); ++axis) strides[axis] *= factor;
  return strides;
}

bool are_equal(const Tensor& values) {
  const std::vector<double> numbers = values.to_vector<double>();
  return numbers.size() > 1 &&
         std::ranges::all_of(numbers, [&](double number) { return number == numbers.front(); });
}

}  // namespace

std::vector<Layout> layouts_of(const Tensor& values) {
  const Shape& shape = values.shape();
  const std::int64_t count = values.numel();
  const Strides rows = row_major(shape);
  std::vector<Layout> layouts;
  // The view begins at element `first` of a ringed memory of `elements`.
  const auto add = [&](const char* name, const Strides& strides, std::int64_t elements, std::int64_t first) {
    Tensor view = ringed(elements, values.dtype()).strided_view(shape, strides, kRing + first);
    view.copy_from(values);
    layouts.push_back({name, view});
  };
  add("an odd offset", rows, count, 0);
  if (shape.rank() >= 2) add("transposed memory", column_major(shape), count, 0);
  add("gaps", scaled(rows, 2), 2 * count, 0);
  add("backwards", scaled(rows, -1), count, std::max<std::int64_t>(count - 1, 0));
  if (are_equal(values)) {
    Tensor one = ringed(1, values.dtype()).strided_view({}, Strides(), kRing);
    one.fill(values.to_vector<double>().front());
    layouts.push_back({"expanded", one.strided_view(shape, scaled(rows, 0))});
  }
  return layouts;
}

void poison_memory(const Shape& shape, DType dtype) {
  Tensor tensor(shape, dtype);
  visit_dtype(dtype, [&]<typename T>() {
    const auto elements = tensor.mutable_span<T>();
    if (!elements.empty()) std::memset(static_cast<void*>(elements.data()), 0xff, elements.size_bytes());
  });
}

Tensor take(const Tensor& values, int axis, const std::vector<std::int64_t>& indices) {
  Shape slice = values.shape();
  slice[axis] = 1;
  Shape shape = slice;
  shape[axis] = static_cast<std::int64_t>(indices.size());
  Tensor taken(shape, values.dtype());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    Tensor target = taken.strided_view(slice, taken.strides(), place * taken.strides()[axis]);
    target.copy_from(values.strided_view(slice, values.strides(), indices[i] * values.strides()[axis]));
  }
  return taken;
}

}  // namespace wick::testing
