#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/block.h>
#include <wick/models/dropout.h>
#include <wick/models/embedding.h>
#include <wick/models/gpt_config.h>
#include <wick/models/key_value_cache.h>
#include <wick/models/layer_norm.h>
#include <wick/models/linear.h>

namespace wick {

struct GptOptions {
  std::shared_ptr<Rng> dropout_rng = {};  ///< what dropout draws from; needed for training with dropout only
  DType dtype = float32;
  std::string name = "gpt";  ///< it is a root
};

/// A GPT: modules stacked, and no more.
///
///     x = token_embedding(ids) + position_embedding(0 … T - 1)     (B, T, C)
///     x = blocks[i](x), one after the other                        (B, T, C)
///     logits = output(final_norm(x))                               (B, T, V)
///
/// In training mode, as every module starts, dropout stands behind the embeddings and in the blocks. The
/// output projection is a parameter of its own, not the embedding's, and has no bias.
/// Radford et al., Language Models are Unsupervised Multitask Learners (GPT-2), 2019.
class Gpt final : public Module {
 public:
  /// Draws what GPT-2 draws, in the order of the members: normals times 0.02 for embeddings and projections,
  /// in the projections that end in the residual (attention.output, feed_forward.contract) divided by
  /// sqrt(2 n_layer). Biases start at 0, norms at 1 and 0. Throws ValueError for a size below 1, for n_embd
  /// that n_head does not divide, for a dropout outside [0, 1); TypeError for a dtype that is not floating.
  Gpt(const GptConfig& config, const GptOptions& options, Rng& rng);

  const GptConfig& config() const { return config_; }
  DType dtype() const { return dtype_; }

  /// ids (B, T), int64 in [0, vocab_size), T up to block_size -> logits (B, T, vocab_size), each position's
  /// for the id after it. Throws ShapeError "gpt: ids is (2, 80): T=80 is beyond block_size=64" and the like,
  /// IndexError for an id outside, TypeError.
  Tensor forward(const Tensor& ids) const;

  /// The same for ids that come after the cache's positions, whose keys and values it adds to the cache. To
  /// the bit what forward() gives at these positions of the whole; no graph is built. Throws also ShapeError
  /// where the cache was made for another model or batch, or has no room, TypeError where it is of another
  /// dtype; its positions are what they were then.
  Tensor forward(const Tensor& ids, KeyValueCache& cache) const;

  /// The mean of cross_entropy over all positions: targets (B, T) are the ids that should come next.
  Tensor loss(const Tensor& ids, const Tensor& targets) const;

  const ModuleList<Block>& blocks() const { return *blocks_; }

  std::string description() const override;

 private:
  /// Token and position embeddings of ids that stand at first, first + 1, … (B, T) -> (B, T, C).
  Tensor embed(const ModuleScope& scope, const Tensor& ids, std::int64_t first) const;
  /// From what the blocks made, (B, T, C), to the logits, (B, T, V).
  Tensor unembed(const ModuleScope& scope, const Tensor& x) const;

  GptConfig config_;
  DType dtype_;
  Tensor positions_;  // 0 … block_size - 1
  Child<Embedding> token_embedding_;
  Child<Embedding> position_embedding_;
  Child<Dropout> dropout_;
  Child<ModuleList<Block>> blocks_;
  Child<LayerNorm> final_norm_;
  Child<Linear> output_;
};

}  // namespace wick
