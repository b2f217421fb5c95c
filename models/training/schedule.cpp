#include <cmath>
#include <numbers>
#include <string>

#include <wick/framework/error.h>
#include <wick/models/training/schedule.h>

namespace wick {

double Schedule::rate(std::int64_t step) const {
  if (step < 1) throw ValueError("the step is " + std::to_string(step) + ", expected 1 or more");
  if (step <= warmup) return peak * (static_cast<double>(step) / static_cast<double>(warmup));
  if (step >= steps) return peak * floor;
  const double part = static_cast<double>(step - warmup) / static_cast<double>(steps - warmup);
  return peak * (floor + (1 - floor) * (1 + std::cos(std::numbers::pi * part)) / 2);
}

void Schedule::validate() const {
  if (!(std::isfinite(peak) && peak >= 0)) {
    throw ValueError("the learning rate is " + std::to_string(peak) +
                     ", expected a finite number of 0 or more");
  }
  if (warmup < 0) throw ValueError("the warm-up is " + std::to_string(warmup) + " steps, expected 0 or more");
  if (steps < 0) throw ValueError("the run is " + std::to_string(steps) + " steps, expected 0 or more");
  if (!(floor >= 0 && floor <= 1)) {
    throw ValueError("the floor is " + std::to_string(floor) + " of the learning rate, expected [0, 1]");
  }
}

}  // namespace wick
