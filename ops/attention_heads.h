#pragma once

// From tensors to heads: the kernels of attention take one head at a time, as matrices where they lie.

#include <array>
#include <cstdint>

#include <wick/framework/strided.h>
#include <wick/framework/tensor.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/instruction_set.h>

namespace wick {

/// One operand of all heads: where each head's matrix begins.
class HeadOperand {
 public:
  HeadOperand() = default;
  /// `front` is the shape of the heads, to which the tensor's batch dimensions broadcast.
  HeadOperand(const Tensor& tensor, const Shape& front)
      : front_(front),
        strides_{batch_strides(tensor, front)},
        row_stride_(tensor.strides()[-2]),
        column_stride_(tensor.strides()[-1]) {}

  /// The matrix of a head, counted in row-major order over `front`, of the tensor that begins at `first`.
  template <typename T>
  kernels::Matrix<T> of_head(const T* first, std::int64_t head) const {
    return {first + offsets_of(head, front_, strides_)[0], row_stride_, column_stride_};
  }

 private:
  Shape front_;
  std::array<Strides, 1> strides_;
  std::int64_t row_stride_ = 0;
  std::int64_t column_stride_ = 0;
};

/// Every head of one call, as kernels take them. The tensors have to outlive it.
template <typename T>
class Heads {
 public:
  /// `blocked` may be undefined.
  Heads(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& blocked,
        const Shape& front, bool causal, double scale)
      : query_(query, front),
        key_(key, front),
        value_(value, front),
        first_{.Tq = query.size(-2),
               .Tk = key.size(-2),
               .hs = query.size(-1),
               .vs = value.size(-1),
               .query = {query.data<T>(), 0, 0},
               .key = {key.data<T>(), 0, 0},
               .value = {value.data<T>(), 0, 0},
               .blocked = {nullptr, 0, 0},
               .causal = causal,
               .scale = static_cast<T>(scale)} {
    if (!blocked.defined()) return;
    Shape shape = front;
    shape.push_back(first_.Tq);
    shape.push_back(first_.Tk);
    // A view of the scores' shape: dimensions that are expanded have the stride 0.
    blocked_ = HeadOperand(
        blocked.strided_view(shape, broadcast_strides(blocked.shape(), blocked.strides(), shape)), front);
    first_.blocked.data = blocked.data<bool>();
  }

  kernels::AttentionHead<T> operator[](std::int64_t head) const {
    kernels::AttentionHead<T> one = first_;
    one.query = query_.of_head(first_.query.data, head);
    one.key = key_.of_head(first_.key.data, head);
    one.value = value_.of_head(first_.value.data, head);
    if (first_.blocked.data != nullptr) one.blocked = blocked_.of_head(first_.blocked.data, head);
    return one;
  }

  /// What all heads have in common.
  const kernels::AttentionHead<T>& sizes() const { return first_; }

 private:
  HeadOperand query_, key_, value_, blocked_;
  kernels::AttentionHead<T> first_;
};

}  // namespace wick
