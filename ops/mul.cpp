#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/elementwise.h>
#include <wick/ops/mul.h>

namespace wick {
namespace {

class MulNode final : public Node {
 public:
  MulNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        a_(this, needs_gradient(1) ? a : Tensor()),
        b_(this, needs_gradient(0) ? b : Tensor()),
        a_shape_(a.shape()),
        b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? sum_to_shape(mul(gradient, b_.get()), a_shape_) : Tensor(),
            needs_gradient(1) ? sum_to_shape(mul(gradient, a_.get()), b_shape_) : Tensor()};
  }

 private:
  Saved a_;
  Saved b_;
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Tensor mul(const Tensor& a, const Tensor& b) {
  Tensor y =
      elementwise("mul", a, b, &kernels::Kernels<float>::multiply, &kernels::Kernels<double>::multiply);
  return record<MulNode>("mul", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
