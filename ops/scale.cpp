#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>
#include <wick/ops/scale.h>

namespace wick {
namespace {

class ScaleNode final : public Node {
 public:
  ScaleNode(const Origin& origin, double factor) : Node(origin), factor_(factor) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override { return {scale(gradient, factor_)}; }

 private:
  double factor_;
};

}  // namespace

Tensor scale(const Tensor& x, double factor) {
  require_floating("scale", "x", x);
  const Tensor values = x.contiguous();
  Tensor y(x.shape(), x.dtype());
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().scale;
    const T* from = values.data<T>();
    T* to = y.mutable_data<T>();
    parallel_for(y.numel(), kElementsPerPiece, [=](std::int64_t begin, std::int64_t end) {
      kernel(from + begin, static_cast<T>(factor), to + begin, end - begin);
    });
  });
  return record<ScaleNode>("scale", {&x}, std::move(y), factor);
}

}  // namespace wick
