#include <algorithm>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/mul.h>
#include <wick/ops/pieces.h>
#include <wick/ops/softmax.h>
#include <wick/ops/subtract.h>
#include <wick/ops/sum.h>

namespace wick {
namespace {

// An axis in the middle splits a contiguous tensor into matrices whose columns it runs along.
struct Split {
  std::int64_t outer = 1;  // matrices
  std::int64_t n = 1;      // their rows: the axis
  std::int64_t inner = 1;  // their columns
};

Split split_at(const Shape& shape, int axis) {
  Split split;
  split.n = shape[axis];
  for (int other = 0; other < axis; ++other) split.outer *= shape[other];
  for (int other = axis + 1; other < shape.rank(); ++other) split.inner *= shape[other];
  return split;
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
void softmax_rows(const T* from, T* to, Split split) {
  const auto kernel = active_kernels().in<T>().softmax;
  parallel_for(split.outer, rows_per_piece(kExponentialsPerPiece, {split.n}),
               [=](std::int64_t begin, std::int64_t end) {
                 kernel(from + begin * split.n, to + begin * split.n, end - begin, split.n);
               });
}

// Along another one: the columns of one matrix after the other. Threads share all columns of all matrices.
template <typename T>
void softmax_columns(const T* from, T* to, Split split) {
  const auto kernel = active_kernels().in<T>().softmax_columns;
  const std::int64_t n = split.n;
  const std::int64_t inner = split.inner;
  const std::int64_t grain = rows_per_piece(kExponentialsPerPiece, {n});
  parallel_for(split.outer * inner, grain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t column = begin; column < end;) {
      const std::int64_t first = column % inner;
      const std::int64_t count = std::min(inner - first, end - column);
      const std::int64_t offset = column / inner * n * inner + first;
      kernel(from + offset, to + offset, inner, n, count);
      column += count;
    }
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
      split.inner == 1 ? softmax_rows(from, to, split) : softmax_columns(from, to, split);
    });
  }
  return record<SoftmaxNode>("softmax", {&x}, std::move(y), axis);
}

}  // namespace wick
