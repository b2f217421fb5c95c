#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/elementwise.h>
#include <wick/ops/scale.h>
#include <wick/ops/subtract.h>

namespace wick {
namespace {

class SubtractNode final : public Node {
 public:
  SubtractNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin), a_shape_(a.shape()), b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? sum_to_shape(gradient, a_shape_) : Tensor(),
            needs_gradient(1) ? sum_to_shape(scale(gradient, -1), b_shape_) : Tensor()};
  }

 private:
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Tensor subtract(const Tensor& a, const Tensor& b) {
  Tensor y =
      elementwise("subtract", a, b, &kernels::Kernels<float>::subtract, &kernels::Kernels<double>::subtract);
  return record<SubtractNode>("subtract", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
