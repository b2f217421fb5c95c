#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <wick/framework/random.h>
#include <wick/framework/tensor.h>

namespace wick {

/// Windows of a text, and what follows each of their positions.
struct Batch {
  Tensor inputs;   ///< (B, T) int64
  Tensor targets;  ///< (B, T) int64: targets[b, t] comes right after inputs[b, t]
};

/// The windows of `block_size` ids that begin at these places of a text, with their targets. The places are
/// read from `starts` (B,). Precondition: each is in [0, n - block_size), for ids (n,).
Batch windows_at(const Tensor& ids, const Tensor& starts, std::int64_t block_size);

/// How many windows a text of n ids has: n - block_size, because the last position needs an id behind it.
/// Throws ValueError naming both, and the text as `what` says, where there is not one:
///
///     the validation text has 40 ids, expected block_size + 1 = 65 or more
std::int64_t window_count(const std::string& what, std::int64_t n, std::int64_t block_size);

/// Batches drawn from a text: each takes rng.integers(0, n - block_size, (batch_size,)) for the places where
/// its windows begin, and nothing else. The same numbers with NumPy are the same batches.
class Batches {
 public:
  /// `ids` (n,) int64. Throws ShapeError, TypeError for other ids; ValueError for a size below 1, and for a
  /// text that is too short (see window_count).
  Batches(const Tensor& ids, std::int64_t block_size, std::int64_t batch_size, std::shared_ptr<Rng> rng);

  Batch next();

  std::int64_t block_size() const { return block_size_; }
  std::int64_t batch_size() const { return batch_size_; }
  /// The stream that is drawn from: what a checkpoint keeps.
  const std::shared_ptr<Rng>& shared_rng() const { return rng_; }

 private:
  Tensor ids_;
  std::int64_t block_size_;
  std::int64_t batch_size_;
  std::shared_ptr<Rng> rng_;
};

/// A text in two parts: what is learned, and behind it what shows whether more than that was learned.
struct TextParts {
  Tensor training;    ///< (n - m,)
  Tensor validation;  ///< (m,)
};

/// The first part of `ids` (n,) to learn and the rest to validate, m = floor(n validation_share); both are
/// views. Throws ValueError unless the share is in [0, 1), ShapeError for ids of another rank.
TextParts split_by_position(const Tensor& ids, double validation_share = 0.1);

}  // namespace wick
