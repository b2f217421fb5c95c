#pragma once

// What holds for all bytes that may come as a .npy file. The fuzzer and the test of kept inputs share it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/framework/npy_header.h>

namespace wick {

inline bool is_one_line(std::string_view message) {
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return !message.empty();
}

/// What is wrong with how these bytes are read, or nothing. They have to be refused with a FormatError whose
/// message is one line, or give a tensor that, written and read, comes back the same. Any other exception
/// passes through.
inline std::string broken_npy_promise(std::span<const std::byte> bytes) {
  Tensor tensor;
  try {
    tensor = decode_npy(bytes);
  } catch (const FormatError& error) {
    return is_one_line(error.what()) ? "" : "the message is not one line";
  }
  const std::vector<std::byte> written = encode_npy(tensor);
  Tensor again;
  try {
    again = decode_npy(written);
  } catch (const FormatError& error) {
    return "what was written again is refused: " + std::string(error.what());
  }
  if (again.dtype() != tensor.dtype()) return "the type changed on the way through a file";
  if (again.shape() != tensor.shape()) return "the shape changed on the way through a file";
  if (encode_npy(again) != written) return "an element changed on the way through a file";
  return "";
}

/// The same for a header alone. Few of a fuzzer's inputs would get as far behind a length that has to be
/// right.
inline std::string broken_npy_header_promise(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  NpyHeader header;
  try {
    header = parse_npy_header(text, "npy");
  } catch (const FormatError& error) {
    return is_one_line(error.what()) ? "" : "the message is not one line";
  }
  const std::string preamble = npy_preamble(float64, header.shape);
  constexpr std::size_t kDict = 10;  // behind the magic, the version and the length
  if (preamble.size() != 128 || preamble.back() != '\n')
    return "the header that is written is not 128 bytes long";
  if (parse_npy_header(std::string_view(preamble).substr(kDict), "npy").shape != header.shape) {
    return "the shape changed on the way through a header";
  }
  return "";
}

}  // namespace wick
