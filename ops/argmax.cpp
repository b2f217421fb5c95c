#include <array>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/argmax.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>
#include <wick/ops/transpose.h>

namespace wick {

Shape argmax_shape(const Shape& x, int axis) {
  const int normalized = normalized_axis("argmax", axis, x.rank());
  if (x[normalized] == 0) {
    throw ValueError("argmax: axis " + std::to_string(axis) + " of " + to_string(x) +
                     " is empty: nothing is largest");
  }
  Shape shape;
  for (int other = 0; other < x.rank(); ++other) {
    if (other != normalized) shape.push_back(x[other]);
  }
  return shape;
}

Tensor argmax(const Tensor& x, int axis) {
  require_floating("argmax", "x", x);
  Tensor y(argmax_shape(x.shape(), axis), int64);
  // The axis goes last, the others keep their order.
  const int reduced = normalized_axis("argmax", axis, x.rank());
  Dimensions order;
  for (int other = 0; other < x.rank(); ++other) {
    if (other != reduced) order.push_back(other);
  }
  order.push_back(reduced);
  const Tensor rows = permuted_view(x, order).contiguous();  // (…, n)
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().argmax;
    const std::int64_t n = rows.size(-1);
    const T* from = rows.data<T>();
    auto* to = y.mutable_data<std::int64_t>();
    parallel_for(
        y.numel(), rows_per_piece(kElementsPerPiece, {n}),
        [=](std::int64_t begin, std::int64_t end) { kernel(from + begin * n, to + begin, end - begin, n); });
  });
  if (OpenObservers::any()) report_op("argmax", std::array{&x}, y);
  return y;
}

}  // namespace wick
