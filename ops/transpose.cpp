#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/checks.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

// axes[i] counted from the front, as a permutation or an error.
Dimensions normalized_permutation(const Shape& shape, const Dimensions& axes) {
  if (axes.rank() != shape.rank()) {
    throw ShapeError("transpose: axes " + to_string(axes) + " for a tensor of rank " +
                     std::to_string(shape.rank()) + ": one for each dimension is needed");
  }
  Dimensions permutation;
  for (const std::int64_t axis : axes) {
    const int normalized = normalized_axis("transpose", axis, shape.rank());
    for (const std::int64_t earlier : permutation) {
      if (earlier == normalized) {
        throw ShapeError("transpose: axis " + std::to_string(axis) + " is given twice in " + to_string(axes));
      }
    }
    permutation.push_back(normalized);
  }
  return permutation;
}

Shape permuted(const Shape& shape, const Dimensions& permutation) {
  Shape result;
  for (const std::int64_t axis : permutation) result.push_back(shape[static_cast<int>(axis)]);
  return result;
}

class TransposeNode final : public Node {
 public:
  TransposeNode(const Origin& origin, const Dimensions& permutation) : Node(origin), inverse_(permutation) {
    for (int i = 0; i < permutation.rank(); ++i) inverse_[static_cast<int>(permutation[i])] = i;
  }

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {transpose(gradient, inverse_)};
  }

 private:
  Dimensions inverse_;
};

Dimensions in_order(int rank) {
  Dimensions axes;
  for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  return axes;
}

}  // namespace

Tensor permuted_view(const Tensor& x, const Dimensions& permutation) {
  if (permutation == in_order(x.rank())) return x.detach();
  Strides strides;
  for (const std::int64_t axis : permutation) strides.push_back(x.strides()[static_cast<int>(axis)]);
  return x.strided_view(permuted(x.shape(), permutation), strides);
}

Shape transpose_shape(const Shape& x, const Dimensions& axes) {
  return permuted(x, normalized_permutation(x, axes));
}

Tensor transpose(const Tensor& x, const Dimensions& axes) {
  require_defined("transpose", "x", x);
  const Dimensions permutation = normalized_permutation(x.shape(), axes);
  return record<TransposeNode>("transpose", {&x}, permuted_view(x, permutation), permutation);
}

Tensor transpose(const Tensor& x) {
  require_defined("transpose", "x", x);
  if (x.rank() < 2) {
    throw ShapeError("transpose: a tensor of shape " + to_string(x.shape()) +
                     " has no two last dimensions to exchange");
  }
  Dimensions axes = in_order(x.rank());
  std::swap(axes[x.rank() - 2], axes[x.rank() - 1]);
  return record<TransposeNode>("transpose", {&x}, permuted_view(x, axes), axes);
}

Tensor swapped_axes(const Tensor& x, int a, int b) {
  if (a == b) return x.detach();
  Dimensions axes = in_order(x.rank());
  std::swap(axes[a], axes[b]);
  return permuted_view(x, axes);
}

}  // namespace wick
