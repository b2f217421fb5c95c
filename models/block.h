#pragma once

#include <cstdint>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/dropout.h>
#include <wick/models/feed_forward.h>
#include <wick/models/key_value_cache.h>
#include <wick/models/layer_norm.h>
#include <wick/models/multi_head.h>

namespace wick {

struct BlockOptions {
  bool bias = true;              ///< of every projection and norm
  double weight_scale = 0.02;    ///< of the projections (see LinearOptions)
  double residual_scale = 0.02;  ///< of the two whose result is added to the residual
  DropoutOptions dropout = {};   ///< of both results before they are added
  DType dtype = float32;
  std::string name = "block";  ///< as a root; a Child names it anew
};

/// One layer of a GPT, as GPT-2 has it: norms stand in front, and the results are added to what came in.
///
///     x = x + attention(attention_norm(x))            positions look at each other
///     x = x + feed_forward(feed_forward_norm(x))      each by itself
class Block final : public Module {
 public:
  /// Draws the weights of attention and feed_forward from `rng`, in this order. Throws as MultiHead does.
  Block(std::int64_t n_embd, std::int64_t n_head, const BlockOptions& options, Rng& rng);

  /// (B, T, n_embd) -> (B, T, n_embd). Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  /// The same for T positions that come after the `past` ones in `layer`; see MultiHead.
  Tensor forward(const Tensor& x, KeyValueCache::Layer& layer, std::int64_t past) const;

  const MultiHead& attention() const { return *attention_; }

  std::string description() const override;

 private:
  /// What the block does once positions have looked at each other.
  Tensor think(const ModuleScope& scope, const Tensor& attended) const;

  std::int64_t n_embd_;
  Child<LayerNorm> attention_norm_;
  Child<MultiHead> attention_;
  Child<LayerNorm> feed_forward_norm_;
  Child<FeedForward> feed_forward_;
};

}  // namespace wick
