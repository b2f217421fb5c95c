#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/strided.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/expand.h>

namespace wick {
namespace {

class ExpandNode final : public Node {
 public:
  ExpandNode(const Origin& origin, const Shape& x) : Node(origin), x_shape_(x) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {sum_to_shape(gradient, x_shape_)};
  }

 private:
  Shape x_shape_;
};

}  // namespace

Tensor expand(const Tensor& x, const Shape& shape) {
  require_defined("expand", "x", x);
  if (!(broadcast_shapes("expand", x.shape(), shape) == shape)) {
    throw ShapeError("expand: " + to_string(x.shape()) + " does not broadcast to " + to_string(shape));
  }
  Tensor y = x.strided_view(shape, broadcast_strides(x.shape(), x.strides(), shape));
  return record<ExpandNode>("expand", {&x}, std::move(y), x.shape());
}

}  // namespace wick
