#include <algorithm>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/ops/checks.h>
#include <wick/ops/slice.h>

namespace wick {
namespace {

// The slice counted from the front.
struct Range {
  int axis;
  std::int64_t start;
  std::int64_t step;
  std::int64_t count;
};

Range normalized_range(const Shape& x, std::int64_t axis, std::int64_t start, std::int64_t stop,
                       std::int64_t step) {
  const int normalized = normalized_axis("slice", axis, x.rank());
  if (step < 1) throw ValueError("slice: a step of " + std::to_string(step) + ", expected 1 or more");
  const std::int64_t size = x[normalized];
  const auto from_front = [&](std::int64_t position) {
    if (position < -size || position > size) {
      throw IndexError("slice: [" + std::to_string(start) + ":" + std::to_string(stop) +
                       "] reaches outside axis " + std::to_string(normalized) + " of size " +
                       std::to_string(size) + " of " + to_string(x));
    }
    return position < 0 ? position + size : position;
  };
  const std::int64_t first = from_front(start);
  const std::int64_t span = from_front(stop) - first;
  return {normalized, first, step, span <= 0 ? 0 : (span - 1) / step + 1};
}

Tensor view_of(const Tensor& x, const Range& range) {
  Shape shape = x.shape();
  shape[range.axis] = range.count;
  Strides strides = x.strides();
  const std::int64_t offset = range.start * strides[range.axis];
  strides[range.axis] *= range.count > 1 ? range.step : 1;
  return x.strided_view(shape, strides, range.count == 0 ? 0 : offset);
}

// The gradient flows to where the slice was cut, and is 0 elsewhere.
class SliceNode final : public Node {
 public:
  SliceNode(const Origin& origin, const Shape& x, const Range& range)
      : Node(origin), x_shape_(x), range_(range) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    Tensor whole = zeros(x_shape_, gradient.dtype());
    view_of(whole, range_).copy_from(gradient);
    return {whole};
  }

 private:
  Shape x_shape_;
  Range range_;
};

}  // namespace

Shape slice_shape(const Shape& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step) {
  const Range range = normalized_range(x, axis, start, stop, step);
  Shape shape = x;
  shape[range.axis] = range.count;
  return shape;
}

Tensor slice(const Tensor& x, int axis, std::int64_t start, std::int64_t stop, std::int64_t step) {
  require_defined("slice", "x", x);
  const Range range = normalized_range(x.shape(), axis, start, stop, step);
  return record<SliceNode>("slice", {&x}, view_of(x, range), x.shape(), range);
}

}  // namespace wick
