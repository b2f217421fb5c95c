#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/linear.h>
#include <wick/ops/product.h>

namespace wick {
namespace {

// dx = dY Wᵀ, dW = xᵀ dY, and db the sum of the rows of dY.
class LinearNode final : public Node {
 public:
  LinearNode(const Origin& origin, const Tensor& x, const Tensor& weight, const Tensor& bias)
      : Node(origin),
        x_(this, needs_gradient(1) ? x : Tensor()),
        weight_(this, needs_gradient(0) ? weight : Tensor()),
        x_shape_(x.shape()),
        weight_shape_(weight.shape()),
        bias_shape_(bias.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? gradient_of_left(gradient, weight_.get(), x_shape_) : Tensor(),
            needs_gradient(1) ? gradient_of_right(x_.get(), gradient, weight_shape_) : Tensor(),
            needs_gradient(2) ? sum_to_shape(gradient, bias_shape_) : Tensor()};
  }

 private:
  Saved x_;
  Saved weight_;
  Shape x_shape_;
  Shape weight_shape_;
  Shape bias_shape_;
};

}  // namespace

Shape linear_shape(const Shape& x, const Shape& weight, const Shape& bias) {
  const auto refuse = [&](const std::string& why) {
    throw ShapeError("linear: " + to_string(x) + " @ " + to_string(weight) + why);
  };
  if (x.rank() < 2) refuse(": x needs rank 2 or more");
  if (weight.rank() != 2) refuse(": the weight needs rank 2");
  if (x.back() != weight[0]) {
    refuse(": inner dimensions " + std::to_string(x.back()) + " and " + std::to_string(weight[0]) +
           " differ");
  }
  if (!(bias == Shape{weight[1]})) {
    refuse(" + " + to_string(bias) + ": the bias should be (" + std::to_string(weight[1]) + ",)");
  }
  Shape shape = x;
  shape[shape.rank() - 1] = weight[1];
  static_cast<void>(shape.numel());
  return shape;
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  require_same_floating("linear", x, weight);
  require_type("linear", "bias", bias, x.dtype());
  const Shape shape = linear_shape(x.shape(), weight.shape(), bias.shape());
  return record<LinearNode>("linear", {&x, &weight, &bias}, product(x, weight, shape, &bias), x, weight,
                            bias);
}

}  // namespace wick
