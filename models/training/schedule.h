#pragma once

#include <cstdint>

namespace wick {

/// A learning rate that rises, then falls: linearly from 0 to `peak` over the warm-up, then along half a
/// cosine to `floor` times `peak`.
struct Schedule {
  double peak = 3e-3;
  std::int64_t warmup = 50;  ///< steps of the rise; 0: none
  std::int64_t steps = 600;  ///< of the whole run
  double floor = 0.1;        ///< a share of the peak, in [0, 1]

  /// The rate of a step, counted from 1: `peak` times
  ///
  ///     step / warmup                                                      up to the step `warmup`
  ///     floor + (1 - floor) (1 + cos(pi (step - warmup) / (steps - warmup))) / 2     after it
  ///
  /// So step 1 gets 1 / warmup, the step `warmup` exactly 1 (without a warm-up no step does: step 1 is the
  /// first to fall), and the last step exactly `floor`; so does every step beyond. Where the warm-up is as
  /// long as the run, or longer, nothing falls. Throws ValueError for a step below 1.
  double rate(std::int64_t step) const;

  /// Throws ValueError where a number is none that it can be: a rate that is negative or not finite, a
  /// negative count, a floor outside of [0, 1].
  void validate() const;
};

}  // namespace wick
