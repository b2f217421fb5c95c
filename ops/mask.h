#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// What a blocked score becomes unless the caller says otherwise, as in the course. Beside any score of
/// ordinary size its softmax weight is exactly 0; where a whole row is blocked, the row is the uniform
/// average, with finite gradients.
inline constexpr double kMaskFill = -1e9;

/// Replaces scores by `fill` where `blocked` is true: replaced, never added to, so that blocking twice is
/// blocking once. `blocked` is boolean and broadcasts to the shape of `scores`, which is the result's. A fill
/// of -infinity is the caller's own: softmax makes NaN of a row that has nothing else. Throws ShapeError,
/// TypeError. NumPy: where(blocked, fill, scores).
Tensor mask(const Tensor& scores, const Tensor& blocked, double fill = kMaskFill);

/// Blocks the keys that come after each query. `scores` is (…, Tq, Tk), queries standing at the end of the
/// keys: query i sees keys 0 … i + (Tk - Tq). Throws ShapeError for rank below 2, and where Tq > Tk, since
/// the first queries would then see no key. NumPy: where(triu(ones((Tq, Tk), bool), k=1 + Tk - Tq), fill,
/// scores).
Tensor causal_mask(const Tensor& scores, double fill = kMaskFill);

}  // namespace wick
