#pragma once

// What every op asks of its inputs, with one wording.

#include <cstdint>
#include <optional>
#include <string_view>

#include <wick/framework/tensor.h>

namespace wick {

/// Throws TypeError "reshape: x is an undefined tensor". For ops that take any type.
void require_defined(std::string_view op, std::string_view input, const Tensor& tensor);

/// Throws TypeError "softmax: x is int64, expected float32 or float64".
void require_floating(std::string_view op, std::string_view input, const Tensor& tensor);

/// Throws TypeError "embedding: ids is float32, expected int64".
void require_type(std::string_view op, std::string_view input, const Tensor& tensor, DType expected);

[[noreturn]] void refuse_types(std::string_view op, const Tensor& a, const Tensor& b);

/// Both floating and of one type, or TypeError "add: float32 and float64: one type is needed; to() converts".
/// Here, and not in checks.cpp, because every op of two inputs asks it, however small they are.
inline void require_same_floating(std::string_view op, const Tensor& a, const Tensor& b) {
  if (a.defined() && b.defined() && is_floating(a.dtype()) && a.dtype() == b.dtype()) return;
  refuse_types(op, a, b);
}

/// Every id lies in [0, V), or is the one that is ignored; or IndexError "embedding: the id at position (2,)
/// is 24, outside [0, 24)". Precondition: ids is int64 and contiguous.
void require_ids_in_range(std::string_view op, const Tensor& ids, std::int64_t V,
                          std::optional<std::int64_t> ignored = {});

/// Calls visitor.operator()<T>() with float or double. Precondition: dtype is floating.
template <typename Visitor>
decltype(auto) visit_floating(DType dtype, Visitor&& visitor) {
  return dtype == float32 ? visitor.template operator()<float>() : visitor.template operator()<double>();
}

}  // namespace wick
