#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include <wick/framework/error.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>
#include <wick/ops/attention_heads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

using kernels::AttentionHead;
using kernels::Matrix;
using kernels::MutableMatrix;

// Queries that one call of the kernel takes: twice what it takes through the keys together on AVX-512 (four
// tiles of 14 rows), and enough that packing the keys once more for another thread costs little.
constexpr std::int64_t kQueriesPerBlock = 112;

// What a head's packed keys and values may take on the stack: 64 keys of 16, as in a small GPT.
constexpr std::int64_t kFewElements = 2048;

// An exponential, in multiply-adds of a product: what a score costs besides hs + vs of them.
constexpr std::int64_t kProductsPerScore = 24;

// One operand of all heads: where each head's matrix begins.
class Operand {
 public:
  Operand() = default;
  Operand(const Tensor& tensor, const Shape& front)
      : front_(front),
        strides_{batch_strides(tensor, front)},
        row_stride_(tensor.strides()[-2]),
        column_stride_(tensor.strides()[-1]) {}

  // The matrix of a head, counted in row-major order over `front`, of the tensor that begins at `first`.
  template <typename T>
  Matrix<T> of_head(const T* first, std::int64_t head) const {
    return {first + offsets_of(head, front_, strides_)[0], row_stride_, column_stride_};
  }

 private:
  Shape front_;
  std::array<Strides, 1> strides_;
  std::int64_t row_stride_ = 0;
  std::int64_t column_stride_ = 0;
};

// Every head of one call, as kernels take them.
template <typename T>
class Heads {
 public:
  explicit Heads(const AttentionHeads& heads)
      : query_(heads.query, heads.front),
        key_(heads.key, heads.front),
        value_(heads.value, heads.front),
        first_{.Tq = heads.query.size(-2),
               .Tk = heads.key.size(-2),
               .hs = heads.query.size(-1),
               .vs = heads.value.size(-1),
               .query = {heads.query.data<T>(), 0, 0},
               .key = {heads.key.data<T>(), 0, 0},
               .value = {heads.value.data<T>(), 0, 0},
               .blocked = {nullptr, 0, 0},
               .causal = heads.causal,
               .scale = static_cast<T>(heads.scale)} {
    const Tensor& blocked = heads.blocked;
    if (!blocked.defined()) return;
    Shape shape = heads.front;
    shape.push_back(first_.Tq);
    shape.push_back(first_.Tk);
    // A view of the scores' shape: dimensions that are expanded have the stride 0.
    blocked_ =
        Operand(blocked.strided_view(shape, broadcast_strides(blocked.shape(), blocked.strides(), shape)),
                heads.front);
    first_.blocked.data = blocked.data<bool>();
  }

  AttentionHead<T> operator[](std::int64_t head) const {
    AttentionHead<T> one = first_;
    one.query = query_.of_head(first_.query.data, head);
    one.key = key_.of_head(first_.key.data, head);
    one.value = value_.of_head(first_.value.data, head);
    if (first_.blocked.data != nullptr) one.blocked = blocked_.of_head(first_.blocked.data, head);
    return one;
  }

  // What all heads have in common.
  const AttentionHead<T>& sizes() const { return first_; }

 private:
  Operand query_, key_, value_, blocked_;
  AttentionHead<T> first_;
};

// One result of all heads, as kernels write it.
template <typename T>
class Results {
 public:
  explicit Results(Tensor& tensor)
      : places_(tensor, batch_shape(tensor.shape())), first_(tensor.mutable_data<T>()) {}

  MutableMatrix<T> operator[](std::int64_t head) const {
    const Matrix<T> matrix = places_.of_head<T>(first_, head);
    return {first_ + (matrix.data - first_), matrix.row_stride};
  }

 private:
  Operand places_;
  T* first_;
};

