#include <algorithm>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/models/gpt_file.h>

namespace wick {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "wick-gpt";

struct Size {
  const char* name;
  std::int64_t GptConfig::*member;
};

constexpr Size kSizes[] = {{"vocab_size", &GptConfig::vocab_size},
                           {"block_size", &GptConfig::block_size},
                           {"n_layer", &GptConfig::n_layer},
                           {"n_head", &GptConfig::n_head},
                           {"n_embd", &GptConfig::n_embd}};

[[noreturn]] void fail(const std::string& name, const std::string& message) {
  throw FormatError(name + ": no GPT of wick: " + message);
}

const std::string& text_at(const std::map<std::string, std::string>& metadata, const std::string& key,
                           const std::string& name) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail(name, "the metadata has no " + key);
  return found->second;
}

const json& field(const json& config, const std::string& key, const std::string& name) {
  const auto found = config.find(key);
  if (found == config.end()) fail(name, "config has no " + key);
  return *found;
}

// A list or an object is not written out: that recurses, and a file may nest them deeper than the stack is.
std::string shown(const json& value) {
  return value.is_object() ? "an object" : value.is_array() ? "a list" : excerpt(value.dump());
}

GptConfig config_in(const std::string& text, const std::string& name) {
  std::set<std::string> keys;
  std::string twice;
  const auto see = [&](int depth, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::key && depth == 1 && !keys.insert(parsed.get<std::string>()).second) {
      twice = parsed.get<std::string>();
    }
    return true;
  };
  const json object = json::parse(text, see, /*allow_exceptions=*/false);
  if (!object.is_object()) fail(name, "config is '" + excerpt(text) + "', expected a JSON object");
  if (!twice.empty()) fail(name, "config has " + excerpt(twice) + " twice");
  GptConfig config{};
  for (const auto& [key, member] : kSizes) {
    const json& value = field(object, key, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() - 1 >= (std::uint64_t{1} << 62)) {
      fail(name, std::string("config: ") + key + " is " + shown(value) + ", expected 1 or more");
    }
    config.*member = value.get<std::int64_t>();
  }
  const json& dropout = field(object, "dropout", name);
  if (!dropout.is_number()) fail(name, "config: dropout is " + shown(dropout) + ", expected a number");
  config.dropout = dropout.get<double>();
  const json& bias = field(object, "bias", name);
  if (!bias.is_boolean()) fail(name, "config: bias is " + shown(bias) + ", expected true or false");
  config.bias = bias.get<bool>();
  return config;
}

// The numbers in the matrices, which are nearly all. In floating point, because sizes may be any.
double numbers_of(const GptConfig& config) {
  const auto V = static_cast<double>(config.vocab_size);
  const auto C = static_cast<double>(config.n_embd);
  return 2 * V * C + static_cast<double>(config.block_size) * C +
         static_cast<double>(config.n_layer) * 12 * C * C;
}

// All of it, so that a config of another model is seen for what it is.
void check_sizes(const GptConfig& config, const std::vector<NamedTensor>& tensors, const std::string& name) {
  std::int64_t numbers = 0;
  for (const NamedTensor& entry : tensors) numbers += entry.tensor.numel();
  const double needed = numbers_of(config);
  if (needed <= static_cast<double>(numbers)) return;
  std::ostringstream message;
  message << "a model of its config has more numbers than the " << numbers
          << " in the file: " << std::setprecision(15) << needed << " or more, with ";
  for (const auto& [key, member] : kSizes) {
    message << (member == kSizes[0].member ? "" : ", ") << key << " " << config.*member;
  }
  fail(name, message.str());
}

void check_vocabulary(const std::string& vocabulary, std::int64_t vocab_size, const std::string& name) {
  std::vector<char32_t> characters;
  try {
    characters = decode_utf8(vocabulary);
  } catch (const FormatError& error) {
    fail(name, std::string("vocabulary: ") + error.what());
  }
  if (std::ranges::adjacent_find(characters, std::ranges::greater_equal()) != characters.end()) {
    fail(name, "the vocabulary's characters are not all different and in their order");
  }
  if (std::ssize(characters) != vocab_size) {
    fail(name, "the vocabulary has " + std::to_string(characters.size()) +
                   " characters, expected vocab_size = " + std::to_string(vocab_size));
  }
}

}  // namespace

std::map<std::string, std::string> gpt_metadata(const GptDescription& description) {
  nlohmann::ordered_json config;
  for (const auto& [key, member] : kSizes) config[key] = description.config.*member;
  config["dropout"] = description.config.dropout;
  config["bias"] = description.config.bias;
  return {{"format", kFormat}, {"config", config.dump()}, {"vocabulary", description.vocabulary}};
}

GptDescription gpt_description(const std::map<std::string, std::string>& metadata,
                               const std::vector<NamedTensor>& tensors, const std::string& name) {
  if (const std::string& format = text_at(metadata, "format", name); format != kFormat) {
    fail(name, "its format is '" + excerpt(format) + "', expected '" + kFormat + "'");
  }
  GptDescription description{config_in(text_at(metadata, "config", name), name),
                             text_at(metadata, "vocabulary", name)};
  check_vocabulary(description.vocabulary, description.config.vocab_size, name);
  check_sizes(description.config, tensors, name);
  return description;
}

}  // namespace wick
