#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include <wick/framework/tensor.h>

namespace wick {

/// How arrays are printed: NumPy's names and defaults (numpy.set_printoptions). There is no global setting.
struct PrintOptions {
  int precision = 8;              ///< the most digits after the point
  bool suppress = false;          ///< plain notation for small numbers, which may then print as 0
  std::int64_t linewidth = 75;    ///< lines break before this many characters
  std::int64_t threshold = 1000;  ///< with more elements than this only the ends of each dimension are shown
  std::int64_t edgeitems = 3;     ///< how many of them at either end
};

/// What `print(array)` shows in NumPy 1.24, character for character, without a line end:
///
///     [[0.    0.004 0.003]
///      [0.028 0.138 0.087]]
///
/// A float32 tensor prints the digits that a float32 needs. As in NumPy, options leave rank 0 alone. An
/// undefined tensor prints as "undefined". Throws ValueError for a negative precision or edgeitems.
std::string to_string(const Tensor& tensor, const PrintOptions& options = {});

/// to_string() with the default options.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

/// What `print(array.tolist())` shows: "[1.0, 0.5]", nested for further dimensions. Python has no float32, so
/// a float32 prints with the digits of the double that it becomes: 0.1 is 0.10000000149011612. Throws
/// TypeError where the tensor is undefined.
std::string to_list_string(const Tensor& tensor);

/// A number as Python's repr writes it: "1.0", "1e-05", "nan".
std::string repr(double number);

}  // namespace wick
