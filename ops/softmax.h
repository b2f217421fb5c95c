#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// exp(x - max) / sum(exp(x - max)) along an axis: weights from 0 to 1 that sum to 1. Any shape of rank 1 and
/// up; float32 or float64.
///
/// A row of -infinity only, or with +infinity or NaN in it, is NaN throughout, as in NumPy; a zero-length
/// axis gives an empty result. Accuracy: (|x - max| + n + 4) epsilon relative, for rows of n. Equal scores of
/// a row get equal weights, to the bit. Throws IndexError for an axis that x does not have, TypeError.
Tensor softmax(const Tensor& x, int axis = -1);

}  // namespace wick
