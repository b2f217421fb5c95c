#pragma once

#include <memory>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>

namespace wick {

struct DropoutOptions {
  double rate = 0;                ///< how likely an element becomes 0, in [0, 1)
  std::shared_ptr<Rng> rng = {};  ///< what it draws from, one draw per element; needed for training only
};

/// While training, sets elements to 0 at random and divides the others by 1 - rate (see dropout());
/// otherwise, and at rate 0, gives x itself and draws nothing. The stream belongs to whoever made it: a run
/// that is to be continued keeps its state. Srivastava et al., Dropout, 2014.
class Dropout final : public Module {
 public:
  /// Throws ValueError for a rate outside [0, 1).
  explicit Dropout(const DropoutOptions& options, std::string name = "dropout");

  /// Any shape. Throws ValueError where it is to draw, and has no stream; TypeError.
  Tensor forward(const Tensor& x) const;

  std::string description() const override;

 private:
  double rate_;
  std::shared_ptr<Rng> rng_;
};

}  // namespace wick
