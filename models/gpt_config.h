#pragma once

#include <cstdint>

namespace wick {

/// What a GPT's shape is.
struct GptConfig {
  std::int64_t vocab_size;  ///< V: how many different ids there are
  std::int64_t block_size;  ///< the most positions that it looks back over; T is at most this
  std::int64_t n_layer;     ///< blocks
  std::int64_t n_head;      ///< heads in each, of n_embd / n_head numbers
  std::int64_t n_embd;      ///< C: the width of a position
  double dropout = 0;       ///< while training, in [0, 1); not of attention's weights, which GPT-2 drops too
  bool bias = true;         ///< of projections and norms; the output projection has none either way

  bool operator==(const GptConfig&) const = default;
};

}  // namespace wick
