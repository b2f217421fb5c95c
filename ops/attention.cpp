#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/attention.h>
#include <wick/ops/attention_heads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

using kernels::AttentionGradients;
using kernels::AttentionHead;
using kernels::AttentionRows;

// Queries that one call of the kernel takes: twice what it takes through the keys together on AVX-512 (four
// tiles of 14 rows), and enough that packing the keys once more for another thread costs little.
constexpr std::int64_t kQueriesPerBlock = 112;

// What a head's packed keys and values may take on the stack: 64 keys of 16, as in a small GPT.
constexpr std::int64_t kFewElements = 2048;

// An exponential, in multiply-adds of a product: what a score costs besides hs + vs of them.
constexpr std::int64_t kProductsPerScore = 24;

// The gradients of query, key and value, each in the shape that the heads have in common.
template <typename T>
void differentiate(const Heads<T>& heads, std::int64_t count, const Tensor& out, const Tensor& shift,
                   const Tensor& sum, const Tensor& gradient, std::array<Tensor, 3>& gradients) {
  const auto& kernels = active_kernels().in<T>();
  const AttentionHead<T>& sizes = heads.sizes();
  const std::int64_t workspace_size = kernels.attention_backward_size(sizes.Tq, sizes.Tk, sizes.hs, sizes.vs);
  const HeadOperand gradient_heads(gradient, batch_shape(gradient.shape()));
  const T* first_gradient = gradient.data<T>();
  const T* first_out = out.data<T>();
  const AttentionRows<const T> first_rows{shift.data<T>(), sum.data<T>()};
  const AttentionGradients<T> first{gradients[0].mutable_data<T>(), gradients[1].mutable_data<T>(),
                                    gradients[2].mutable_data<T>()};
  const std::int64_t grain = rows_per_piece(
      kProductsPerPiece, {sizes.Tq, sizes.Tk, 3 * sizes.hs + 2 * sizes.vs + kProductsPerScore});
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    Tensor workspace({workspace_size}, out.dtype());
    for (std::int64_t h = begin; h < end; ++h) {
      kernels.attention_backward(heads[h], first_out + h * sizes.Tq * sizes.vs,
                                 {first_rows.shift + h * sizes.Tq, first_rows.sum + h * sizes.Tq},
                                 gradient_heads.of_head(first_gradient, h),
                                 {first.query + h * sizes.Tq * sizes.hs, first.key + h * sizes.Tk * sizes.hs,
                                  first.value + h * sizes.Tk * sizes.vs},
                                 workspace.mutable_data<T>());
    }
  });
}

