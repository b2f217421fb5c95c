#pragma once

// What holds for all bytes that may come as a .safetensors file. The fuzzer and the tests of kept and of
// damaged inputs share it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <wick/framework/error.h>
#include <wick/framework/safetensors.h>
#include <wick/framework/safetensors_header.h>
#include <wick/tests/framework/npy_promise.h>

namespace wick {

/// What is wrong with how these bytes are read, or nothing. They have to be refused with a FormatError whose
/// message is one line, or give tensors and metadata that, written and read, come back the same. Any other
/// exception passes through.
inline std::string broken_safetensors_promise(std::span<const std::byte> bytes) {
  SafetensorsFile file;
  try {
    file = decode_safetensors(bytes);
  } catch (const FormatError& error) {
    return is_one_line(error.what()) ? "" : "the message is not one line";
  }
  const std::vector<std::byte> written = encode_safetensors(file.tensors, file.metadata);
  SafetensorsFile again;
  try {
    again = decode_safetensors(written);
  } catch (const FormatError& error) {
    return "what was written again is refused: " + std::string(error.what());
  }
  if (again.metadata != file.metadata) return "the metadata changed on the way through a file";
  if (again.tensors.size() != file.tensors.size()) return "a tensor came or went on the way through a file";
  // An order of sizes is settled after the first time.
  if (encode_safetensors(again.tensors, again.metadata) != written) {
    return "a tensor changed on the way through a file";
  }
  return "";
}

/// The same for a header alone. Few of a fuzzer's inputs would get as far behind a length that has to be
/// right.
inline std::string broken_safetensors_header_promise(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  SafetensorsHeader header;
  try {
    header = parse_safetensors_header(text, "safetensors");
  } catch (const FormatError& error) {
    return is_one_line(error.what()) ? "" : "the message is not one line";
  }
  std::uint64_t end = 0;
  for (const SafetensorsEntry& entry : header.entries) {
    if (entry.begin != end) return "bytes belong to no tensor, or to two";
    end += static_cast<std::uint64_t>(entry.shape.numel()) * item_size(entry.dtype);
    if (entry.end != end) return "a tensor has not the bytes that its shape needs";
  }
  return end == header.data_size() ? "" : "the data has another size than the tensors";
}

}  // namespace wick
