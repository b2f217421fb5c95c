#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/float_text.h>
#include <wick/models/dropout.h>
#include <wick/ops/dropout.h>

namespace wick {

Dropout::Dropout(const DropoutOptions& options, std::string name)
    : Module(std::move(name)), rate_(options.rate), rng_(options.rng) {
  if (!(rate_ >= 0 && rate_ < 1)) {
    throw ValueError("Dropout: rate is " + scalar_text(rate_) + ", expected 0 or more and less than 1");
  }
}

Tensor Dropout::forward(const Tensor& x) const {
  if (!is_training() || rate_ == 0) return x;
  ModuleScope scope(*this);
  if (rng_ == nullptr) {
    throw ValueError("there is no stream to draw from: training with dropout needs one, evaluation none");
  }
  return dropout(x, rate_, *rng_);
}

std::string Dropout::description() const { return "Dropout(" + scalar_text(rate_) + ")"; }

}  // namespace wick
