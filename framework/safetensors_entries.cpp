#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/safetensors_entries.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

constexpr std::array kNamesOfTypes{
    std::pair(std::string_view("F32"), float32), std::pair(std::string_view("F64"), float64),
    std::pair(std::string_view("I64"), int64), std::pair(std::string_view("BOOL"), boolean)};

std::string offsets_text(std::uint64_t begin, std::uint64_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + "]";
}

[[noreturn]] void fail(const SafetensorsDraft& draft, const std::string& file, const std::string& message) {
  throw FormatError(file + ": header: " + in_quotes(draft.name) + ": " + message);
}

}  // namespace

std::string safetensors_type_name(DType dtype) {
  const auto found = std::ranges::find(kNamesOfTypes, dtype, [](const auto& pair) { return pair.second; });
  return std::string(found->first);
}

std::optional<DType> safetensors_type_named(std::string_view name) {
  const auto found = std::ranges::find(kNamesOfTypes, name, [](const auto& pair) { return pair.first; });
  return found == kNamesOfTypes.end() ? std::nullopt : std::optional(found->second);
}

std::string in_quotes(std::string_view text) { return "\"" + excerpt(text) + "\""; }

SafetensorsEntry safetensors_entry(const SafetensorsDraft& draft, const std::string& file) {
  for (const auto& [field, is_there] :
       {std::pair("dtype", draft.dtype.has_value()), std::pair("shape", draft.shape.has_value()),
        std::pair("data_offsets", draft.offsets.has_value())}) {
    if (!is_there) fail(draft, file, "the key \"" + std::string(field) + "\" is missing");
  }
  std::int64_t needed = static_cast<std::int64_t>(item_size(*draft.dtype));
  bool is_empty = false;
  for (const std::int64_t size : *draft.shape) {
    is_empty = is_empty || size == 0;
    if (size != 0 && __builtin_mul_overflow(needed, size, &needed)) {
      fail(draft, file,
           "shape " + to_string(Dimensions(*draft.shape)) +
               " has more elements than 64 bits can count in bytes");
    }
  }
  if (is_empty) needed = 0;
  const std::uint64_t begin = draft.offsets->front();
  const std::uint64_t end = draft.offsets->back();
  if (end < begin) {
    fail(draft, file, "data_offsets are " + offsets_text(begin, end) + ": the end is before the begin");
  }
  if (end - begin != static_cast<std::uint64_t>(needed)) {
    fail(draft, file,
         "data_offsets are " + offsets_text(begin, end) + ", which is " + std::to_string(end - begin) +
             " long, expected " + std::to_string(needed) + " for shape " +
             to_string(Dimensions(*draft.shape)) + " of " + safetensors_type_name(*draft.dtype));
  }
  return {draft.name, *draft.dtype, Shape(std::span(*draft.shape)), begin, end};
}

void order_by_bytes(std::vector<SafetensorsEntry>& entries, const std::string& file) {
  std::ranges::stable_sort(entries, {},
                           [](const SafetensorsEntry& entry) { return std::pair(entry.begin, entry.end); });
  const SafetensorsEntry* before = nullptr;
  for (const SafetensorsEntry& entry : entries) {
    const std::uint64_t expected = before == nullptr ? 0 : before->end;
    if (entry.begin < expected) {
      throw FormatError(file + ": header: " + in_quotes(entry.name) + " with data_offsets " +
                        offsets_text(entry.begin, entry.end) + " overlaps " + in_quotes(before->name) +
                        " with " + offsets_text(before->begin, before->end));
    }
    if (entry.begin > expected) {
      throw FormatError(file + ": header: bytes " + std::to_string(expected) + " to " +
                        std::to_string(entry.begin) +
                        " of the data belong to no tensor: " + in_quotes(entry.name) + " is the next");
    }
    before = &entry;
  }
}

}  // namespace wick
