#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/strided.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/matmul.h>
#include <wick/ops/reshape.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

std::string product(const Shape& a, const Shape& b) {
  return "matmul: " + to_string(a) + " @ " + to_string(b);
}

Shape front_of(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

// Strides over the dimensions in front of the matrices, as `front` broadcasts them.
Strides front_strides(const Tensor& x, const Shape& front) {
  return broadcast_strides(front_of(x.shape()),
                           Strides(std::span(x.strides().begin(), x.strides().end() - 2)), front);
}

template <typename T>
kernels::Matrix<T> matrix_at(const Tensor& x, std::int64_t offset) {
  return {x.data<T>() + offset, x.strides()[x.rank() - 2], x.strides()[x.rank() - 1]};
}

// dA = dY Bᵀ and dB = Aᵀ dY, each summed over the dimensions that broadcasting repeated.
class MatmulNode final : public Node {
 public:
  MatmulNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        a_(this, needs_gradient(1) ? a : Tensor()),
        b_(this, needs_gradient(0) ? b : Tensor()),
        a_shape_(a.shape()),
        b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? sum_to_shape(matmul(gradient, transpose(b_.get())), a_shape_) : Tensor(),
            needs_gradient(1) ? gradient_of_b(gradient) : Tensor()};
  }

 private:
  Tensor gradient_of_b(const Tensor& gradient) const {
    const Tensor& a = a_.get();
    if (b_shape_.rank() > 2) return sum_to_shape(matmul(transpose(a), gradient), b_shape_);
    // One matrix for the whole batch: the sum over the batch is one longer product, (K, …M) @ (…M, N).
    std::int64_t M = 1;
    for (int axis = 0; axis + 1 < a.rank(); ++axis) M *= a.shape()[axis];
    const Tensor rows = reshape(a, {M, a.size(-1)});
    return matmul(transpose(rows), reshape(gradient, {M, gradient.size(-1)}));
  }

  Saved a_;
  Saved b_;
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Shape matmul_shape(const Shape& a, const Shape& b) {
  if (a.rank() < 2 || b.rank() < 2) throw ShapeError(product(a, b) + ": both need rank 2 or more");
  if (a.back() != b[b.rank() - 2]) {
    throw ShapeError(product(a, b) + ": inner dimensions " + std::to_string(a.back()) + " and " +
                     std::to_string(b[b.rank() - 2]) + " differ");
  }
  Shape shape = broadcast_shapes(product(a, b), front_of(a), front_of(b));
  shape.push_back(a[a.rank() - 2]);
  shape.push_back(b.back());
  static_cast<void>(shape.numel());
  return shape;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  require_same_floating("matmul", a, b);
  Tensor y(matmul_shape(a.shape(), b.shape()), a.dtype());
  std::int64_t M = y.size(-2);
  const std::int64_t N = y.size(-1);
  const std::int64_t K = a.size(-1);

  Shape front = front_of(y.shape());
  std::array<Strides, 3> strides = {front_strides(y, front), front_strides(a, front),
                                    front_strides(b, front)};
  coalesce(front, strides);
  // (B, T, C) @ (C, hs): where the batch is only more rows of a, it is one product.
  const int last = front.rank() - 1;
  if (strides[2][last] == 0 && strides[1][last] == M * a.strides()[a.rank() - 2] &&
      strides[0][last] == M * N) {
    M *= front[last];
    front[last] = 1;
  }
  visit_floating(y.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().matmul;
    T* out = y.mutable_data<T>();
    for_each_row<3>(front, strides, [&](auto offsets, std::int64_t n, auto steps) {
      for (std::int64_t i = 0; i < n; ++i) {
        kernel(M, N, K, matrix_at<T>(a, offsets[1] + i * steps[1]),
               matrix_at<T>(b, offsets[2] + i * steps[2]), out + offsets[0] + i * steps[0], N);
      }
    });
  });
  return record<MatmulNode>("matmul", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
