#include <wick/framework/graph.h>
#include <wick/models/block.h>
#include <wick/ops/operators.h>

namespace wick {
namespace {

LayerNormOptions norm(const BlockOptions& options) { return {.bias = options.bias, .dtype = options.dtype}; }

}  // namespace

Block::Block(std::int64_t n_embd, std::int64_t n_head, const BlockOptions& options, Rng& rng)
    : Module(options.name),
      n_embd_(n_embd),
      attention_norm_(this, "attention_norm", n_embd, norm(options)),
      attention_(this, "attention", n_embd, n_head,
                 MultiHeadOptions{.bias = options.bias,
                                  .weight_scale = options.weight_scale,
                                  .output_scale = options.residual_scale,
                                  .dropout = options.dropout,
                                  .dtype = options.dtype},
                 rng),
      feed_forward_norm_(this, "feed_forward_norm", n_embd, norm(options)),
      feed_forward_(this, "feed_forward", n_embd,
                    FeedForwardOptions{.bias = options.bias,
                                       .weight_scale = options.weight_scale,
                                       .contract_scale = options.residual_scale,
                                       .dropout = options.dropout,
                                       .dtype = options.dtype},
                    rng) {}

Tensor Block::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"B", "T", {"C", n_embd_}});
  return think(scope, x + attention_->forward(attention_norm_->forward(x)));  // (B, T, C)
}

Tensor Block::forward(const Tensor& x, KeyValueCache::Layer& layer, std::int64_t past) const {
  const NoGrad no_grad;
  ModuleScope scope(*this);
  scope.expect("x", x, {"B", "T", {"C", n_embd_}});
  return think(scope, x + attention_->forward(attention_norm_->forward(x), layer, past));  // (B, T, C)
}

Tensor Block::think(const ModuleScope& scope, const Tensor& attended) const {
  scope.step("attended", attended);
  Tensor out = attended + feed_forward_->forward(feed_forward_norm_->forward(attended));  // (B, T, C)
  scope.step("out", out);
  return out;
}

std::string Block::description() const { return "Block(" + std::to_string(n_embd_) + ")"; }

}  // namespace wick
