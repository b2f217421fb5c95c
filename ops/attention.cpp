#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/attention.h>
#include <wick/ops/attention_heads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>

namespace wick {
namespace {

class AttentionNode final : public Node {
 public:
  AttentionNode(const Origin& origin, const AttentionOptions& options, double scale,
                const AttentionStatistics& statistics)
      : Node(origin),
        query_(this, *origin.inputs[0]),
        key_(this, *origin.inputs[1]),
        value_(this, *origin.inputs[2]),
        blocked_(this, options.blocked),
        out_(this, origin.output),
        shift_(this, statistics.shift),
        sum_(this, statistics.sum),
        is_blocked_(options.blocked.defined()),
        causal_(options.causal),
        scale_(scale) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const std::array inputs = {&query_.get(), &key_.get(), &value_.get()};
    const Shape front = batch_shape(shape());
    std::array<Tensor, 3> gradients;
    for (std::size_t i = 0; i < 3; ++i) {
      Shape shape = front;
      shape.push_back(inputs[i]->size(-2));
      shape.push_back(inputs[i]->size(-1));
      gradients[i] = Tensor(shape, gradient.dtype());
    }
    differentiate_heads(
        {front, *inputs[0], *inputs[1], *inputs[2], is_blocked_ ? blocked_.get() : Tensor(), causal_, scale_},
        out_.get(), {shift_.get(), sum_.get()}, gradient, gradients);
    std::vector<Tensor> all(this->inputs().size());
    for (std::size_t i = 0; i < 3; ++i) {
      if (needs_gradient(i)) all[i] = sum_to_shape(gradients[i], inputs[i]->shape());
    }
    return all;
  }

 private:
  Saved query_;
  Saved key_;
  Saved value_;
  Saved blocked_;
  Saved out_;
  Saved shift_;
  Saved sum_;
  bool is_blocked_;
  bool causal_;
  double scale_;
};

std::string description(const Shape& query, const Shape& key) {
  return "attention: query " + to_string(query) + " and key " + to_string(key);
}

// The dimensions in front of all three. Where they are equal, no message has to be put together.
Shape common_front(const Shape& query, const Shape& key, const Shape& value) {
  const Shape front = batch_shape(query);
  if (batch_shape(key) == front && batch_shape(value) == front) return front;
  const std::string where = description(query, key);
  return broadcast_shapes(where + " with value " + to_string(value),
                          broadcast_shapes(where, front, batch_shape(key)), batch_shape(value));
}

void require_rank_2(std::string_view name, const Shape& shape, std::string_view expected) {
  if (shape.rank() >= 2) return;
  throw ShapeError("attention: " + std::string(name) + " " + to_string(shape) + " of rank " +
                   std::to_string(shape.rank()) + ", expected " + std::string(expected));
}

void require_types(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& blocked) {
  require_floating("attention", "query", query);
  require_type("attention", "key", key, query.dtype());
  require_type("attention", "value", value, query.dtype());
  if (blocked.defined()) require_type("attention", "blocked", blocked, boolean);
}

}  // namespace

Shape attention_shape(const Shape& query, const Shape& key, const Shape& value,
                      const AttentionOptions& options) {
  require_rank_2("query", query, "(..., Tq, hs)");
  require_rank_2("key", key, "(..., Tk, hs)");
  require_rank_2("value", value, "(..., Tk, vs)");
  if (query[-1] != key[-1]) {
    throw ShapeError(description(query, key) + ": head sizes " + std::to_string(query[-1]) + " and " +
                     std::to_string(key[-1]) + " differ");
  }
  const std::int64_t Tq = query[-2];
  const std::int64_t Tk = key[-2];
  if (Tk != value[-2]) {
    throw ShapeError("attention: key " + to_string(key) + " and value " + to_string(value) + ": " +
                     std::to_string(Tk) + " keys and " + std::to_string(value[-2]) + " values");
  }
  if (options.causal && Tq > Tk) {
    throw ShapeError(description(query, key) + ": Tq=" + std::to_string(Tq) + " queries are more than Tk=" +
                     std::to_string(Tk) + " keys, so the first would see none");
  }
  const Shape front = common_front(query, key, value);
  Shape out = front;
  out.push_back(Tq);
  out.push_back(value[-1]);
  static_cast<void>(out.numel());
  require_layout_fits("attention", Tq, Tk, query[-1], value[-1]);
  require_blocked_fits("attention", options.blocked, front, Tq, Tk);
  return out;
}

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionOptions& options) {
  const Tensor& blocked = options.blocked;
  require_types(query, key, value, blocked);
  Tensor out(attention_shape(query.shape(), key.shape(), value.shape(), options), query.dtype());
  const Shape front = batch_shape(out.shape());
  const double scale = options.scale.value_or(usual_attention_scale(query.size(-1)));
  const std::array inputs = {&query, &key, &value, &blocked};
  AttentionStatistics statistics;
  if (needs_node(std::span(inputs).first(3)))
    statistics = make_statistics(front, query.size(-2), out.dtype());
  attend_heads({front, query, key, value, blocked, options.causal, scale}, out, statistics);
  if (blocked.defined()) {
    return record<AttentionNode>("attention", {&query, &key, &value, &blocked}, std::move(out), options,
                                 scale, statistics);
  }
  return record<AttentionNode>("attention", {&query, &key, &value}, std::move(out), options, scale,
                               statistics);
}

}  // namespace wick
