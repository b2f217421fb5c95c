#include <wick/models/attention.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>

namespace wick {
namespace {

LinearOptions projection(const HeadOptions& options) {
  return {.bias = options.bias, .weight_scale = options.weight_scale, .dtype = options.dtype};
}

}  // namespace

Head::Head(std::int64_t n_embd, std::int64_t head_size, const HeadOptions& options, Rng& rng)
    : Module(options.name),
      n_embd_(positive_size("Head", "n_embd", n_embd)),
      head_size_(positive_size("Head", "head_size", head_size)),
      causal_(options.causal),
      query_(this, "query", n_embd, head_size, projection(options), rng),
      key_(this, "key", n_embd, head_size, projection(options), rng),
      value_(this, "value", n_embd, head_size, projection(options), rng) {}

Tensor Head::forward(const Tensor& x) const {
  ModuleScope scope(*this);
  scope.expect("x", x, {"B", "T", {"C", n_embd_}});
  const Tensor query = query_->forward(x);  // (B, T, hs)
  const Tensor key = key_->forward(x);      // (B, T, hs)
  const Tensor value = value_->forward(x);  // (B, T, hs)
  scope.step("query", query);
  scope.step("key", key);
  scope.step("value", value);
  Tensor out = attend(scope, query, key, value, causal_);  // (B, T, hs)
  scope.step("out", out);
  return out;
}

std::string Head::description() const {
  return "Head(" + std::to_string(n_embd_) + " -> " + std::to_string(head_size_) +
         (causal_ ? ", causal)" : ")");
}

}  // namespace wick