template <typename T>
void differentiate(const Heads<T>& heads, std::int64_t count, const Tensor& out,
                   const AttentionStatistics& statistics, const Tensor& gradient,
                   std::array<Tensor, 3>& gradients) {
  const auto& kernels = active_kernels().in<T>();
  const AttentionHead<T>& sizes = heads.sizes();
  const std::int64_t workspace_size = kernels.attention_backward_size(sizes.Tq, sizes.Tk, sizes.hs, sizes.vs);
  const Operand outs(out, batch_shape(out.shape()));
  const T* first_out = out.data<T>();
  const Operand out_gradients(gradient, batch_shape(gradient.shape()));
  const T* first_gradient = gradient.data<T>();
  const T* shift = statistics.shift.data<T>();
  const T* sum = statistics.sum.data<T>();
  const Results<T> query(gradients[0]);
  const Results<T> key(gradients[1]);
  const Results<T> value(gradients[2]);
  const std::int64_t grain = rows_per_piece(
      kProductsPerPiece, {sizes.Tq, sizes.Tk, 3 * sizes.hs + 2 * sizes.vs + kProductsPerScore});
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    Tensor workspace({workspace_size}, out.dtype());
    for (std::int64_t h = begin; h < end; ++h) {
      kernels.attention_backward(heads[h], outs.of_head(first_out, h),
                                 {shift + h * sizes.Tq, sum + h * sizes.Tq},
                                 out_gradients.of_head(first_gradient, h), {query[h], key[h], value[h]},
                                 workspace.mutable_data<T>());
    }
  });
}

// Blocks of queries in an order in which causality gives every thread as much to do: first, last, second, …
std::int64_t block_at(std::int64_t place, std::int64_t blocks) {
  return place % 2 == 0 ? place / 2 : blocks - 1 - place / 2;
}

// `shift` and `sum` (…, Tq) are null where nobody will go backward.
template <typename T>
void compute(const Heads<T>& heads, std::int64_t count, Tensor& out, T* shift, T* sum) {
  const auto& kernels = active_kernels().in<T>();
  const AttentionHead<T>& sizes = heads.sizes();
  const Results<T> outs(out);
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
          head, panels, first, std::min(sizes.Tq, first + kQueriesPerBlock), outs[h],
          {shift == nullptr ? nullptr : shift + h * sizes.Tq, sum == nullptr ? nullptr : sum + h * sizes.Tq});
    }
  });
}

}  // namespace

AttentionStatistics make_statistics(const Shape& front, std::int64_t Tq, DType dtype) {
  Shape rows = front;
  rows.push_back(Tq);
  return {Tensor(rows, dtype), Tensor(rows, dtype)};
}

void require_layout_fits(std::string_view op, std::int64_t Tq, std::int64_t Tk, std::int64_t hs,
                         std::int64_t vs) {
  // No kernel takes more than this for one head: forward has a panel each of keys and values, backward two of
  // each, and of queries, all with columns filled up to 32 or less, and 128 rows of 128 scores.
  std::int64_t tokens = 0;
  std::int64_t features = 0;
  std::int64_t elements = 0;
  if (!__builtin_add_overflow(Tq, Tk, &tokens) && !__builtin_add_overflow(tokens, 128, &tokens) &&
      !__builtin_add_overflow(hs, vs, &features) && !__builtin_add_overflow(features, 128, &features) &&
      !__builtin_mul_overflow(tokens, features, &elements) &&
      !__builtin_mul_overflow(elements, 4, &elements)) {
    return;
  }
  throw ShapeError(std::string(op) + ": Tq=" + std::to_string(Tq) + " queries and Tk=" + std::to_string(Tk) +
                   " keys of " + std::to_string(hs) + ", values of " + std::to_string(vs) +
                   ": the memory for a head overflows a 64-bit integer");
}

void require_blocked_fits(std::string_view op, const Tensor& blocked, const Shape& front, std::int64_t Tq,
                          std::int64_t Tk) {
  if (!blocked.defined()) return;
  Shape scores = front;
  scores.push_back(Tq);
  scores.push_back(Tk);
  if (broadcast_shapes(std::string(op) + ": scores and blocked", scores, blocked.shape()) == scores) return;
  throw ShapeError(std::string(op) + ": blocked " + to_string(blocked.shape()) +
                   " does not broadcast to the scores' shape " + to_string(scores));
}

double usual_attention_scale(std::int64_t hs) {
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(hs, 1)));
}

void attend_heads(const AttentionHeads& heads, Tensor out, AttentionStatistics& statistics) {
  visit_floating(out.dtype(), [&]<typename T>() {
    const bool goes_backward = statistics.shift.defined();
    compute(Heads<T>(heads), heads.front.numel(), out,
            goes_backward ? statistics.shift.mutable_data<T>() : nullptr,
            goes_backward ? statistics.sum.mutable_data<T>() : nullptr);
  });
}

void differentiate_heads(const AttentionHeads& heads, const Tensor& out,
                         const AttentionStatistics& statistics, const Tensor& gradient,
                         std::array<Tensor, 3> gradients) {
  visit_floating(out.dtype(), [&]<typename T>() {
    differentiate(Heads<T>(heads), heads.front.numel(), out, statistics, gradient, gradients);
  });
}

}  // namespace wick
