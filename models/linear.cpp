#include <wick/framework/makers.h>
#include <wick/models/initial.h>
#include <wick/models/linear.h>
#include <wick/ops/linear.h>
#include <wick/ops/matmul.h>

namespace wick {

Linear::Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& options, Rng& rng)
    : Module(options.name),
      in_features_(positive_size("Linear", "in_features", in_features)),
      out_features_(positive_size("Linear", "out_features", out_features)),
      weight_(this, "weight",
              scaled_normal({in_features, out_features}, options.weight_scale, options.dtype, rng)) {
  if (options.bias) bias_.emplace(this, "bias", zeros({out_features}, options.dtype));
}

Tensor Linear::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"...", {"in_features", in_features_}});
  return bias_ ? linear(x, weight_, *bias_) : matmul(x, weight_);  // (…, out_features)
}

std::string Linear::description() const {
  return "Linear(" + std::to_string(in_features_) + " -> " + std::to_string(out_features_) +
         (bias_ ? ")" : ", no bias)");
}

}  // namespace wick
