#pragma once

#include <cstdint>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/dropout.h>
#include <wick/models/key_value_cache.h>
#include <wick/models/linear.h>

namespace wick {

/// One head of several, seen by itself: a view of the parameters that all share. It has none of its own.
///
/// What it computes is what a Head with these weights computes. Observers are told its steps under its own
/// name: gpt.blocks.2.attention.heads.1.weights.
class HeadView final : public Module {
 public:
  /// Head `index` of the `n_head` in `packed`: query, key and value of all heads side by side.
  HeadView(const Linear& packed, std::int64_t n_head, std::int64_t index, bool causal);

  // Views into the packed parameters: (n_embd, hs) and (hs,). What is written there is the head's. They are
  // in the graph as the parameters are.

  Tensor query_weight() const { return part_of(weight_, 0); }
  Tensor key_weight() const { return part_of(weight_, 1); }
  Tensor value_weight() const { return part_of(weight_, 2); }
  bool has_bias() const { return bias_.defined(); }
  Tensor query_bias() const { return part_of(bias_, 0); }
  Tensor key_bias() const { return part_of(bias_, 1); }
  Tensor value_bias() const { return part_of(bias_, 2); }

  /// (B, T, 3 n_embd), the queries of all heads, then their keys, then their values -> (B, T, hs).
  Tensor forward(const Tensor& query_key_value) const;

  std::string description() const override;

 private:
  /// This head's columns of the queries (0), keys (1) or values (2).
  Tensor part_of(const Tensor& packed, std::int64_t which) const;

  Tensor weight_;  // (n_embd, 3 n_embd)
  Tensor bias_;    // (3 n_embd,), undefined without one
  std::int64_t n_embd_;
  std::int64_t head_size_;
  std::int64_t first_;  // column of its query
  bool causal_;
};

struct MultiHeadOptions {
  bool causal = true;           ///< each position sees itself and what came before
  bool bias = true;             ///< of both projections
  double weight_scale = 0.02;   ///< of query_key_value (see LinearOptions)
  double output_scale = 0.02;   ///< of output; GPT-2 divides by sqrt(2 n_layer), as it adds to the residual
  DropoutOptions dropout = {};  ///< of what comes out. The weights of attention are not dropped
  DType dtype = float32;
  std::string name = "attention";  ///< as a root; a Child names it anew
};

/// Several heads of self-attention side by side, each over its own n_embd / n_head numbers, and a projection
/// of what they found.
///
/// Queries, keys and values of all heads are one parameter, (n_embd, 3 n_embd), in GPT-2's order: one product
/// makes them, one tensor is trained and saved, and attention runs over all heads at once. heads() are views
/// of it. Where an observer wants the steps, the heads compute one by one (see HeadView); the two paths agree
/// within rounding, not to the bit.
class MultiHead final : public Module {
 public:
  /// Draws the weights of query_key_value and output from `rng`, in this order. Throws ValueError for a size
  /// below 1 and "MultiHead: n_embd=30 is not divisible by n_head=4", TypeError for a dtype that is not
  /// floating.
  MultiHead(std::int64_t n_embd, std::int64_t n_head, const MultiHeadOptions& options, Rng& rng);

  /// (B, T, n_embd) -> (B, T, n_embd). Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  /// The same for T positions that come after the `past` ones whose keys and values `layer` holds; writes
  /// theirs behind. To the bit what forward() gives at these positions of the whole; no graph is built, and
  /// the heads tell no steps. Throws ShapeError where the layer is of another batch or width, IndexError
  /// where it has no room, TypeError where it is of another dtype.
  Tensor forward(const Tensor& x, KeyValueCache::Layer& layer, std::int64_t past) const;

  const ModuleList<HeadView>& heads() const { return *heads_; }

  std::string description() const override;

 private:
  /// (B, T, 3 n_embd) -> (B, T, n_embd): what every head found, side by side.
  Tensor attend_in_all_heads(const Tensor& query_key_value) const;

  std::int64_t n_embd_;
  std::int64_t n_head_;
  std::int64_t head_size_;
  bool causal_;
  Child<Linear> query_key_value_;
  Child<ModuleList<HeadView>> heads_;
  Child<Linear> output_;
  Child<Dropout> dropout_;
};

}  // namespace wick
