#include <filesystem>
#include <functional>

#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/float_text.h>
#include <wick/framework/text.h>
#include <wick/tools/train_settings.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000;
constexpr std::int64_t kLargestSize = 16384;

struct WholeNumber {
  const char* option;
  const char* key;
  std::int64_t TrainSettings::*member;
  std::int64_t smallest;
  std::int64_t largest;
  const char* help;
};

constexpr WholeNumber kWholeNumbers[] = {
    {"steps", "steps", &TrainSettings::steps, 1, kMostSteps, "how many steps the run has"},
    {"batch", "batch", &TrainSettings::batch, 1, 65536, "the windows that a step learns from (B)"},
    {"block-size", "block_size", &TrainSettings::block_size, 1, kLargestSize,
     "the characters of a window: what the model looks back over (T)"},
    {"n-embd", "n_embd", &TrainSettings::n_embd, 1, kLargestSize, "the width of a position (C)"},
    {"n-head", "n_head", &TrainSettings::n_head, 1, kLargestSize,
     "heads in a block; --n-embd is a multiple of it"},
    {"n-layer", "n_layer", &TrainSettings::n_layer, 1, 1024, "blocks"},
    {"warmup", "warmup", &TrainSettings::warmup, 0, kMostSteps,
     "steps over which the learning rate rises; it falls to a tenth from there"},
    {"seed", "seed", &TrainSettings::seed, 0, 4294967295,
     "of four random streams: weights, batches, dropout, samples"},
    {"eval-every", "eval_every", &TrainSettings::eval_every, 0, kMostSteps,
     "validate after so many steps each, and after the last; 0: never"}};

struct RealNumber {
  const char* option;
  const char* key;
  double TrainSettings::*member;
  const char* help;
};

constexpr RealNumber kRealNumbers[] = {
    {"lr", "lr", &TrainSettings::lr, "the learning rate at its highest"},
    {"dropout", "dropout", &TrainSettings::dropout, "the share of numbers that training drops, below 1"}};

[[noreturn]] void fail(const std::string& name, const std::string& message) {
  throw FormatError(name + ": no run of wick train: " + message);
}

// What was given, and is not what the run in the folder has.
class Contradictions {
 public:
  Contradictions(const Options& options, const std::string& folder) : options_(options), folder_(folder) {}

  void add(const char* option, const std::string& saved) {
    const std::string run = told_.empty() ? "the run in " + repr(folder_) : "it";
    if (!told_.empty()) told_ += "; ";
    told_ +=
        "--" + std::string(option) + " is " + repr(options_.text(option)) + ", but " + run + " has " + saved;
  }

  void refuse() const {
    if (!told_.empty()) throw UsageError(told_);
  }

 private:
  const Options& options_;
  const std::string& folder_;
  std::string told_;
};

bool is_rate(double dropout) { return dropout >= 0 && dropout < 1; }

using Json = nlohmann::json;

const Json& value_at(const Json& object, const char* key, const std::string& name) {
  const auto found = object.find(key);
  if (found == object.end()) fail(name, std::string("its settings have no ") + key);
  return *found;
}

[[noreturn]] void refuse(const std::string& name, const char* key, const Json& value) {
  // A list or an object is not written out: that recurses, and a file may nest them deeper than the stack is.
  const std::string shown = value.is_object()  ? "an object"
                            : value.is_array() ? "a list"
                                               : excerpt(value.dump());
  fail(name, std::string(key) + " is " + shown + ", which no run has");
}

}  // namespace

void add_settings(Options& options) {
  const TrainSettings defaults;
  options.add("file", "FILE", "", "a file that holds the text, in UTF-8 (default: Lantern Bay)");
  for (const WholeNumber& one : kWholeNumbers) {
    options.add(one.option, "N", std::to_string(defaults.*one.member).c_str(), one.help);
  }
  for (const RealNumber& one : kRealNumbers) {
    options.add(one.option, "X", one.member == &TrainSettings::lr ? "0.003" : "0", one.help);
  }
}

TrainSettings settings_from(const Options& options) {
  TrainSettings settings;
  if (options.has("file")) settings.file = std::filesystem::absolute(options.text_of("file", "a file"));
  for (const WholeNumber& one : kWholeNumbers) {
    settings.*one.member = options.whole_number(one.option, one.smallest, one.largest);
  }
  for (const RealNumber& one : kRealNumbers) settings.*one.member = options.number_from_0(one.option);
  if (!is_rate(settings.dropout)) {
    throw UsageError("--dropout is " + repr(options.text("dropout")) +
                     ", expected a number from 0 to less than 1");
  }
  if (settings.n_embd % settings.n_head != 0) {
    throw UsageError("--n-embd is " + std::to_string(settings.n_embd) + ", not divisible by --n-head " +
                     std::to_string(settings.n_head));
  }
  return settings;
}

void require_same(const Options& options, const TrainSettings& saved, const std::string& folder) {
  Contradictions contradictions(options, folder);
  for (const WholeNumber& one : kWholeNumbers) {
    if (!options.is_given(one.option)) continue;
    if (options.whole_number(one.option, one.smallest, one.largest) != saved.*one.member) {
      contradictions.add(one.option, std::to_string(saved.*one.member));
    }
  }
  for (const RealNumber& one : kRealNumbers) {
    if (!options.is_given(one.option)) continue;
    if (options.number_from_0(one.option) != saved.*one.member) {
      contradictions.add(one.option, scalar_text(saved.*one.member));
    }
  }
  contradictions.refuse();
}

std::string name_of_text(const TrainSettings& settings) {
  return settings.file.empty() ? "Lantern Bay" : escaped(settings.file);
}

GptConfig config_of(const TrainSettings& settings, std::int64_t vocab_size) {
  return {.vocab_size = vocab_size,
          .block_size = settings.block_size,
          .n_layer = settings.n_layer,
          .n_head = settings.n_head,
          .n_embd = settings.n_embd,
          .dropout = settings.dropout};
}

std::string to_json(const TrainSettings& settings) {
  nlohmann::ordered_json object;
  object["file"] = settings.file;
  for (const WholeNumber& one : kWholeNumbers) object[one.key] = settings.*one.member;
  for (const RealNumber& one : kRealNumbers) object[one.key] = settings.*one.member;
  // A path may be any bytes; a file of another name is found by --file.
  return object.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace);
}

TrainSettings settings_in(const std::string& json, const std::string& name) {
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) fail(name, "its settings are no JSON object");
  TrainSettings settings;
  const Json& file = value_at(object, "file", name);
  if (!file.is_string()) refuse(name, "file", file);
  settings.file = file.get<std::string>();
  for (const WholeNumber& one : kWholeNumbers) {
    const Json& value = value_at(object, one.key, name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(one.largest) ||
        value.get<std::int64_t>() < one.smallest) {
      refuse(name, one.key, value);
    }
    settings.*one.member = value.get<std::int64_t>();
  }
  for (const RealNumber& one : kRealNumbers) {
    const Json& value = value_at(object, one.key, name);
    if (!value.is_number() || !(value.get<double>() >= 0)) refuse(name, one.key, value);
    settings.*one.member = value.get<double>();
  }
  if (!is_rate(settings.dropout)) refuse(name, "dropout", object["dropout"]);
  return settings;
}

}  // namespace wick::tools
