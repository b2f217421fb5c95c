#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/print.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/dropout.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

// kept ? x * factor : 0, in a new tensor. `kept` is contiguous.
Tensor kept_part(const Tensor& x, const Tensor& kept, double factor) {
  const Tensor values = x.contiguous();
  Tensor y(x.shape(), x.dtype());
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().dropout;
    const T* from = values.data<T>();
    const bool* keeps = kept.data<bool>();
    T* to = y.mutable_data<T>();
    parallel_for(y.numel(), kElementsPerPiece, [=](std::int64_t begin, std::int64_t end) {
      kernel(from + begin, keeps + begin, static_cast<T>(factor), to + begin, end - begin);
    });
  });
  return y;
}

// The gradient goes the same way as the values; which were kept is a byte each.
class DropoutNode final : public Node {
 public:
  DropoutNode(const Origin& origin, const Tensor& kept, double factor)
      : Node(origin), kept_(this, kept), factor_(factor) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {kept_part(gradient, kept_.get(), factor_)};
  }

 private:
  Saved kept_;
  double factor_;
};

}  // namespace

Tensor dropout(const Tensor& x, double rate, Rng& rng) {
  require_floating("dropout", "x", x);
  if (!(rate >= 0 && rate < 1))
    throw ValueError("dropout: a rate of " + repr(rate) + ", expected one in [0, 1)");
  if (rate == 0) return x;
  Tensor kept(x.shape(), boolean);
  for (bool& keeps : kept.mutable_span<bool>()) keeps = rng.random() >= rate;
  const double factor = 1 / (1 - rate);
  return record<DropoutNode>("dropout", {&x}, kept_part(x, kept, factor), kept, factor);
}

}  // namespace wick
