#pragma once

#include <cstdint>

#include <wick/framework/tensor.h>
#include <wick/ops/attention.h>

namespace wick {

/// Attention of several heads at once, from one tensor and into one: qkv is (…, T, 3C), which holds along its
/// last dimension the queries of all heads, then the keys, then the values, head after head of hs = C /
/// n_head each, as one product x @ (C, 3C) gives them. The result is (…, T, C), head after head again.
///
/// To the bit what attention() gives for the heads as (…, n_head, T, hs), but nothing is split, transposed or
/// put together: each head is read and written where it lies, backward too. `options` are attention()'s;
/// `blocked` broadcasts to (…, n_head, T, T). Accuracy, hidden keys and what is not finite: see attention.h.
///
/// Throws ShapeError "packed_attention: qkv (2, 4, 90): 90 is not 3 times n_head=4 heads of one size" and the
/// like, ValueError where n_head is below 1, TypeError.
Tensor packed_attention(const Tensor& qkv, std::int64_t n_head, const AttentionOptions& options = {});

/// The shape rule.
Shape packed_attention_shape(const Shape& qkv, std::int64_t n_head, const AttentionOptions& options = {});

}  // namespace wick
