#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <wick/framework/module.h>

namespace wick {

struct LayerNormOptions {
  bool bias = true;       ///< starts at 0
  double epsilon = 1e-5;  ///< added to the variance
  DType dtype = float32;
  std::string name = "norm";  ///< as a root; a Child names it anew
};

/// Each position's numbers brought to mean 0 and variance 1, then scaled by the weight, which starts at 1,
/// and shifted by the bias. Draws nothing. Ba et al., Layer Normalization, 2016.
class LayerNorm final : public Module {
 public:
  /// Throws ValueError for a size below 1, TypeError for a dtype that is not floating.
  explicit LayerNorm(std::int64_t n_embd, const LayerNormOptions& options = {});

  /// (…, n_embd) -> (…, n_embd). Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  std::string description() const override;

 private:
  std::int64_t n_embd_;
  double epsilon_;
  Parameter weight_;
  std::optional<Parameter> bias_;
};

}  // namespace wick
