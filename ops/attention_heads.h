#pragma once

// Attention over heads that lie anywhere in memory: what attention() and packed_attention() share.

#include <array>
#include <cstdint>
#include <string_view>

#include <wick/framework/tensor.h>

namespace wick {

/// All heads of one call, as views. The dimensions in front, `front`, are common to them, if need be by
/// expansion; the sizes fit (see attention_shape).
struct AttentionHeads {
  Shape front;          ///< the heads: their matrices are counted in row-major order over it
  const Tensor& query;  ///< (…, Tq, hs), broadcasts to front
  const Tensor& key;    ///< (…, Tk, hs)
  const Tensor& value;  ///< (…, Tk, vs)
  Tensor blocked;       ///< (…, Tq, Tk), or undefined
  bool causal;
  double scale;
};

/// What forward leaves for backward, a number per query each, (front…, Tq): see kernels::AttentionRows.
struct AttentionStatistics {
  Tensor shift;
  Tensor sum;
};

/// Undefined numbers for Tq queries of every head.
AttentionStatistics make_statistics(const Shape& front, std::int64_t Tq, DType dtype);

/// A mask that is defined broadcasts to the scores' shape, (front…, Tq, Tk), or ShapeError in the name of
/// `op`.
void require_blocked_fits(std::string_view op, const Tensor& blocked, const Shape& front, std::int64_t Tq,
                          std::int64_t Tk);

/// What a head is laid out in for its products can be counted in 64 bits, or ShapeError in the name of `op`:
/// views that are expanded may be of any size.
void require_layout_fits(std::string_view op, std::int64_t Tq, std::int64_t Tk, std::int64_t hs,
                         std::int64_t vs);

/// 1 / sqrt(hs); 1 where hs is 0.
double usual_attention_scale(std::int64_t hs);

/// Writes softmax(scale * query @ keyᵀ) @ value to `out`, (front…, Tq, vs): a view whose rows are contiguous.
/// Statistics are written where they are defined. Threads share heads and blocks of queries.
void attend_heads(const AttentionHeads& heads, Tensor out, AttentionStatistics& statistics);

/// Writes the gradients of query, key and value to views of the shapes that these have over `front`, rows
/// contiguous. `out` and `statistics` are those of attend_heads(); `gradient` is that of out, in any layout.
/// Threads share heads.
void differentiate_heads(const AttentionHeads& heads, const Tensor& out,
                         const AttentionStatistics& statistics, const Tensor& gradient,
                         std::array<Tensor, 3> gradients);

}  // namespace wick
