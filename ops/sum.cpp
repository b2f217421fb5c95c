#include <array>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/columns.h>
#include <wick/ops/expand.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>
#include <wick/ops/reshape.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

// For each axis of x, whether it is summed over.
std::array<bool, kMaxRank> summed_axes(std::string_view op, const Shape& x, const Dimensions& axes) {
  std::array<bool, kMaxRank> summed{};
  for (const std::int64_t axis : axes) {
    bool& entry = summed[static_cast<std::size_t>(normalized_axis(op, axis, x.rank()))];
    if (entry) {
      throw ShapeError(std::string(op) + ": axis " + std::to_string(axis) + " is given twice in " +
                       to_string(axes));
    }
    entry = true;
  }
  return summed;
}

Shape result_shape(const Shape& x, const std::array<bool, kMaxRank>& summed, bool keepdims) {
  Shape shape;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!summed[static_cast<std::size_t>(axis)]) {
      shape.push_back(x[axis]);
    } else if (keepdims) {
      shape.push_back(1);
    }
  }
  return shape;
}

// Every summand has the gradient of its sum: an expanded view of it.
class SumNode final : public Node {
 public:
  SumNode(const Origin& origin, const Shape& x, const Dimensions& axes)
      : Node(origin), x_shape_(x), kept_(reduced_shape("sum", x, axes, /*keepdims=*/true)) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {expand(reshape(gradient, kept_), x_shape_)};
  }

 private:
  Shape x_shape_;
  Shape kept_;  // the output's shape with the summed axes at size 1
};

// x with the summed axes last, so that each result is the sum of one contiguous row: (kept…, summed…).
Tensor as_rows(const Tensor& x, const std::array<bool, kMaxRank>& summed) {
  Dimensions order;
  for (const bool last : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (summed[static_cast<std::size_t>(axis)] == last) order.push_back(axis);
    }
  }
  return permuted_view(x, order).contiguous();
}

template <typename T>
void sum_rows(const Tensor& rows, Tensor& y) {
  const std::int64_t n = y.numel() == 0 ? 0 : rows.numel() / y.numel();
  const auto kernel = active_kernels().in<T>().sum;
  const T* from = rows.data<T>();
  T* to = y.mutable_data<T>();
  // A single long row stays whole: its order of addition is fixed by its length.
  parallel_for(y.numel(), rows_per_piece(kElementsPerPiece, {n}), [=](std::int64_t begin, std::int64_t end) {
    kernel(from + begin * n, to + begin, end - begin, n);
  });
}

// Down the columns of matrices, without a copy.
template <typename T>
void sum_columns(const Tensor& x, Tensor& y, const Split& split) {
  const auto kernel = active_kernels().in<T>().sum_columns;
  const T* from = x.data<T>();
  T* to = y.mutable_data<T>();
  for_each_run_of_columns(split, kElementsPerPiece,
                          [=](std::int64_t first, std::int64_t column, std::int64_t count) {
                            kernel(from + first, split.inner, to + column, split.n, count);
                          });
}

}  // namespace

Shape reduced_shape(std::string_view op, const Shape& x, const Dimensions& axes, bool keepdims) {
  return result_shape(x, summed_axes(op, x, axes), keepdims);
}

Tensor unrecorded_sum(std::string_view op, const Tensor& x, const Dimensions& axes, bool keepdims) {
  const std::array<bool, kMaxRank> summed = summed_axes(op, x.shape(), axes);
  Tensor y(result_shape(x.shape(), summed, keepdims), x.dtype());
  const Split split = split_at(x.shape(), summed);
  visit_floating(x.dtype(), [&]<typename T>() {
    if (!x.is_contiguous() || split.n == 1) {  // 1: also where the summed axes do not stand together
      sum_rows<T>(as_rows(x, summed), y);
    } else if (split.inner == 1) {
      sum_rows<T>(x, y);
    } else {
      sum_columns<T>(x, y, split);
    }
  });
  return y;
}

Shape sum_shape(const Shape& x, const Dimensions& axes, bool keepdims) {
  return reduced_shape("sum", x, axes, keepdims);
}

Tensor sum(const Tensor& x, const Dimensions& axes, bool keepdims) {
  require_floating("sum", "x", x);
  return record<SumNode>("sum", {&x}, unrecorded_sum("sum", x, axes, keepdims), x.shape(), axes);
}

Tensor sum(const Tensor& x) {
  Dimensions all;
  for (int axis = 0; axis < x.rank(); ++axis) all.push_back(axis);
  return sum(x, all);
}

}  // namespace wick
