#include <array>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/attention_heads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/packed_attention.h>

namespace wick {
namespace {

// The heads of one part of a tensor (…, T, parts * n_head * hs), as a view (…, n_head, T, hs).
Tensor heads_of(const Tensor& tensor, int part, std::int64_t n_head, std::int64_t hs) {
  const int axis = tensor.rank() - 2;  // T's
  Shape shape;
  Strides strides;
  for (int i = 0; i < axis; ++i) {
    shape.push_back(tensor.shape()[i]);
    strides.push_back(tensor.strides()[i]);
  }
  const std::int64_t step = tensor.strides()[axis + 1];
  shape.push_back(n_head);
  strides.push_back(hs * step);
  shape.push_back(tensor.shape()[axis]);
  strides.push_back(tensor.strides()[axis]);
  shape.push_back(hs);
  strides.push_back(step);
  return tensor.strided_view(shape, strides, tensor.numel() == 0 ? 0 : part * hs * n_head * step);
}

// Queries, keys and values.
std::array<Tensor, 3> parts_of(const Tensor& packed, std::int64_t n_head) {
  const std::int64_t hs = packed.size(-1) / 3 / n_head;
  return {heads_of(packed, 0, n_head, hs), heads_of(packed, 1, n_head, hs), heads_of(packed, 2, n_head, hs)};
}

Tensor heads_of_output(const Tensor& out, std::int64_t n_head) {
  return heads_of(out, 0, n_head, out.size(-1) / n_head);
}

Shape front_of(const Shape& qkv, std::int64_t n_head) {
  Shape front = batch_shape(qkv);
  front.push_back(n_head);
  return front;
}

class PackedAttentionNode final : public Node {
 public:
  PackedAttentionNode(const Origin& origin, std::int64_t n_head, const AttentionOptions& options,
                      double scale, const AttentionStatistics& statistics)
      : Node(origin),
        qkv_(this, *origin.inputs[0]),
        blocked_(this, options.blocked),
        out_(this, origin.output),
        shift_(this, statistics.shift),
        sum_(this, statistics.sum),
        n_head_(n_head),
        is_blocked_(options.blocked.defined()),
        causal_(options.causal),
        scale_(scale) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor& qkv = qkv_.get();
    const std::array<Tensor, 3> parts = parts_of(qkv, n_head_);
    const Tensor packed(qkv.shape(), qkv.dtype());
    differentiate_heads({front_of(qkv.shape(), n_head_), parts[0], parts[1], parts[2],
                         is_blocked_ ? blocked_.get() : Tensor(), causal_, scale_},
                        heads_of_output(out_.get(), n_head_), {shift_.get(), sum_.get()},
                        heads_of_output(gradient, n_head_), parts_of(packed, n_head_));
    std::vector<Tensor> all(inputs().size());
    all[0] = packed;
    return all;
  }

 private:
  Saved qkv_;
  Saved blocked_;
  Saved out_;
  Saved shift_;
  Saved sum_;
  std::int64_t n_head_;
  bool is_blocked_;
  bool causal_;
  double scale_;
};

}  // namespace

Shape packed_attention_shape(const Shape& qkv, std::int64_t n_head, const AttentionOptions& options) {
  if (n_head < 1) {
    throw ValueError("packed_attention: n_head is " + std::to_string(n_head) + ", expected 1 or more");
  }
  if (qkv.rank() < 2 || qkv.rank() >= kMaxRank) {
    throw ShapeError("packed_attention: qkv " + to_string(qkv) + " of rank " + std::to_string(qkv.rank()) +
                     ", expected (..., T, 3C), of rank 2 to " + std::to_string(kMaxRank - 1));
  }
  const std::int64_t width = qkv[-1];
  if (width % 3 != 0 || width / 3 % n_head != 0) {
    throw ShapeError("packed_attention: qkv " + to_string(qkv) + ": " + std::to_string(width) +
                     " is not 3 times n_head=" + std::to_string(n_head) + " heads of one size");
  }
  const std::int64_t T = qkv[-2];
  Shape out = batch_shape(qkv);
  out.push_back(T);
  out.push_back(width / 3);
  static_cast<void>(out.numel());
  require_layout_fits("packed_attention", T, T, width / 3 / n_head, width / 3 / n_head);
  require_blocked_fits("packed_attention", options.blocked, front_of(qkv, n_head), T, T);
  return out;
}

Tensor packed_attention(const Tensor& qkv, std::int64_t n_head, const AttentionOptions& options) {
  const Tensor& blocked = options.blocked;
  require_floating("packed_attention", "qkv", qkv);
  if (blocked.defined()) require_type("packed_attention", "blocked", blocked, boolean);
  Tensor out(packed_attention_shape(qkv.shape(), n_head, options), qkv.dtype());
  const Shape front = front_of(qkv.shape(), n_head);
  const std::array<Tensor, 3> parts = parts_of(qkv, n_head);
  const double scale = options.scale.value_or(usual_attention_scale(parts[0].size(-1)));
  AttentionStatistics statistics;
  if (needs_node(std::array{&qkv})) statistics = make_statistics(front, qkv.size(-2), qkv.dtype());
  attend_heads({front, parts[0], parts[1], parts[2], blocked, options.causal, scale},
               heads_of_output(out, n_head), statistics);
  if (blocked.defined()) {
    return record<PackedAttentionNode>("packed_attention", {&qkv, &blocked}, std::move(out), n_head, options,
                                       scale, statistics);
  }
  return record<PackedAttentionNode>("packed_attention", {&qkv}, std::move(out), n_head, options, scale,
                                     statistics);
}

}  // namespace wick
