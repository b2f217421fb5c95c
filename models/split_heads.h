#pragma once

#include <cstdint>
#include <string_view>

#include <wick/framework/tensor.h>

namespace wick {

/// hs, of several heads side by side. Throws ValueError for a size below 1 and "MultiHead: n_embd=30 is not
/// divisible by n_head=4"; `module` opens the message.
std::int64_t size_of_head(std::string_view module, std::int64_t n_embd, std::int64_t n_head);

/// The heads' numbers, side by side in every position, as a dimension of their own: (B, T, C) -> (B, n_head,
/// T, hs). A view wherever a position's numbers lie side by side.
Tensor split_heads(const Tensor& x, std::int64_t n_head);

/// Back again: (B, n_head, T, hs) -> (B, T, C).
Tensor join_heads(const Tensor& x);

}  // namespace wick
