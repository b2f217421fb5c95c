#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/mask.h>
#include <wick/ops/pieces.h>
#include <wick/ops/rows.h>

namespace wick {
namespace {

// A blocked score has no influence on the result, so its gradient is 0.
class MaskNode final : public Node {
 public:
  MaskNode(const Origin& origin, const Tensor& blocked) : Node(origin), blocked_(this, blocked) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {mask(gradient, blocked_.get(), 0), Tensor()};
  }

 private:
  Saved blocked_;
};

class CausalMaskNode final : public Node {
 public:
  explicit CausalMaskNode(const Origin& origin) : Node(origin) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override { return {causal_mask(gradient, 0)}; }
};

void require_mask_shapes(const Shape& scores, const Shape& blocked) {
  if (!(broadcast_shapes("mask", scores, blocked) == scores)) {
    throw ShapeError("mask: blocked " + to_string(blocked) + " does not broadcast to the scores' shape " +
                     to_string(scores));
  }
}

void require_causal_shape(const Shape& scores) {
  if (scores.rank() < 2) {
    throw ShapeError("causal_mask: scores " + to_string(scores) + " of rank " +
                     std::to_string(scores.rank()) + ", expected (..., Tq, Tk)");
  }
  const std::int64_t Tq = scores[scores.rank() - 2];
  const std::int64_t Tk = scores.back();
  if (Tq > Tk) {
    throw ShapeError("causal_mask: scores " + to_string(scores) + ": Tq=" + std::to_string(Tq) +
                     " queries are more than Tk=" + std::to_string(Tk) +
                     " keys, so the first would see none");
  }
}

}  // namespace

Tensor mask(const Tensor& scores, const Tensor& blocked, double fill) {
  require_floating("mask", "scores", scores);
  require_type("mask", "blocked", blocked, boolean);
  require_mask_shapes(scores.shape(), blocked.shape());
  Tensor y(scores.shape(), scores.dtype());
  visit_floating(scores.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().mask;
    for_each_piece<T, bool, T>(scores, blocked, y,
                               [&](RowPiece<T> x, RowPiece<bool> hides, T* out, std::int64_t n) {
                                 kernel(x.data, x.step, hides.data, hides.step, static_cast<T>(fill), out, n);
                               });
  });
  return record<MaskNode>("mask", {&scores, &blocked}, std::move(y), blocked);
}

Tensor causal_mask(const Tensor& scores, double fill) {
  require_floating("causal_mask", "scores", scores);
  require_causal_shape(scores.shape());
  const Tensor values = scores.contiguous();  // (…, Tq, Tk)
  Tensor y(scores.shape(), scores.dtype());
  const std::int64_t Tq = scores.size(-2);
  const std::int64_t Tk = scores.size(-1);
  const std::int64_t rows = Tk == 0 ? 0 : y.numel() / Tk;
  visit_floating(y.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().causal_mask;
    const T* from = values.data<T>();
    T* to = y.mutable_data<T>();
    parallel_for(rows, rows_per_piece(kElementsPerPiece, {Tk}), [=](std::int64_t begin, std::int64_t end) {
      for_each_group(begin, end, Tq, [=](std::int64_t matrix, std::int64_t query, std::int64_t count) {
        const std::int64_t first = (matrix * Tq + query) * Tk;
        kernel(from + first, query + 1 + Tk - Tq, static_cast<T>(fill), to + first, count, Tk);
      });
    });
  });
  return record<CausalMaskNode>("causal_mask", {&scores}, std::move(y));
}

}  // namespace wick
