#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/safetensors_header.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

using nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::string_view kTypes = "F32, F64, I64, BOOL";

constexpr std::array kNamesOfTypes{
    std::pair(std::string_view("F32"), float32), std::pair(std::string_view("F64"), float64),
    std::pair(std::string_view("I64"), int64), std::pair(std::string_view("BOOL"), boolean)};

std::string type_name(DType dtype) {
  const auto found = std::ranges::find(kNamesOfTypes, dtype, [](const auto& pair) { return pair.second; });
  return std::string(found->first);
}

std::string in_quotes(std::string_view text) { return "\"" + excerpt(text) + "\""; }

std::string offsets_text(std::uint64_t begin, std::uint64_t end) {
  return "[" + std::to_string(begin) + ", " + std::to_string(end) + "]";
}

// A tensor as it is being read: what the header has said of it so far.
struct Draft {
  std::optional<DType> dtype;
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::uint64_t>> offsets;
};

// Takes the header in as the JSON parser comes upon its parts. A document of its own would have lost, by
// then, keys that come twice, and its memory could be many times the header's.
class Reader final : public nlohmann::json_sax<json> {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), file_(name) {}

  SafetensorsHeader take_header() { return std::move(header_); }

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::start:
        place_ = Place::root;
        return true;
      case Place::root_value:
        place_ = key_ == kMetadata ? Place::metadata : Place::tensor;
        draft_ = {};
        return true;
      default:
        refuse("an object");
    }
  }

  bool key(std::string& key) override {
    if (place_ == Place::root) {
      if (!names_.insert(key).second) fail("the key " + in_quotes(key) + " comes twice");
      key_ = std::move(key);
      place_ = Place::root_value;
    } else if (place_ == Place::metadata) {
      if (header_.metadata.contains(key)) {
        fail(in_quotes(kMetadata) + ": the key " + in_quotes(key) + " comes twice");
      }
      inner_key_ = std::move(key);
      place_ = Place::metadata_value;
    } else {
      inner_key_ = std::move(key);
      start_field();
    }
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::metadata_value) {
      header_.metadata.emplace(std::move(inner_key_), std::move(value));
      place_ = Place::metadata;
    } else if (place_ == Place::dtype) {
      draft_.dtype = type_named(value);
      place_ = Place::tensor;
    } else {
      refuse("the text " + in_quotes(value));
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::shape && !draft_.shape) {
      draft_.shape.emplace();
    } else if (place_ == Place::offsets && !draft_.offsets) {
      draft_.offsets.emplace();
    } else {
      refuse("a list");
    }
    return true;
  }

  bool number_unsigned(std::uint64_t number) override {
    const bool fits = number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (place_ == Place::shape && draft_.shape) {
      if (!fits) fail_of_tensor("shape has the size " + std::to_string(number) + ", beyond a 64-bit integer");
      if (draft_.shape->size() == static_cast<std::size_t>(kMaxRank)) {
        fail_of_tensor("shape has more sizes than " + std::to_string(kMaxRank));
      }
      draft_.shape->push_back(static_cast<std::int64_t>(number));
    } else if (place_ == Place::offsets && draft_.offsets) {
      if (!fits) fail_of_tensor("data_offsets has " + std::to_string(number) + ", beyond a 64-bit integer");
      if (draft_.offsets->size() == 2) fail_of_tensor("data_offsets has more than 2 numbers");
      draft_.offsets->push_back(number);
    } else {
      refuse("the number " + std::to_string(number));
    }
    return true;
  }

  bool end_array() override {
    if (place_ == Place::offsets && draft_.offsets->size() != 2) {
      fail_of_tensor("data_offsets has fewer than 2 numbers");
    }
    place_ = Place::tensor;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::tensor) add_entry();
    place_ = place_ == Place::root ? Place::end : Place::root;
    return true;
  }

  bool null() override { refuse("null"); }
  bool boolean(bool value) override { refuse(value ? "true" : "false"); }
  bool number_integer(std::int64_t number) override { refuse("the number " + std::to_string(number)); }
  // Also for whole numbers of more than 64 bits.
  bool number_float(double, const std::string& digits) override { refuse("the number " + excerpt(digits)); }
  bool binary(json::binary_t&) override { refuse("bytes"); }  // which no JSON has

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    // The parser counts bytes from 1, up to the last one that it looked at.
    const std::size_t at = std::min(position == 0 ? 0 : position - 1, text_.size());
    fail(at == text_.size()
             ? "no JSON: it ends too early"
             : "no JSON at byte " + std::to_string(at) + ": '" + excerpt(text_.substr(at)) + "'");
  }

 private:
  // What may come next.
  enum class Place { start, root, root_value, metadata, metadata_value, tensor, dtype, shape, offsets, end };

  void start_field() {
    const auto begin = [&](bool is_known, Place place) {
      if (is_known) fail_of_tensor("the key " + in_quotes(inner_key_) + " comes twice");
      place_ = place;
    };
    if (inner_key_ == "dtype") {
      begin(draft_.dtype.has_value(), Place::dtype);
    } else if (inner_key_ == "shape") {
      begin(draft_.shape.has_value(), Place::shape);
    } else if (inner_key_ == "data_offsets") {
      begin(draft_.offsets.has_value(), Place::offsets);
    } else {
      fail_of_tensor("the key " + in_quotes(inner_key_) +
                     " is unknown, expected dtype, shape and data_offsets");
    }
  }

  DType type_named(std::string_view wanted) const {
    for (const auto& [type_name, dtype] : kNamesOfTypes) {
      if (type_name == wanted) return dtype;
    }
    fail_of_tensor("dtype is " + in_quotes(wanted) + ", expected one of " + std::string(kTypes));
  }

  void add_entry() {
    for (const auto& [field, is_there] :
         {std::pair("dtype", draft_.dtype.has_value()), std::pair("shape", draft_.shape.has_value()),
          std::pair("data_offsets", draft_.offsets.has_value())}) {
      if (!is_there) fail_of_tensor("the key \"" + std::string(field) + "\" is missing");
    }
    std::int64_t needed = static_cast<std::int64_t>(item_size(*draft_.dtype));
    bool is_empty = false;
    for (const std::int64_t size : *draft_.shape) {
      is_empty = is_empty || size == 0;
      if (size != 0 && __builtin_mul_overflow(needed, size, &needed)) {
        fail_of_tensor("shape " + to_string(Dimensions(*draft_.shape)) +
                       " has more elements than 64 bits can count in bytes");
      }
    }
    if (is_empty) needed = 0;
    const std::uint64_t begin = draft_.offsets->front();
    const std::uint64_t end = draft_.offsets->back();
    if (end < begin) {
      fail_of_tensor("data_offsets are " + offsets_text(begin, end) + ": the end is before the begin");
    }
    if (end - begin != static_cast<std::uint64_t>(needed)) {
      fail_of_tensor("data_offsets are " + offsets_text(begin, end) + ", which is " +
                     std::to_string(end - begin) + " long, expected " + std::to_string(needed) +
                     " for shape " + to_string(Dimensions(*draft_.shape)) + " of " +
                     type_name(*draft_.dtype));
    }
    header_.entries.push_back({std::move(key_), *draft_.dtype, Shape(std::span(*draft_.shape)), begin, end});
  }

  // A value of a kind that is not for here.
  [[noreturn]] void refuse(const std::string& met) const {
    switch (place_) {
      case Place::start:
        fail("it is " + met + ", expected an object");
      case Place::root_value:
        fail(in_quotes(key_) + " is " + met + ", expected an object");
      case Place::metadata_value:
        fail(in_quotes(kMetadata) + ": " + in_quotes(inner_key_) + " is " + met + ", expected a text");
      case Place::dtype:
        fail_of_tensor("dtype is " + met + ", expected one of " + std::string(kTypes));
      case Place::shape:
        fail_of_tensor((draft_.shape ? "shape has " : "shape is ") + met +
                       (draft_.shape ? ", expected sizes of 0 or more" : ", expected a list of sizes"));
      default:
        fail_of_tensor((draft_.offsets ? "data_offsets has " : "data_offsets is ") + met +
                       (draft_.offsets ? ", expected whole numbers of 0 or more, up to 64 bits"
                                       : ", expected a list of 2 numbers"));
    }
  }

  [[noreturn]] void fail_of_tensor(const std::string& message) const {
    fail(in_quotes(key_) + ": " + message);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FormatError(file_ + ": header: " + message);
  }

  std::string_view text_;
  const std::string& file_;
  Place place_ = Place::start;
  std::unordered_set<std::string> names_;
  std::string key_;
  std::string inner_key_;
  Draft draft_;
  SafetensorsHeader header_;
};

