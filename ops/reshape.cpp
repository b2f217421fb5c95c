#include <optional>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/checks.h>
#include <wick/ops/reshape.h>

namespace wick {
namespace {

class ReshapeNode final : public Node {
 public:
  ReshapeNode(const Origin& origin, const Shape& x) : Node(origin), x_shape_(x) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {reshape(gradient, x_shape_)};
  }

 private:
  Shape x_shape_;
};

// Strides under which x's memory is already in the new shape. Both shapes are cut into the shortest groups of
// dimensions with equal products; within such a group of x, the elements must lie evenly spaced.
std::optional<Strides> view_strides(const Tensor& x, const Shape& shape) {
  Strides strides = row_major(shape);
  if (x.is_contiguous()) return strides;
  int old_axis = 0;
  int new_axis = 0;
  while (new_axis < shape.rank()) {
    const int group = new_axis;
    while (old_axis < x.rank() && x.shape()[old_axis] == 1) ++old_axis;
    std::int64_t new_count = shape[new_axis++];
    if (new_count == 1) continue;  // any stride does for a dimension of size 1
    std::int64_t old_count = x.shape()[old_axis];
    std::int64_t step = x.strides()[old_axis++];
    while (old_count != new_count) {
      if (new_count < old_count) {
        new_count *= shape[new_axis++];
      } else {
        const std::int64_t size = x.shape()[old_axis];
        const std::int64_t inner = x.strides()[old_axis++];
        if (size != 1 && step != inner * size) return std::nullopt;
        if (size != 1) step = inner;
        old_count *= size;
      }
    }
    for (int axis = new_axis - 1; axis >= group; --axis) {
      strides[axis] = step;
      step *= shape[axis];
    }
  }
  return strides;
}

}  // namespace

Shape reshape_shape(const Shape& x, const Dimensions& shape) {
  int open = -1;
  Dimensions sizes = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == -1 && open < 0) {
      open = axis;
      sizes[axis] = 1;
    } else if (shape[axis] < 0) {
      throw ShapeError("reshape: size " + std::to_string(shape[axis]) + " in " + to_string(shape) +
                       ": sizes are not negative, and -1, for what is left, stands once");
    }
  }
  Shape result(std::span(sizes.begin(), sizes.end()));
  const std::int64_t known = result.numel();
  if (open >= 0 && known != 0 && x.numel() % known == 0) result[open] = x.numel() / known;
  if (result.numel() != x.numel() || (open >= 0 && known == 0)) {
    throw ShapeError("reshape: " + to_string(x) + " has " + std::to_string(x.numel()) +
                     " elements, which do not fill " + to_string(shape));
  }
  return result;
}

Tensor reshape(const Tensor& x, const Dimensions& shape) {
  require_defined("reshape", "x", x);
  const Shape target = reshape_shape(x.shape(), shape);
  const std::optional<Strides> strides = view_strides(x, target);
  Tensor y = strides ? x.strided_view(target, *strides) : x.clone().strided_view(target, row_major(target));
  return record<ReshapeNode>("reshape", {&x}, std::move(y), x.shape());
}

}  // namespace wick
