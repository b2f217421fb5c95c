#include <algorithm>
#include <cstddef>
#include <limits>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/safetensors_entries.h>
#include <wick/framework/safetensors_header.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

using nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";

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
        draft_ = {.name = key_, .dtype = {}, .shape = {}, .offsets = {}};
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
      draft_.dtype = safetensors_type_named(value);
      if (!draft_.dtype) refuse(in_quotes(value));
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
    if (place_ == Place::tensor) header_.entries.push_back(safetensors_entry(draft_, file_));
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
        fail_of_tensor("dtype is " + met + ", expected one of " + std::string(kSafetensorsTypes));
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
  SafetensorsDraft draft_;
  SafetensorsHeader header_;
};

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
    text += "{\"dtype\":\"" + safetensors_type_name(dtype) + "\",\"shape\":[";
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
