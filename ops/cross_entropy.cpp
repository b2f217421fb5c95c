#include <algorithm>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/cross_entropy.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

// One call's rows, as kernels read them. The tensors are contiguous.
template <typename T>
kernels::CrossEntropy<T> rows_of(const Tensor& logits, const Tensor& ids, std::int64_t ignored) {
  return {.rows = ids.numel(),
          .n = logits.size(-1),
          .logits = logits.data<T>(),
          .ids = ids.data<std::int64_t>(),
          .ignored = ignored};
}

// The same without the first `begin` rows and those from `end` on.
template <typename T>
kernels::CrossEntropy<T> part_of(kernels::CrossEntropy<T> all, std::int64_t begin, std::int64_t end) {
  all.rows = end - begin;
  all.logits += begin * all.n;
  all.ids += begin;
  return all;
}

// (softmax - 1 where the id is) / count, where the gradient of the mean is 1. The softmax is computed from
// the logits once more; what forward leaves spares its maximum and its sum.
class CrossEntropyNode final : public Node {
 public:
  CrossEntropyNode(const Origin& origin, const Shape& shape, const Tensor& logits, const Tensor& ids,
                   const Tensor& left, std::int64_t ignored, std::int64_t count)
      : Node(origin),
        shape_(shape),
        logits_(this, logits),
        ids_(this, ids),
        left_(this, left),
        ignored_(ignored),
        count_(count) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor& logits = logits_.get();
    const Tensor& ids = ids_.get();
    const Tensor& left = left_.get();
    Tensor dx(shape_, logits.dtype());
    visit_floating(logits.dtype(), [&]<typename T>() {
      const auto kernel = active_kernels().in<T>().cross_entropy_backward;
      const kernels::CrossEntropy<T> all = rows_of<T>(logits, ids, ignored_);
      const T* shift = left.data<T>();
      const T* sum = shift + all.rows;
      const T factor = gradient.item<T>() / static_cast<T>(count_);  // no row reads it where count is 0
      T* to = dx.mutable_data<T>();
      parallel_for(
          all.rows, rows_per_piece(kExponentialsPerPiece, {all.n}),
          [=](std::int64_t begin, std::int64_t end) {
            kernel(part_of(all, begin, end), {shift + begin, sum + begin}, factor, to + begin * all.n);
          });
    });
    return {dx, Tensor()};
  }

 private:
  Shape shape_;
  Saved logits_;
  Saved ids_;
  Saved left_;  // (2, rows): each row's largest logit, and its sum of exponentials
  std::int64_t ignored_;
  std::int64_t count_;  // of rows that are not ignored
};

}  // namespace

Shape cross_entropy_shape(const Shape& logits, const Shape& ids) {
  if (logits.rank() == 0 || !(ids == Shape(std::span(logits.begin(), logits.end() - 1)))) {
    throw ShapeError("cross_entropy: logits " + to_string(logits) + " and ids " + to_string(ids) +
                     ", expected (..., V) and (...)");
  }
  return {};
}

Tensor cross_entropy(const Tensor& logits, const Tensor& ids, const CrossEntropyOptions& options) {
  require_floating("cross_entropy", "logits", logits);
  require_type("cross_entropy", "ids", ids, int64);
  const Shape shape = cross_entropy_shape(logits.shape(), ids.shape());
  const Tensor rights = ids.contiguous();
  require_ids_in_range("cross_entropy", rights, logits.size(-1), options.ignored_id);
  const Tensor values = logits.contiguous();
  const std::int64_t ignored = options.ignored_id.value_or(-1);  // an id that is in range is never -1
  const std::int64_t count = rights.numel() - std::ranges::count(rights.span<std::int64_t>(), ignored);

  Tensor y(shape, logits.dtype());
  Tensor losses(ids.shape(), logits.dtype());
  Tensor left({2, ids.numel()}, logits.dtype());
  visit_floating(logits.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().cross_entropy;
    const kernels::CrossEntropy<T> all = rows_of<T>(values, rights, ignored);
    T* loss = losses.mutable_data<T>();
    T* shift = left.mutable_data<T>();
    T* sum = shift + all.rows;
    parallel_for(all.rows, rows_per_piece(kExponentialsPerPiece, {all.n}),
                 [=](std::int64_t begin, std::int64_t end) {
                   kernel(part_of(all, begin, end), loss + begin, {shift + begin, sum + begin});
                 });
    T total;
    active_kernels().in<T>().sum(loss, &total, 1, all.rows);
    *y.mutable_data<T>() = total / static_cast<T>(count);
  });
  return record<CrossEntropyNode>("cross_entropy", {&logits, &ids}, std::move(y), logits.shape(), values,
                                  rights, left, ignored, count);
}

}  // namespace wick
