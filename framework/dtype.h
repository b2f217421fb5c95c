#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wick {

/// The type of a tensor's elements. NumPy's names, but `boolean` for its `bool`, a word that C++ keeps for
/// itself.
enum class DType : std::uint8_t {
  float32,  ///< the default
  float64,  ///< for checking gradients and for matching NumPy
  int64,    ///< token ids and positions
  boolean,  ///< masks; one byte each
};

inline constexpr DType float32 = DType::float32;
inline constexpr DType float64 = DType::float64;
inline constexpr DType int64 = DType::int64;
inline constexpr DType boolean = DType::boolean;

/// "float32", "float64", "int64" or "boolean".
std::string_view name(DType dtype);

/// Bytes of one element.
constexpr std::size_t item_size(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return 4;
    case DType::float64:
    case DType::int64:
      return 8;
    case DType::boolean:
      return 1;
  }
  return 0;
}

/// True for float32 and float64, the types that ops compute in and gradients exist for.
constexpr bool is_floating(DType dtype) { return dtype == DType::float32 || dtype == DType::float64; }

/// The C++ types that stand for an element type: float, double, std::int64_t, bool.
template <typename T>
inline constexpr bool is_element = false;
template <>
inline constexpr bool is_element<float> = true;
template <>
inline constexpr bool is_element<double> = true;
template <>
inline constexpr bool is_element<std::int64_t> = true;
template <>
inline constexpr bool is_element<bool> = true;

template <typename T>
concept Element = is_element<T>;

/// dtype_of<float> is float32, and so on.
template <Element T>
inline constexpr DType dtype_of = DType::float32;
template <>
inline constexpr DType dtype_of<double> = DType::float64;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::int64;
template <>
inline constexpr DType dtype_of<bool> = DType::boolean;

/// Calls `visitor.operator()<T>()` with the C++ type that stands for `dtype`, and returns what it returns.
template <typename Visitor>
decltype(auto) visit_dtype(DType dtype, Visitor&& visitor) {
  switch (dtype) {
    case DType::float64:
      return visitor.template operator()<double>();
    case DType::int64:
      return visitor.template operator()<std::int64_t>();
    case DType::boolean:
      return visitor.template operator()<bool>();
    case DType::float32:
      break;
  }
  return visitor.template operator()<float>();
}

}  // namespace wick
