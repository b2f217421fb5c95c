#include <wick/models/feed_forward.h>
#include <wick/models/initial.h>
#include <wick/ops/gelu.h>

namespace wick {
namespace {

constexpr std::int64_t kWidening = 4;

}  // namespace

FeedForward::FeedForward(std::int64_t n_embd, const FeedForwardOptions& options, Rng& rng)
    : Module(options.name),
      n_embd_(positive_size("FeedForward", "n_embd", n_embd)),
      expand_(
          this, "expand", n_embd, kWidening * n_embd,
          LinearOptions{.bias = options.bias, .weight_scale = options.weight_scale, .dtype = options.dtype},
          rng),
      contract_(
          this, "contract", kWidening * n_embd, n_embd,
          LinearOptions{.bias = options.bias, .weight_scale = options.contract_scale, .dtype = options.dtype},
          rng),
      dropout_(this, "dropout", options.dropout) {}

Tensor FeedForward::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"...", "T", {"C", n_embd_}});
  const Tensor wide = gelu(expand_->forward(x), GeluForm::tanh);  // (…, T, 4C)
  return dropout_->forward(contract_->forward(wide));             // (…, T, C)
}

std::string FeedForward::description() const {
  return "FeedForward(" + std::to_string(n_embd_) + " -> " + std::to_string(kWidening * n_embd_) + " -> " +
         std::to_string(n_embd_) + ")";
}

}  // namespace wick
