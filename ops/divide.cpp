#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/divide.h>
#include <wick/ops/elementwise.h>
#include <wick/ops/mul.h>
#include <wick/ops/scale.h>

namespace wick {
namespace {

class DivideNode final : public Node {
 public:
  DivideNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        b_(this, b),
        y_(this, needs_gradient(1) ? origin.output : Tensor()),
        a_shape_(a.shape()),
        b_shape_(b.shape()) {}

  // y = a / b: da = dy / b, db = -dy y / b.
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor quotient = divide(gradient, b_.get());
    return {needs_gradient(0) ? sum_to_shape(quotient, a_shape_) : Tensor(),
            needs_gradient(1) ? sum_to_shape(scale(mul(quotient, y_.get()), -1), b_shape_) : Tensor()};
  }

 private:
  Saved b_;
  Saved y_;
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Tensor divide(const Tensor& a, const Tensor& b) {
  Tensor y = elementwise("divide", a, b, &kernels::Kernels<float>::divide, &kernels::Kernels<double>::divide);
  return record<DivideNode>("divide", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
