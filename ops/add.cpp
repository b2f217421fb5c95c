#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/add.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/elementwise.h>

namespace wick {
namespace {

class AddNode final : public Node {
 public:
  AddNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin), a_shape_(a.shape()), b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? sum_to_shape(gradient, a_shape_) : Tensor(),
            needs_gradient(1) ? sum_to_shape(gradient, b_shape_) : Tensor()};
  }

 private:
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  Tensor y = elementwise("add", a, b, &kernels::Kernels<float>::add, &kernels::Kernels<double>::add);
  return record<AddNode>("add", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
