#include <cmath>

#include <wick/framework/error.h>
#include <wick/framework/float_text.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/text.h>
#include <wick/models/gpt.h>
#include <wick/models/initial.h>
#include <wick/models/split_heads.h>
#include <wick/ops/cross_entropy.h>
#include <wick/ops/operators.h>
#include <wick/ops/slice.h>

namespace wick {
namespace {

constexpr double kWeightScale = 0.02;

const GptConfig& checked(const GptConfig& config) {
  positive_size("Gpt", "vocab_size", config.vocab_size);
  positive_size("Gpt", "block_size", config.block_size);
  positive_size("Gpt", "n_layer", config.n_layer);
  size_of_head("Gpt", config.n_embd, config.n_head);
  if (!(config.dropout >= 0 && config.dropout < 1)) {
    throw ValueError("Gpt: dropout is " + scalar_text(config.dropout) +
                     ", expected 0 or more and less than 1");
  }
  return config;
}

EmbeddingOptions embedding_options(const GptOptions& options) {
  return {.weight_scale = kWeightScale, .dtype = options.dtype};
}

// Every block adds to the residual twice: divided by this root, its spread does not grow with their number.
BlockOptions block_options(const GptConfig& config, const GptOptions& options) {
  return {.bias = config.bias,
          .weight_scale = kWeightScale,
          .residual_scale = kWeightScale / std::sqrt(2 * static_cast<double>(config.n_layer)),
          .dropout = {config.dropout, options.dropout_rng},
          .dtype = options.dtype};
}

}  // namespace

Gpt::Gpt(const GptConfig& config, const GptOptions& options, Rng& rng)
    : Module(options.name),
      config_(checked(config)),
      dtype_(options.dtype),
      positions_(arange(config.block_size)),
      token_embedding_(this, "token_embedding", config.vocab_size, config.n_embd, embedding_options(options),
                       rng),
      position_embedding_(this, "position_embedding", config.block_size, config.n_embd,
                          embedding_options(options), rng),
      dropout_(this, "dropout", DropoutOptions{config.dropout, options.dropout_rng}),
      blocks_(this, "blocks", config.n_layer, config.n_embd, config.n_head, block_options(config, options),
              rng),
      final_norm_(this, "final_norm", config.n_embd,
                  LayerNormOptions{.bias = config.bias, .dtype = options.dtype}),
      output_(this, "output", config.n_embd, config.vocab_size,
              LinearOptions{.bias = false, .weight_scale = kWeightScale, .dtype = options.dtype}, rng) {}

Tensor Gpt::forward(const Tensor& ids) const {
  ModuleScope scope(*this);
  const auto [B, T] = scope.expect("ids", ids, {"B", "T"});
  if (T > config_.block_size) {
    throw ShapeError("ids is " + to_string(ids.shape()) + ": T=" + std::to_string(T) +
                     " is beyond block_size=" + std::to_string(config_.block_size));
  }
  Tensor x = embed(scope, ids, 0);  // (B, T, C)
  for (std::size_t i = 0; i < blocks_->size(); ++i) x = (*blocks_)[i].forward(x);
  return unembed(scope, x);  // (B, T, V)
}

Tensor Gpt::forward(const Tensor& ids, KeyValueCache& cache) const {
  const NoGrad no_grad;
  ModuleScope scope(*this);
  const auto [B, T] = scope.expect("ids", ids, {"B", "T"});
  if (cache.layer_count() != config_.n_layer || cache.block_size() != config_.block_size) {
    throw ShapeError("the cache is for n_layer=" + std::to_string(cache.layer_count()) +
                     " and block_size=" + std::to_string(cache.block_size()) +
                     ", expected n_layer=" + std::to_string(config_.n_layer) +
                     " and block_size=" + std::to_string(config_.block_size));
  }
  if (T > config_.block_size - cache.length()) {
    throw ShapeError("ids is " + to_string(ids.shape()) + ": T=" + std::to_string(T) + " behind the " +
                     std::to_string(cache.length()) +
                     " in the cache is beyond block_size=" + std::to_string(config_.block_size));
  }
  Tensor x = embed(scope, ids, cache.length());  // (B, T, C)
  for (std::size_t i = 0; i < blocks_->size(); ++i) {
    x = (*blocks_)[i].forward(x, cache.layer(static_cast<std::int64_t>(i)), cache.length());
  }
  Tensor logits = unembed(scope, x);  // (B, T, V)
  cache.advance(T);
  return logits;
}

Tensor Gpt::loss(const Tensor& ids, const Tensor& targets) const {
  ModuleScope scope(*this);
  scope.expect("ids", ids, {"B", "T"});
  scope.expect("targets", targets, {"B", "T"});
  return cross_entropy(forward(ids), targets);
}

Tensor Gpt::embed(const ModuleScope& scope, const Tensor& ids, std::int64_t first) const {
  const Tensor positions = slice(positions_, 0, first, first + ids.size(1));  // (T,)
  Tensor x = dropout_->forward(token_embedding_->forward(ids) + position_embedding_->forward(positions));
  scope.step("embedded", x);
  return x;
}

Tensor Gpt::unembed(const ModuleScope& scope, const Tensor& x) const {
  Tensor logits = output_->forward(final_norm_->forward(x));
  scope.step("logits", logits);
  return logits;
}

std::string Gpt::description() const {
  return "Gpt(" + counted(config_.vocab_size, "id") + ", block_size " + std::to_string(config_.block_size) +
         ", " + counted(config_.n_layer, "block") + " of " + counted(config_.n_head, "head") + ", " +
         std::to_string(config_.n_embd) + " wide)";
}

}  // namespace wick