class AttentionNode final : public Node {
 public:
  AttentionNode(const Origin& origin, const AttentionOptions& options, double scale, const Tensor& shift,
                const Tensor& sum)
      : Node(origin),
        query_(this, *origin.inputs[0]),
        key_(this, *origin.inputs[1]),
        value_(this, *origin.inputs[2]),
        blocked_(this, options.blocked),
        out_(this, origin.output),
        shift_(this, shift),
        sum_(this, sum),
        is_blocked_(options.blocked.defined()),
        causal_(options.causal),
        scale_(scale) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const std::array inputs = {&query_.get(), &key_.get(), &value_.get()};
    const Shape front = batch_shape(out_.get().shape());
    std::array<Tensor, 3> gradients;
    for (std::size_t i = 0; i < 3; ++i) {
      Shape shape = front;
      shape.push_back(inputs[i]->size(-2));
      shape.push_back(inputs[i]->size(-1));
      gradients[i] = Tensor(shape, gradient.dtype());
    }
    visit_floating(gradient.dtype(), [&]<typename T>() {
      const Heads<T> heads(*inputs[0], *inputs[1], *inputs[2], is_blocked_ ? blocked_.get() : Tensor(), front,
                           causal_, scale_);
      differentiate(heads, front.numel(), out_.get(), shift_.get(), sum_.get(), gradient, gradients);
    });
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

// Blocks of queries in an order in which causality gives every thread as much to do: first, last, second, …
std::int64_t block_at(std::int64_t place, std::int64_t blocks) {
  return place % 2 == 0 ? place / 2 : blocks - 1 - place / 2;
}

// `shift` and `sum` (…, Tq) are null where nobody will go backward.
template <typename T>
void compute(const Heads<T>& heads, std::int64_t count, Tensor& out, T* shift, T* sum) {
  const auto& kernels = active_kernels().in<T>();
  const AttentionHead<T>& sizes = heads.sizes();
  T* first_out = out.mutable_data<T>();
  const std::int64_t pack_size = kernels.attention_pack_size(sizes.Tk, sizes.hs, sizes.vs);
  const std::int64_t blocks = (sizes.Tq + kQueriesPerBlock - 1) / kQueriesPerBlock;
  const std::int64_t grain = rows_per_piece(
      kProductsPerPiece,
      {std::min(sizes.Tq, kQueriesPerBlock), sizes.Tk, sizes.hs + sizes.vs + kProductsPerScore});
  parallel_for(count * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
    // The keys and values of a short sequence fit here: finding memory would take longer than packing them.
    alignas(64) T few[kFewElements];
    Tensor many = pack_size <= kFewElements ? Tensor() : Tensor({pack_size}, out.dtype());
    T* panels = many.defined() ? many.mutable_data<T>() : few;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t h = i / blocks;
      const AttentionHead<T> head = heads[h];
      if (i == begin || i % blocks == 0) kernels.attention_pack(head, panels);
      const std::int64_t first = block_at(i % blocks, blocks) * kQueriesPerBlock;
      kernels.attention(
          head, panels, first, std::min(sizes.Tq, first + kQueriesPerBlock),
          first_out + h * sizes.Tq * sizes.vs,
          {shift == nullptr ? nullptr : shift + h * sizes.Tq, sum == nullptr ? nullptr : sum + h * sizes.Tq});
    }
  });
}

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

void require_blocked_shape(const Shape& blocked, const Shape& scores) {
  const std::string where = "attention: scores and blocked";
  if (!(broadcast_shapes(where, scores, blocked) == scores)) {
    throw ShapeError("attention: blocked " + to_string(blocked) +
                     " does not broadcast to the scores' shape " + to_string(scores));
  }
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
  Shape scores = common_front(query, key, value);
  Shape out = scores;
  out.push_back(Tq);
  out.push_back(value[-1]);
  static_cast<void>(out.numel());
  if (options.blocked.defined()) {
    scores.push_back(Tq);
    scores.push_back(Tk);
    require_blocked_shape(options.blocked.shape(), scores);
  }
  return out;
}

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionOptions& options) {
  const Tensor& blocked = options.blocked;
  require_types(query, key, value, blocked);
  Tensor out(attention_shape(query.shape(), key.shape(), value.shape(), options), query.dtype());
  const Shape front = batch_shape(out.shape());
  const double scale =
      options.scale.value_or(1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(query.size(-1), 1))));
  const std::array inputs = {&query, &key, &value, &blocked};
  const bool goes_backward = needs_node(std::span(inputs).first(3));
  Shape rows = front;
  rows.push_back(query.size(-2));
  Tensor shift = goes_backward ? Tensor(rows, out.dtype()) : Tensor();  // (…, Tq)
  Tensor sum = goes_backward ? Tensor(rows, out.dtype()) : Tensor();    // (…, Tq)
  visit_floating(out.dtype(), [&]<typename T>() {
    compute(Heads<T>(query, key, value, blocked, front, options.causal, scale), front.numel(), out,
            goes_backward ? shift.mutable_data<T>() : nullptr,
            goes_backward ? sum.mutable_data<T>() : nullptr);
  });
  if (blocked.defined()) {
    return record<AttentionNode>("attention", {&query, &key, &value, &blocked}, std::move(out), options,
                                 scale, shift, sum);
  }
  return record<AttentionNode>("attention", {&query, &key, &value}, std::move(out), options, scale, shift,
                               sum);
}

}  // namespace wick
