#pragma once

#include <cstdint>
#include <functional>

#include <wick/framework/tensor.h>

namespace wick {

/// From ids (B, T) and targets (B, T) to the mean loss over all positions, a scalar:
///
///     [&](const Tensor& ids, const Tensor& targets) { return cross_entropy(gpt.forward(ids), targets); }
using LossFunction = std::function<Tensor(const Tensor& ids, const Tensor& targets)>;

/// Where windows begin in a text of n ids: 0, stride, 2 stride, … as long as there is a window (see
/// window_count). (W,) int64. Throws ValueError for a stride below 1, and where there is no window.
Tensor window_starts(std::int64_t n, std::int64_t block_size, std::int64_t stride = 1);

/// `count` windows as evenly spaced as whole numbers allow: the first at 0, the last at the end, number i at
/// floor(i (windows - 1) / (count - 1)). All windows where there are not that many; the one at 0 for a count
/// of 1. Throws ValueError for a count below 1, and where there is no window.
Tensor spaced_window_starts(std::int64_t n, std::int64_t block_size, std::int64_t count);

struct MeanLoss {
  double loss = 0;             ///< nats a position
  std::int64_t positions = 0;  ///< windows times block_size: every position of every window counts
};

/// The mean of a loss over the windows that begin at `starts` (W,), `batch_size` at a time, outside of the
/// graph; means are added up in float64, in the order of the windows. Draws nothing; whether dropout is
/// active is the model's business (Module::eval). Throws what the loss throws.
MeanLoss mean_loss(const LossFunction& loss, const Tensor& ids, const Tensor& starts, std::int64_t block_size,
                   std::int64_t batch_size);

}  // namespace wick
