#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick {

/// Reads an array that numpy.save wrote. Format versions 1.0, 2.0 and 3.0, either byte order, row-major or
/// Fortran order; the tensor is contiguous in any case. NumPy: load.
///
/// | in the file                  | tensor  |                                                            |
/// |------------------------------|---------|------------------------------------------------------------|
/// | f4, f2                       | float32 | to the bit, NaNs too                                       |
/// | f8                           | float64 | to the bit, NaNs too                                       |
/// | i8, i4, i2, i1, u4, u2, u1   | int64   |                                                            |
/// | u8                           | int64   | a number of 2^63 or more is an error                       |
/// | b1                           | boolean | any byte but 0 is true                                     |
///
/// Other types (complex, long double, text, dates, structured, objects) are an error, and nothing is ever
/// unpickled.
///
/// Throws FormatError, naming the file, what was met and what was expected, for whatever is wrong with the
/// content; also where data is left over, because then the header speaks of another array than the file holds
/// (numpy.load would not notice). Memory is taken only after the size of the file was compared with the
/// header; from a pipe, as data arrives. Throws FileError, with the system's reason, where the file cannot be
/// opened or read.
Tensor load_npy(const std::filesystem::path& path);

/// Writes a file that is, byte for byte, what numpy.save of NumPy 1.24 makes of the same array in row-major
/// order: types '<f4', '<f8', '<i8', '|b1'. Any view may be given. NumPy: save, but the name stays as it is.
///
/// The file is there whole or not at all (see write_file). Throws FileError with the system's reason,
/// TypeError where the tensor is undefined.
void save_npy(const std::filesystem::path& path, const Tensor& tensor);

/// The same from bytes in memory; `name` opens the messages of errors.
Tensor decode_npy(std::span<const std::byte> bytes, const std::string& name = "npy");

/// The bytes that save_npy writes.
std::vector<std::byte> encode_npy(const Tensor& tensor);

}  // namespace wick
