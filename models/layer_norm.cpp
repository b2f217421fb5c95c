#include <wick/framework/makers.h>
#include <wick/models/initial.h>
#include <wick/models/layer_norm.h>
#include <wick/ops/layer_norm.h>

namespace wick {

LayerNorm::LayerNorm(std::int64_t n_embd, const LayerNormOptions& options)
    : Module(options.name),
      n_embd_(positive_size("LayerNorm", "n_embd", n_embd)),
      epsilon_(options.epsilon),
      weight_(this, "weight", ones({n_embd}, options.dtype)) {
  if (options.bias) bias_.emplace(this, "bias", zeros({n_embd}, options.dtype));
}

Tensor LayerNorm::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"...", {"C", n_embd_}});
  return bias_ ? layer_norm(x, weight_, *bias_, epsilon_) : layer_norm(x, weight_, {}, epsilon_);
}

std::string LayerNorm::description() const {
  return "LayerNorm(" + std::to_string(n_embd_) + (bias_ ? ")" : ", no bias)");
}

}  // namespace wick
