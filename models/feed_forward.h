#pragma once

#include <cstdint>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/dropout.h>
#include <wick/models/linear.h>

namespace wick {

struct FeedForwardOptions {
  bool bias = true;            ///< of both projections
  double weight_scale = 0.02;  ///< of expand (see LinearOptions)
  double contract_scale =
      0.02;  ///< of contract; GPT-2 divides by sqrt(2 n_layer), as it adds to the residual
  DropoutOptions dropout = {};
  DType dtype = float32;
  std::string name = "feed_forward";  ///< as a root; a Child names it anew
};

/// What each position thinks about by itself: four times as wide, gelu in GPT-2's tanh form, and back.
class FeedForward final : public Module {
 public:
  /// Draws the weights of expand and contract from `rng`, in this order. Throws ValueError for a size below
  /// 1, TypeError for a dtype that is not floating.
  FeedForward(std::int64_t n_embd, const FeedForwardOptions& options, Rng& rng);

  /// (…, T, n_embd) -> (…, T, n_embd). Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  std::string description() const override;

 private:
  std::int64_t n_embd_;
  Child<Linear> expand_;
  Child<Linear> contract_;
  Child<Dropout> dropout_;
};

}  // namespace wick
