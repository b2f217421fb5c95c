#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/text.h>
#include <wick/models/attention.h>
#include <wick/models/initial.h>
#include <wick/models/multi_head.h>
#include <wick/ops/attention.h>
#include <wick/ops/concat.h>
#include <wick/ops/packed_attention.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

std::int64_t divided(std::int64_t n_embd, std::int64_t n_head) {
  positive_size("MultiHead", "n_embd", n_embd);
  if (n_embd % positive_size("MultiHead", "n_head", n_head) != 0) {
    throw ValueError("MultiHead: n_embd=" + std::to_string(n_embd) +
                     " is not divisible by n_head=" + std::to_string(n_head));
  }
  return n_embd / n_head;
}

// The heads' numbers, side by side in every position, as a dimension of their own: (B, T, C) -> (B, H, T,
// hs).
Tensor split_heads(const Tensor& x, std::int64_t n_head) {
  return transpose(reshape(x, {x.size(0), x.size(1), n_head, x.size(2) / n_head}), {0, 2, 1, 3});
}

// Back again: (B, H, T, hs) -> (B, T, C).
Tensor join_heads(const Tensor& x) {
  return reshape(transpose(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

}  // namespace

HeadView::HeadView(const Linear& packed, std::int64_t n_head, std::int64_t index, bool causal)
    : Module("head"),
      weight_(packed.weight()),
      bias_(packed.bias()),
      n_embd_(weight_.size(0)),
      head_size_(divided(n_embd_, n_head)),
      first_(index * head_size_),
      causal_(causal) {}

Tensor HeadView::part_of(const Tensor& packed, std::int64_t which) const {
  const std::int64_t start = which * n_embd_ + first_;
  return slice(packed, -1, start, start + head_size_);
}

Tensor HeadView::forward(const Tensor& query_key_value) const {
  ModuleScope scope(*this);
  scope.expect("query_key_value", query_key_value, {"B", "T", {"3C", 3 * n_embd_}});
  const Tensor query = part_of(query_key_value, 0);  // (B, T, hs)
  const Tensor key = part_of(query_key_value, 1);    // (B, T, hs)
  const Tensor value = part_of(query_key_value, 2);  // (B, T, hs)
  scope.step("query", query);
  scope.step("key", key);
  scope.step("value", value);
  Tensor out = attend(scope, query, key, value, causal_);  // (B, T, hs)
  scope.step("out", out);
  return out;
}

std::string HeadView::description() const {
  return "HeadView(" + std::to_string(n_embd_) + " -> " + std::to_string(head_size_) + ", columns from " +
         std::to_string(first_) + (causal_ ? ", causal)" : ")");
}

MultiHead::MultiHead(std::int64_t n_embd, std::int64_t n_head, const MultiHeadOptions& options, Rng& rng)
    : Module(options.name),
      n_embd_(n_embd),
      n_head_(n_head),
      head_size_(divided(n_embd, n_head)),
      causal_(options.causal),
      query_key_value_(
          this, "query_key_value", n_embd, 3 * n_embd,
          LinearOptions{.bias = options.bias, .weight_scale = options.weight_scale, .dtype = options.dtype},
          rng),
      heads_(this, "heads"),
      output_(
          this, "output", n_embd, n_embd,
          LinearOptions{.bias = options.bias, .weight_scale = options.output_scale, .dtype = options.dtype},
          rng),
      dropout_(this, "dropout", options.dropout) {
  for (std::int64_t i = 0; i < n_head; ++i) heads_->emplace_back(*query_key_value_, n_head, i, causal_);
}

Tensor MultiHead::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"B", "T", {"C", n_embd_}});
  const Tensor query_key_value = query_key_value_->forward(x);                       // (B, T, 3C)
  return dropout_->forward(output_->forward(attend_in_all_heads(query_key_value)));  // (B, T, C)
}

Tensor MultiHead::attend_in_all_heads(const Tensor& query_key_value) const {
  if (ModuleScope::wants_steps()) {
    std::vector<Tensor> outs;  // (B, T, hs) each
    for (std::size_t i = 0; i < heads_->size(); ++i) outs.push_back((*heads_)[i].forward(query_key_value));
    return concat(outs, 2);
  }
  return packed_attention(query_key_value, n_head_, {.causal = causal_});
}

Tensor MultiHead::forward(const Tensor& x, KeyValueCache::Layer& layer, std::int64_t past) const {
  const NoGrad no_grad;
  ModuleScope scope(*this);
  const auto [B, T, C] = scope.expect("x", x, {"B", "T", {"C", n_embd_}});
  scope.expect("the cache's keys", layer.keys, {"B", "block_size", "C"});
  scope.expect("the cache's values", layer.values, {"B", "block_size", "C"});
  const Tensor query_key_value = query_key_value_->forward(x);  // (B, T, 3C)
  const auto all_of = [&, T = T](Tensor& cached, std::int64_t which) {
    slice(cached, 1, past, past + T)
        .copy_from(slice(query_key_value, 2, which * n_embd_, (which + 1) * n_embd_));
    return split_heads(slice(cached, 1, 0, past + T), n_head_);  // (B, H, past + T, hs)
  };
  const Tensor query = split_heads(slice(query_key_value, 2, 0, n_embd_), n_head_);  // (B, H, T, hs)
  const Tensor key = all_of(layer.keys, 1);
  const Tensor value = all_of(layer.values, 2);
  const Tensor out = join_heads(attention(query, key, value, {.causal = causal_}));  // (B, T, C)
  return dropout_->forward(output_->forward(out));
}

std::string MultiHead::description() const {
  return "MultiHead(" + std::to_string(n_embd_) + ", " + counted(n_head_, "head") + " of " +
         std::to_string(head_size_) + (causal_ ? ", causal)" : ")");
}

}  // namespace wick
