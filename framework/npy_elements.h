#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <wick/framework/dtype.h>
#include <wick/framework/tensor.h>

namespace wick {

/// The element types of .npy files that can be read, as messages list them. NumPy's letters, with the bytes
/// of one element: floats, integers, unsigned integers, booleans.
inline constexpr std::string_view kNpyTypes = "f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1";

/// How the elements of a .npy file become those of a tensor.
struct NpyElements {
  DType dtype = float32;      ///< the tensor's type
  std::size_t item_size = 0;  ///< bytes of one element in the file

  /// Writes elements first, first + 1, … of a contiguous tensor of type dtype from bytes of the file, a whole
  /// number of elements. Throws FormatError, opened by `name`, where a number does not fit.
  void (*decode)(std::span<const std::byte> bytes, Tensor& tensor, std::int64_t first,
                 const std::string& name) = nullptr;
};

/// The meaning of a header's descr, such as "<f4": byte order ('<', '>', and '=' or '|' or nothing for this
/// machine's), then one of kNpyTypes. Throws FormatError, opened by `name`, for anything else.
NpyElements npy_elements(std::string_view descr, const std::string& name);

}  // namespace wick
