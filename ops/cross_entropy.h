#pragma once

#include <cstdint>
#include <optional>

#include <wick/framework/tensor.h>

namespace wick {

struct CrossEntropyOptions {
  /// Positions with this id count for nothing: neither in the mean nor in the gradient, whatever their logits
  /// are. It may lie outside [0, V), as padding does.
  std::optional<std::int64_t> ignored_id = {};
};

/// The mean over all positions of -log(softmax(logits)[id]): what a model loses on the right answers, in
/// nats. `logits` is (…, V), float32 or float64; `ids` is int64 (…); the result is a tensor of rank 0. One
/// pass each way: no softmax and no one-hot array is stored, and the largest logit is taken off first, so
/// that nothing overflows.
///
/// The mean over no position at all (none given, or every one ignored) is NaN, 0 / 0, and its gradient 0, as
/// in PyTorch. A row with NaN, +infinity or nothing but -infinity in it loses NaN; an id whose logit is
/// -infinity loses infinity. Losses are not negative.
///
/// Accuracy: with l the mean loss over N positions, and d the mean of (largest logit - the id's), within
/// (d + V + 8 + (26 + log2(N + 1)) l) epsilon. Losses are added in an order fixed by N and the instruction
/// set alone.
///
/// Throws IndexError with the position of an id that is neither in [0, V) nor ignored, ShapeError, TypeError.
/// PyTorch: F.cross_entropy(logits.reshape(-1, V), ids.reshape(-1), ignore_index=ignored_id).
Tensor cross_entropy(const Tensor& logits, const Tensor& ids, const CrossEntropyOptions& options = {});

/// The shape rule: (…, V) and (…) -> ().
Shape cross_entropy_shape(const Shape& logits, const Shape& ids);

}  // namespace wick
