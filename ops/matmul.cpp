#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/matmul.h>
#include <wick/ops/product.h>

namespace wick {
namespace {

std::string in_words(const Shape& a, const Shape& b) {
  return "matmul: " + to_string(a) + " @ " + to_string(b);
}

// dA = dY Bᵀ and dB = Aᵀ dY.
class MatmulNode final : public Node {
 public:
  MatmulNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        a_(this, needs_gradient(1) ? a : Tensor()),
        b_(this, needs_gradient(0) ? b : Tensor()),
        a_shape_(a.shape()),
        b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? gradient_of_left(gradient, b_.get(), a_shape_) : Tensor(),
            needs_gradient(1) ? gradient_of_right(a_.get(), gradient, b_shape_) : Tensor()};
  }

 private:
  Saved a_;
  Saved b_;
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Shape matmul_shape(const Shape& a, const Shape& b) {
  if (a.rank() < 2 || b.rank() < 2) throw ShapeError(in_words(a, b) + ": both need rank 2 or more");
  if (a.back() != b[b.rank() - 2]) {
    throw ShapeError(in_words(a, b) + ": inner dimensions " + std::to_string(a.back()) + " and " +
                     std::to_string(b[b.rank() - 2]) + " differ");
  }
  Shape shape = a;
  if (b.rank() > 2) {
    const Shape front = batch_shape(a);
    // The usual case need not be put into words.
    shape = front == batch_shape(b) ? front : broadcast_shapes(in_words(a, b), front, batch_shape(b));
    shape.push_back(a[-2]);
    shape.push_back(a.back());
  }
  shape[-1] = b.back();
  static_cast<void>(shape.numel());
  return shape;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  require_same_floating("matmul", a, b);
  return record<MatmulNode>("matmul", {&a, &b}, product(a, b, matmul_shape(a.shape(), b.shape())), a, b);
}

}  // namespace wick
