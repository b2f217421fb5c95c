#pragma once

// What the header of a .safetensors file says of tensors, checked: knows nothing of JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/dtype.h>
#include <wick/framework/safetensors_header.h>

namespace wick {

/// The names of the types that a tensor may have.
inline constexpr std::string_view kSafetensorsTypes = "F32, F64, I64, BOOL";

/// "F32".
std::string safetensors_type_name(DType dtype);
/// Nothing where the name is not among those.
std::optional<DType> safetensors_type_named(std::string_view name);

/// A text from a header, as messages show it.
std::string in_quotes(std::string_view text);

/// A tensor as it is being read: what the header has said of it so far.
struct SafetensorsDraft {
  std::string name;
  std::optional<DType> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::uint64_t>> offsets;  ///< two, once it is whole
};

/// Throws FormatError, opened by `file`, where something of it is missing, and where the offsets are not
/// those of as many bytes as the shape takes.
SafetensorsEntry safetensors_entry(const SafetensorsDraft& draft, const std::string& file);

/// Puts the entries into the order of their bytes. Throws FormatError, opened by `file`, where those do not
/// follow each other: the first begins at 0, and none overlaps or leaves a hole.
void order_by_bytes(std::vector<SafetensorsEntry>& entries, const std::string& file);

}  // namespace wick