// Puts the entries into the order of their bytes, and throws where those do not follow each other.
void order_by_bytes(std::vector<SafetensorsEntry>& entries, const std::string& name) {
  std::ranges::stable_sort(entries, {},
                           [](const SafetensorsEntry& entry) { return std::pair(entry.begin, entry.end); });
  const SafetensorsEntry* before = nullptr;
  for (const SafetensorsEntry& entry : entries) {
    const std::uint64_t expected = before == nullptr ? 0 : before->end;
    if (entry.begin < expected) {
      throw FormatError(name + ": header: " + in_quotes(entry.name) + " with data_offsets " +
                        offsets_text(entry.begin, entry.end) + " overlaps " + in_quotes(before->name) +
                        " with " + offsets_text(before->begin, before->end));
    }
    if (entry.begin > expected) {
      throw FormatError(name + ": header: bytes " + std::to_string(expected) + " to " +
                        std::to_string(entry.begin) +
                        " of the data belong to no tensor: " + in_quotes(entry.name) + " is the next");
    }
    before = &entry;
  }
}

std::string json_text(std::string_view text, const std::string& what) {
  try {
    return json(std::string(text)).dump();
  } catch (const json::type_error&) {  // the only one that a text can give
    throw ValueError("save_safetensors: " + what + " '" + excerpt(text) + "' is not UTF-8");
  }
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& name) {
  // The parser would take spaces before it, and end at a zero byte, whatever comes then.
  if (!text.starts_with('{')) {
    throw FormatError(name + ": header: expected an object, found '" + excerpt(text) + "'");
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw FormatError(name + ": header: no JSON at byte " + std::to_string(zero) + ": '" +
                      excerpt(text.substr(zero)) + "'");
  }
  Reader reader(text, name);
  json::sax_parse(text.begin(), text.end(), &reader);
  SafetensorsHeader header = reader.take_header();
  order_by_bytes(header.entries, name);
  return header;
}

