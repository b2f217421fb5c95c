#pragma once

// .safetensors files by hand, most of them bad, and what is said of them.

#include <cstdint>
#include <cstring>
#include <string>

#include <wick/framework/error.h>
#include <wick/framework/safetensors.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {

struct Bad {
  std::string given;
  std::string message;
};

inline std::string file_of(const std::string& header, const std::string& data = "") {
  std::string length(8, '\0');
  const std::uint64_t size = header.size();
  std::memcpy(length.data(), &size, sizeof(size));
  return length + header + data;
}

inline std::string damage(const std::string& file) {
  return error_of<FormatError>([&] { decode_safetensors(to_bytes(file), "x"); });
}

/// The bytes from begin to end of the data are those of a tensor: a part of a header.
inline std::string entry(const std::string& key, int begin, int end) {
  return "\"" + key + "\":{\"dtype\":\"BOOL\",\"shape\":[" + std::to_string(end - begin) +
         "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
}

}  // namespace wick
