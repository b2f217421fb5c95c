#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/gelu.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/mul.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

// Forward has computed the derivative along with the value, which is a few instructions more: it is kept
// instead of x, and backward has no exponential to compute.
class GeluNode final : public Node {
 public:
  GeluNode(const Origin& origin, const Tensor& slope) : Node(origin), slope_(this, slope) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {mul(gradient, slope_.get())};
  }

 private:
  Saved slope_;
};

}  // namespace

Tensor gelu(const Tensor& x, GeluForm form) {
  require_floating("gelu", "x", x);
  const Tensor values = x.contiguous();
  Tensor y(x.shape(), x.dtype());
  const Tensor* const input = &x;
  Tensor slope = needs_node({&input, 1}) ? Tensor(x.shape(), x.dtype()) : Tensor();
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto& kernels = active_kernels().in<T>();
    const auto kernel = form == GeluForm::tanh ? kernels.gelu_tanh : kernels.gelu_exact;
    const T* from = values.data<T>();
    T* to = y.mutable_data<T>();
    T* kept = slope.defined() ? slope.mutable_data<T>() : nullptr;
    parallel_for(y.numel(), kExponentialsPerPiece, [=](std::int64_t begin, std::int64_t end) {
      kernel(from + begin, to + begin, kept == nullptr ? nullptr : kept + begin, end - begin);
    });
  });
  return record<GeluNode>("gelu", {&x}, std::move(y), slope);
}

}  // namespace wick
