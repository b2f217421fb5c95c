#pragma once

#include <string>
#include <string_view>

#include <wick/framework/dtype.h>
#include <wick/framework/shape.h>

namespace wick {

/// What the header of a .npy file says about its data: a dict, written as Python writes it,
///
///     {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
struct NpyHeader {
  std::string descr;           ///< byte order, kind and bytes of an element, not checked yet
  bool fortran_order = false;  ///< the first index moves fastest
  Shape shape;
};

/// Reads that dict: its three keys in any order, in single or double quotes, with white space as Python
/// allows it. Nothing is evaluated. Throws FormatError, opened by `name`, for anything else; the number of
/// elements fits, at 8 bytes each, in 64 bits.
NpyHeader parse_npy_header(std::string_view text, const std::string& name);

/// All that comes before the data of a contiguous tensor, byte for byte as NumPy 1.24 writes it: format
/// version 1.0, 128 bytes for every shape.
std::string npy_preamble(DType dtype, const Shape& shape);

}  // namespace wick
