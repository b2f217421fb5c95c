#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/dtype.h>
#include <wick/framework/named_tensor.h>
#include <wick/framework/shape.h>

namespace wick {

/// The format's own limit of a header's bytes.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

/// What the header of a .safetensors file says of one tensor.
struct SafetensorsEntry {
  std::string name;
  DType dtype = float32;
  Shape shape;
  std::uint64_t begin = 0;  ///< of its bytes, counted from where the data begins
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  ///< in the order of their bytes, which leave no gap
  std::map<std::string, std::string> metadata;

  std::uint64_t data_size() const { return entries.empty() ? 0 : entries.back().end; }
};

/// Reads the header,
///
///     {"__metadata__":{"format":"pt"},"weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
///
/// with spaces behind it as padding. Throws FormatError, opened by `name`, for anything else, and for
/// everything that is wrong with shapes and offsets; how long the data is, the caller compares.
SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& name);

/// The header of these tensors, whose bytes follow in this order, padded to a multiple of 8 bytes. Throws as
/// save_safetensors does.
std::string safetensors_header(const std::vector<NamedTensor>& tensors,
                               const std::map<std::string, std::string>& metadata);

}  // namespace wick
