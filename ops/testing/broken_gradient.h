#pragma once

#include <array>
#include <string_view>

#include <wick/framework/tensor.h>

namespace wick::testing {

/// Ways in which a backward can be wrong.
enum class Break { zero, doubled, negated, shifted, one_element };

inline constexpr std::array kBreaks = {Break::zero, Break::doubled, Break::negated, Break::shifted,
                                       Break::one_element};

/// "is negated": what the gradient is then.
std::string_view description(Break kind);

/// x itself, as the result of an op whose backward is wrong on purpose: put in front of an op's input, it
/// makes that op's gradient wrong, and a test of gradients that does not notice is no test.
Tensor with_broken_gradient(const Tensor& x, Break kind);

}  // namespace wick::testing
