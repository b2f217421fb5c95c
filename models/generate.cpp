#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/float_text.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/models/generate.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>

namespace wick {
namespace {

void check(const SamplingOptions& options) {
  if (!(options.temperature >= 0) || std::isinf(options.temperature)) {
    throw ValueError("sample: temperature is " + scalar_text(options.temperature) +
                     ", expected 0 or more, and finite");
  }
  if (options.top_k && *options.top_k < 1) {
    throw ValueError("sample: top_k is " + std::to_string(*options.top_k) + ", expected 1 or more");
  }
}

void require_finite(const std::vector<double>& logits) {
  const auto bad = std::ranges::find_if(logits, [](double logit) { return !std::isfinite(logit); });
  if (bad == logits.end()) return;
  throw ValueError("sample: the logit of id " + std::to_string(bad - logits.begin()) + " is " +
                   scalar_text(*bad) + ", expected finite numbers");
}

// All but the k largest become -infinity, which no id of weight 0 is drawn from; of equals, the first stay.
void keep_largest(std::vector<double>& logits, std::int64_t k) {
  if (k >= static_cast<std::int64_t>(logits.size())) return;
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::nth_element(order, order.begin() + k, [&](std::size_t a, std::size_t b) {
    return logits[a] > logits[b] || (logits[a] == logits[b] && a < b);
  });
  for (auto left_out = order.begin() + k; left_out != order.end(); ++left_out) {
    logits[*left_out] = -std::numeric_limits<double>::infinity();
  }
}

// The ids that the model sees, and what it already knows of them.
class Window {
 public:
  Window(const Gpt& gpt, std::span<const std::int64_t> prompt, bool with_cache)
      : gpt_(gpt), block_size_(static_cast<std::size_t>(gpt.config().block_size)) {
    const auto seen = prompt.last(std::min(prompt.size(), block_size_));
    ids_.assign(seen.begin(), seen.end());
    if (with_cache) cache_.emplace(gpt.config(), 1, gpt.dtype());
  }

  // (V,), for the id that comes next.
  Tensor next_logits() {
    const std::span<const std::int64_t> ids = std::span(ids_).subspan(encoded_);
    const auto T = static_cast<std::int64_t>(ids.size());
    const Tensor batch = from_span(ids, {1, T});
    const Tensor logits = cache_ ? gpt_.forward(batch, *cache_) : gpt_.forward(batch);  // (1, T, V)
    if (cache_) encoded_ = ids_.size();
    return reshape(slice(logits, 1, T - 1, T), {-1});
  }

  void push(std::int64_t id) {
    if (ids_.size() == block_size_) {
      ids_.erase(ids_.begin(), ids_.end() - static_cast<std::ptrdiff_t>(block_size_ / 2));
      if (cache_) cache_->clear();
      encoded_ = 0;
    }
    ids_.push_back(id);
  }

 private:
  const Gpt& gpt_;
  std::size_t block_size_;
  std::vector<std::int64_t> ids_;
  std::size_t encoded_ = 0;  // so many of them are in the cache
  std::optional<KeyValueCache> cache_;
};

}  // namespace

std::int64_t sample(const Tensor& logits, const SamplingOptions& options, Rng& rng) {
  check(options);
  if (logits.rank() != 1 || logits.numel() == 0) {
    throw ShapeError("sample: logits is " + to_string(logits.shape()) +
                     ", expected (V,) with V of 1 or more");
  }
  std::vector<double> weights = logits.to_vector<double>();
  require_finite(weights);
  const auto likeliest = std::ranges::max_element(weights);
  if (options.temperature == 0) return likeliest - weights.begin();
  if (options.top_k) keep_largest(weights, *options.top_k);
  const double largest = *likeliest;
  double total = 0;
  for (double& weight : weights) {
    weight = std::exp((weight - largest) / options.temperature);
    total += weight;
  }
  const double drawn = rng.random() * total;
  double sum = 0;
  std::int64_t last_possible = 0;  // where rounding leaves the whole sum at what was drawn
  for (std::size_t id = 0; id < weights.size(); ++id) {
    if (weights[id] == 0) continue;
    sum += weights[id];
    last_possible = static_cast<std::int64_t>(id);
    if (sum > drawn) break;
  }
  return last_possible;
}

Tensor generate(const Gpt& gpt, const Tensor& prompt, const GenerateOptions& options, Rng& rng,
                const std::function<void(std::int64_t id)>& on_token) {
  check(options.sampling);
  if (options.tokens < 0) {
    throw ValueError("generate: tokens is " + std::to_string(options.tokens) + ", expected 0 or more");
  }
  if (prompt.rank() != 1 || prompt.numel() == 0) {
    throw ShapeError("generate: prompt is " + to_string(prompt.shape()) +
                     ", expected (T,) with T of 1 or more");
  }
  if (gpt.is_training() && gpt.config().dropout > 0) {
    throw ValueError("generate: " + gpt.path() + " is in training, and would drop: call eval() first");
  }
  const NoGrad no_grad;
  const Tensor in_order = prompt.contiguous();
  Window window(gpt, in_order.span<std::int64_t>(), options.cache);
  Tensor added({options.tokens}, int64);
  for (std::int64_t& id : added.mutable_span<std::int64_t>()) {
    id = sample(window.next_logits(), options.sampling, rng);
    if (on_token) on_token(id);
    window.push(id);
  }
  return added;
}

}  // namespace wick
