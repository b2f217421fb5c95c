#pragma once

// What the tests of attention share: the steps it is held to, and masks.

#include <cmath>
#include <vector>

#include <wick/framework/makers.h>
#include <wick/ops/ops.h>

namespace wick {

/// Rows [start, stop) of every matrix.
inline Tensor rows(const Tensor& x, std::int64_t start, std::int64_t stop) {
  return slice(x, -2, start, stop);
}

/// As a head computes it where somebody looks on.
inline Tensor step_by_step(const Tensor& query, const Tensor& key, const Tensor& value,
                           const AttentionOptions& options = {}) {
  const double factor = options.scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  Tensor scores = scale(matmul(query, transpose(key)), factor);
  if (options.blocked.defined()) scores = mask(scores, options.blocked);
  if (options.causal) scores = causal_mask(scores);
  return matmul(softmax(scores), value);
}

/// True in one place of `every`, in no pattern that a tile repeats.
inline Tensor some_blocked(const Shape& shape, std::int64_t every = 3) {
  std::vector<bool> blocked;
  for (std::int64_t i = 0; i < shape.numel(); ++i) blocked.push_back((i * i + i / 5) % every == 1);
  return from_vector(blocked, shape);
}

}  // namespace wick
