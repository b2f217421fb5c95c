#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <wick/framework/random.h>
#include <wick/framework/tensor.h>
#include <wick/models/gpt.h>

namespace wick {

struct SamplingOptions {
  double temperature =
      1;  ///< logits are divided by it; 0 takes the likeliest id, the first of equals, and draws nothing
  std::optional<std::int64_t> top_k = {};  ///< only the k likeliest ids are drawn from; of equals, the lower
};

struct GenerateOptions {
  std::int64_t tokens = 100;  ///< how many ids to add
  SamplingOptions sampling = {};
  bool cache = true;  ///< keeps keys and values (see KeyValueCache); the ids are the same to the bit without
};

/// Draws an id from softmax(logits / temperature), logits (V,), with one rng.random(): the first id up to
/// which the probabilities, added in float64, exceed it. Throws ValueError for a temperature that is negative
/// or not finite, a top_k below 1, logits that are not finite (naming the first); ShapeError, TypeError.
std::int64_t sample(const Tensor& logits, const SamplingOptions& options, Rng& rng);

/// Continues a prompt, ids (T,) with T at least 1, and returns the ids that were added, (tokens,). `on_token`
/// is told each as it comes; what it throws ends the run and reaches the caller.
///
/// The model sees a window of at most block_size ids. When another id comes to a full window, the last half
/// of it is kept (block_size / 2, rounded down), at positions from 0 on, and encoded again with the new one.
/// Of a longer prompt it sees the last block_size ids.
///
/// The same model, prompt, options and state of `rng` give the same ids, with the cache or without. Throws
/// ValueError where the model is training and would drop (call eval() first), where the prompt is empty, and
/// as sample(); IndexError for an id outside the vocabulary; ShapeError, TypeError.
Tensor generate(const Gpt& gpt, const Tensor& prompt, const GenerateOptions& options, Rng& rng,
                const std::function<void(std::int64_t id)>& on_token = {});

}  // namespace wick
