#include <array>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/columns.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/mul.h>
#include <wick/ops/pieces.h>
#include <wick/ops/softmax.h>
#include <wick/ops/subtract.h>
#include <wick/ops/sum.h>

namespace wick {
namespace {

Split split_at(const Shape& shape, int axis) {
  std::array<bool, kMaxRank> along{};
  along[static_cast<std::size_t>(axis)] = true;
  return split_at(shape, along);
}

// dx = y (dy - sum(dy y)), the sum along the axis: y itself is all that backward reads.
class SoftmaxNode final : public Node {
 public:
  SoftmaxNode(const Origin& origin, int axis) : Node(origin), y_(this, origin.output), axis_(axis) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor& y = y_.get();
    const Split split = split_at(y.shape(), axis_);
    if (split.inner > 1) {
      return {mul(y, subtract(gradient, sum(mul(gradient, y), axis_, /*keepdims=*/true)))};
    }
    const Tensor weights = y.contiguous();  // (…, n)
    const Tensor dy = gradient.contiguous();
    Tensor dx(y.shape(), y.dtype());
    if (dx.numel() == 0) return {dx};
    visit_floating(y.dtype(), [&]<typename T>() {
      const auto kernel = active_kernels().in<T>().softmax_backward;
      const T* from = weights.data<T>();
      const T* from_gradient = dy.data<T>();
      T* to = dx.mutable_data<T>();
      const std::int64_t n = split.n;
      parallel_for(split.outer, rows_per_piece(kElementsPerPiece, {n}),
                   [=](std::int64_t begin, std::int64_t end) {
                     kernel(from + begin * n, from_gradient + begin * n, to + begin * n, end - begin, n);
                   });
    });
    return {dx};
  }

 private:
  Saved y_;
  int axis_;
};

// Along the last axis: contiguous rows.
template <typename T>
void softmax_rows(const T* from, T* to, const Split& split) {
  const auto kernel = active_kernels().in<T>().softmax;
  parallel_for(split.outer, rows_per_piece(kExponentialsPerPiece, {split.n}),
               [=](std::int64_t begin, std::int64_t end) {
                 kernel(from + begin * split.n, to + begin * split.n, end - begin, split.n);
               });
}

// Along another one: down the columns of matrices.
template <typename T>
void softmax_columns(const T* from, T* to, const Split& split) {
  const auto kernel = active_kernels().in<T>().softmax_columns;
  for_each_run_of_columns(split, kExponentialsPerPiece,
                          [=](std::int64_t first, std::int64_t /*column*/, std::int64_t count) {
                            kernel(from + first, to + first, split.inner, split.n, count);
                          });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  require_floating("softmax", "x", x);
  axis = normalized_axis("softmax", axis, x.rank());
  const Tensor values = x.contiguous();
  Tensor y(x.shape(), x.dtype());
  const Split split = split_at(x.shape(), axis);
  if (y.numel() > 0) {
    visit_floating(x.dtype(), [&]<typename T>() {
      const T* from = values.data<T>();
      T* to = y.mutable_data<T>();
      if (split.inner == 1) {
        softmax_rows(from, to, split);
      } else {
        softmax_columns(from, to, split);
      }
    });
  }
  return record<SoftmaxNode>("softmax", {&x}, std::move(y), axis);
}

}  // namespace wick
