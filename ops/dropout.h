#pragma once

#include <wick/framework/random.h>
#include <wick/framework/tensor.h>

namespace wick {

/// Each element is kept with probability 1 - rate, and is then multiplied by 1 / (1 - rate), so that the
/// expected value stays; else it becomes 0, whatever it was. float32 or float64, any shape. The gradient
/// passes where the element was kept, with the same factor.
///
/// Draws one rng.random() per element, in row-major order, in either type: what is below `rate` goes. With
/// rate 0 the result is x itself and nothing is drawn. Throws ValueError for a rate outside [0, 1),
/// TypeError. NumPy: where(rng.random(x.shape) < rate, 0, x * (1 / (1 - rate))).
Tensor dropout(const Tensor& x, double rate, Rng& rng);

}  // namespace wick
