#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/checks.h>
#include <wick/ops/expand.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/mean.h>
#include <wick/ops/reshape.h>
#include <wick/ops/scale.h>
#include <wick/ops/sum.h>

namespace wick {
namespace {

// Every summand has the gradient of its mean, over their count.
class MeanNode final : public Node {
 public:
  MeanNode(const Origin& origin, const Shape& x, const Dimensions& axes, double count)
      : Node(origin), x_shape_(x), kept_(reduced_shape("mean", x, axes, /*keepdims=*/true)), count_(count) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {expand(reshape(scale(gradient, 1 / count_), kept_), x_shape_)};
  }

 private:
  Shape x_shape_;
  Shape kept_;  // the output's shape with the summed axes at size 1
  double count_;
};

}  // namespace

Shape mean_shape(const Shape& x, const Dimensions& axes, bool keepdims) {
  return reduced_shape("mean", x, axes, keepdims);
}

Tensor mean(const Tensor& x, const Dimensions& axes, bool keepdims) {
  require_floating("mean", "x", x);
  Tensor y = unrecorded_sum("mean", x, axes, keepdims);
  double count = 1;
  for (const std::int64_t axis : axes) count *= static_cast<double>(x.size(axis));
  visit_floating(x.dtype(), [&]<typename T>() {
    const T divisor = static_cast<T>(count);
    T* means = y.mutable_data<T>();
    active_kernels().in<T>().divide(means, 1, &divisor, 0, means, y.numel());
  });
  return record<MeanNode>("mean", {&x}, std::move(y), x.shape(), axes, count);
}

Tensor mean(const Tensor& x) {
  Dimensions all;
  for (int axis = 0; axis < x.rank(); ++axis) all.push_back(axis);
  return mean(x, all);
}

}  // namespace wick
