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
#include <wick/ops/transpose.h>

namespace wick {
namespace {

// dx = y (dy - sum(dy y)), the sum along the axis: y itself is all that backward reads.
class SoftmaxNode final : public Node {
 public:
  SoftmaxNode(const Origin& origin, int axis) : Node(origin), y_(this, origin.output), axis_(axis) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor& y = y_.get();
    return {mul(y, subtract(gradient, sum(mul(gradient, y), axis_, /*keepdims=*/true)))};
  }

 private:
  Saved y_;
  int axis_;
};

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  require_floating("softmax", "x", x);
  axis = normalized_axis("softmax", axis, x.rank());
  // The kernel takes contiguous rows. An axis elsewhere changes places with the last one, and back.
  const bool is_last = axis == x.rank() - 1;
  const Tensor rows = is_last ? x.contiguous() : swapped_axes(x, axis, x.rank() - 1).contiguous();  // (…, n)
  Tensor y(rows.shape(), rows.dtype());
  const std::int64_t n = rows.size(-1);
  const std::int64_t count = n == 0 ? 0 : rows.numel() / n;
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().softmax;
    const T* from = rows.data<T>();
    T* to = y.mutable_data<T>();
    parallel_for(count, rows_per_piece(kExponentialsPerPiece, {n}),
                 [=](std::int64_t begin, std::int64_t end) {
                   kernel(from + begin * n, to + begin * n, end - begin, n);
                 });
  });
  if (!is_last) y = swapped_axes(y, axis, x.rank() - 1).contiguous();
  return record<SoftmaxNode>("softmax", {&x}, std::move(y), axis);
}

}  // namespace wick