std::string safetensors_header(const std::vector<NamedTensor>& tensors,
                               const std::map<std::string, std::string>& metadata) {
  std::string text = "{";
  const auto start_entry = [&](std::string_view key) {
    text += (text.size() == 1 ? "" : ",") + json_text(key, "the name") + ":";
  };
  if (!metadata.empty()) {
    start_entry(kMetadata);
    char opening = '{';
    for (const auto& [key, value] : metadata) {
      text += opening + json_text(key, "the metadata's key") + ":" +
              json_text(value, "the metadata's text of \"" + excerpt(key) + "\":");
      opening = ',';
    }
    text += "}";
  }
  std::unordered_set<std::string_view> names;
  std::uint64_t end = 0;
  for (const NamedTensor& entry : tensors) {
    if (entry.name == kMetadata) {
      throw ValueError("save_safetensors: a tensor is named \"__metadata__\", the format's own key");
    }
    if (!names.insert(entry.name).second) {
      throw ValueError("save_safetensors: two tensors are named " + in_quotes(entry.name));
    }
    if (!entry.tensor.defined()) {
      throw TypeError("save_safetensors: " + in_quotes(entry.name) + " is undefined");
    }
    start_entry(entry.name);
    const DType dtype = entry.tensor.dtype();
    text += "{\"dtype\":\"" + type_name(dtype) + "\",\"shape\":[";
    for (int axis = 0; axis < entry.tensor.rank(); ++axis) {
      text += (axis == 0 ? "" : ",") + std::to_string(entry.tensor.shape()[axis]);
    }
    const std::uint64_t begin = end;
    end += static_cast<std::uint64_t>(entry.tensor.numel()) * item_size(dtype);
    text += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) + "]}";
  }
  text += "}";
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kMaxSafetensorsHeader) {
    throw ValueError("save_safetensors: the header would be " + std::to_string(text.size()) +
                     " bytes long, the format has " + std::to_string(kMaxSafetensorsHeader) + " at most");
  }
  return text;
}

}  // namespace wick
