#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/gelu.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

// x alone is kept: its exponential is cheaper to compute again than to fetch.
class GeluNode final : public Node {
 public:
  GeluNode(const Origin& origin, const Tensor& x, GeluForm form) : Node(origin), x_(this, x), form_(form) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor values = x_.get().contiguous();
    const Tensor dy = gradient.contiguous();
    Tensor dx(values.shape(), values.dtype());
    visit_floating(dx.dtype(), [&]<typename T>() {
      const auto& kernels = active_kernels().in<T>();
      const auto kernel = form_ == GeluForm::tanh ? kernels.gelu_tanh_backward : kernels.gelu_exact_backward;
      const T* from = values.data<T>();
      const T* from_gradient = dy.data<T>();
      T* to = dx.mutable_data<T>();
      parallel_for(dx.numel(), kExponentialsPerPiece, [=](std::int64_t begin, std::int64_t end) {
        kernel(from + begin, from_gradient + begin, to + begin, end - begin);
      });
    });
    return {dx};
  }

 private:
  Saved x_;
  GeluForm form_;
};

}  // namespace

Tensor gelu(const Tensor& x, GeluForm form) {
  require_floating("gelu", "x", x);
  const Tensor values = x.contiguous();
  Tensor y(x.shape(), x.dtype());
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto& kernels = active_kernels().in<T>();
    const auto kernel = form == GeluForm::tanh ? kernels.gelu_tanh : kernels.gelu_exact;
    const T* from = values.data<T>();
    T* to = y.mutable_data<T>();
    parallel_for(y.numel(), kExponentialsPerPiece, [=](std::int64_t begin, std::int64_t end) {
      kernel(from + begin, to + begin, end - begin);
    });
  });
  return record<GeluNode>("gelu", {&x}, std::move(y), x, form);
}

}  // namespace wick
