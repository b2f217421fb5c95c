#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/text.h>
#include <wick/models/attention.h>
#include <wick/models/multi_head.h>
#include <wick/models/split_heads.h>
#include <wick/ops/attention.h>
#include <wick/ops/concat.h>
#include <wick/ops/packed_attention.h>
#include <wick/ops/slice.h>

namespace wick {

HeadView::HeadView(const Linear& packed, std::int64_t n_head, std::int64_t index, bool causal)
    : Module("head"),
      weight_(packed.weight()),
      bias_(packed.bias()),
      n_embd_(weight_.size(0)),
      head_size_(size_of_head("HeadView", n_embd_, n_head)),
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
      head_size_(size_of_head("MultiHead", n_embd, n_head)),
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
  scope.expect("the cache's keys", layer.keys, {"B", {"H", n_head_}, "block_size", {"hs", head_size_}});
  const Tensor query_key_value = query_key_value_->forward(x);  // (B, T, 3C)
  slice(layer.both, 1, past, past + T).copy_from(slice(query_key_value, 2, C, 3 * C));
  const Tensor query = split_heads(slice(query_key_value, 2, 0, C), n_head_);        // (B, H, T, hs)
  const Tensor key = slice(layer.keys, 2, 0, past + T);                              // (B, H, past + T, hs)
  const Tensor value = slice(layer.values, 2, 0, past + T);                          // (B, H, past + T, hs)
  const Tensor out = join_heads(attention(query, key, value, {.causal = causal_}));  // (B, T, C)
  return dropout_->forward(output_->forward(out));
}

std::string MultiHead::description() const {
  return "MultiHead(" + std::to_string(n_embd_) + ", " + counted(n_head_, "head") + " of " +
         std::to_string(head_size_) + (causal_ ? ", causal)" : ")");
}

}  // namespace wick
