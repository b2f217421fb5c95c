#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>

namespace wick {

struct LinearOptions {
  bool bias = true;            ///< starts at 0
  double weight_scale = 0.02;  ///< the weight is standard normals times this; 0.02 is GPT-2's
  DType dtype = float32;
  std::string name = "linear";  ///< as a root; a Child names it anew
};

/// x @ weight + bias. The weight is (in_features, out_features), as in the course; PyTorch keeps its
/// transpose.
class Linear final : public Module {
 public:
  /// Draws the weight from `rng`, in row-major order. Throws ValueError for a size below 1, TypeError for a
  /// dtype that is not floating.
  Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& options, Rng& rng);

  /// (…, T, in_features) -> (…, T, out_features), of rank 2 and up. Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  const Tensor& weight() const { return weight_; }
  /// Undefined without one.
  Tensor bias() const { return bias_ ? bias_->tensor() : Tensor(); }

  std::string description() const override;

 private:
  std::int64_t in_features_;
  std::int64_t out_features_;
  Parameter weight_;
  std::optional<Parameter> bias_;
};

}  // namespace wick
