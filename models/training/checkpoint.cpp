#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/safetensors.h>
#include <wick/framework/text.h>
#include <wick/models/training/checkpoint.h>

namespace wick {
namespace {

constexpr const char* kVersionKey = "training";
constexpr const char* kVersion = "1";
constexpr std::string_view kStep = "step";
constexpr std::string_view kLossSteps = "losses.step";
constexpr std::string_view kLosses = "losses.training";
constexpr std::string_view kValidated = "losses.validated";
constexpr std::string_view kValidations = "losses.validation";

void add_losses(std::vector<NamedTensor>& tensors, const std::vector<StepLosses>& losses) {
  std::vector<std::int64_t> steps;
  std::vector<double> training;
  std::vector<std::int64_t> validated;
  std::vector<double> validation;
  for (const StepLosses& one : losses) {
    steps.push_back(one.step);
    training.push_back(one.training);
    if (!one.validation) continue;
    validated.push_back(one.step);
    validation.push_back(*one.validation);
  }
  tensors.push_back({std::string(kLossSteps), from_vector(steps)});
  tensors.push_back({std::string(kLosses), from_vector(training)});
  tensors.push_back({std::string(kValidated), from_vector(validated)});
  tensors.push_back({std::string(kValidations), from_vector(validation)});
}

Tensor tensor_of(const RngState& state) {
  std::vector<std::int64_t> words;
  words.reserve(state.words.size());
  for (const std::uint64_t word : state.words) words.push_back(std::bit_cast<std::int64_t>(word));
  return from_vector(words);
}

// Takes a file apart, and knows what has not been taken.
class Parts {
 public:
  Parts(std::vector<NamedTensor> tensors, std::string name)
      : tensors_(std::move(tensors)), name_(std::move(name)) {}

  // All keys that begin so, the beginning left out.
  std::vector<NamedTensor> take_all(std::string_view beginning) {
    std::vector<NamedTensor> taken;
    std::erase_if(tensors_, [&](const NamedTensor& entry) {
      if (!entry.name.starts_with(beginning)) return false;
      taken.push_back({entry.name.substr(beginning.size()), entry.tensor});
      return true;
    });
    return taken;
  }

  Tensor take(std::string_view key, DType dtype, int rank) {
    const auto found = std::ranges::find(tensors_, key, &NamedTensor::name);
    if (found == tensors_.end()) fail("the key \"" + std::string(key) + "\" is missing");
    Tensor tensor = found->tensor;
    if (tensor.dtype() != dtype || tensor.rank() != rank) {
      fail("\"" + std::string(key) + "\" is " + to_string(tensor.shape()) + " " +
           std::string(wick::name(tensor.dtype())) + ", expected " + (rank == 0 ? "()" : "(n,)") + " " +
           std::string(wick::name(dtype)));
    }
    tensors_.erase(found);
    return tensor;
  }

  void require_none_left() const {
    if (!tensors_.empty()) fail("the key \"" + excerpt(tensors_.front().name) + "\" is unknown");
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FormatError(name_ + ": no checkpoint of a training: " + message);
  }

 private:
  std::vector<NamedTensor> tensors_;
  std::string name_;
};

std::vector<StepLosses> take_losses(Parts& parts) {
  const auto steps = parts.take(kLossSteps, int64, 1).to_vector<std::int64_t>();
  const auto training = parts.take(kLosses, float64, 1).to_vector<double>();
  const auto validated = parts.take(kValidated, int64, 1).to_vector<std::int64_t>();
  const auto validation = parts.take(kValidations, float64, 1).to_vector<double>();
  if (training.size() != steps.size() || validation.size() != validated.size()) {
    parts.fail("its losses are not as many as their steps");
  }
  std::vector<StepLosses> losses;
  std::size_t next = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    losses.push_back({steps[i], training[i], std::nullopt});
    if (next < validated.size() && validated[next] == steps[i]) losses.back().validation = validation[next++];
  }
  if (next != validated.size()) {
    parts.fail("it has the validation of step " + std::to_string(validated[next]) +
               ", and not that step's loss");
  }
  return losses;
}

std::map<std::string, RngState> take_streams(Parts& parts) {
  std::map<std::string, RngState> streams;
  for (const NamedTensor& entry : parts.take_all("streams.")) {
    const std::size_t dot = entry.name.find('.');
    if (dot == std::string::npos || entry.tensor.dtype() != int64 || entry.tensor.rank() != 1) {
      parts.fail("\"streams." + excerpt(entry.name) + "\" is no stream's state");
    }
    RngState state{entry.name.substr(dot + 1), {}};
    for (const std::int64_t word : entry.tensor.to_vector<std::int64_t>()) {
      state.words.push_back(std::bit_cast<std::uint64_t>(word));
    }
    const std::string stream = entry.name.substr(0, dot);
    if (!streams.emplace(stream, std::move(state)).second) {
      parts.fail("the stream \"" + excerpt(stream) + "\" has two states");
    }
  }
  return streams;
}

}  // namespace

void save_training(const std::filesystem::path& path, const TrainingState& state) {
  std::map<std::string, std::string> metadata = state.metadata;
  if (!metadata.emplace(kVersionKey, kVersion).second) {
    throw ValueError("save_training: the metadata has a key \"training\" of its own");
  }
  std::vector<NamedTensor> tensors;
  for (const NamedTensor& entry : state.model) tensors.push_back({"model." + entry.name, entry.tensor});
  for (const NamedTensor& entry : state.optimizer) {
    tensors.push_back({"optimizer." + entry.name, entry.tensor});
  }
  for (const auto& [stream, where] : state.streams) {
    tensors.push_back({"streams." + stream + "." + where.generator, tensor_of(where)});
  }
  add_losses(tensors, state.losses);
  tensors.push_back({std::string(kStep), full({}, state.step, int64)});
  save_safetensors(path, tensors, metadata);
}

TrainingState load_training(const std::filesystem::path& path) {
  SafetensorsFile file = load_safetensors(path);
  Parts parts(std::move(file.tensors), escaped(path.native()));
  TrainingState state;
  state.metadata = std::move(file.metadata);
  const auto version = state.metadata.find(kVersionKey);
  if (version == state.metadata.end()) parts.fail("the metadata has no \"training\"");
  if (version->second != kVersion) {
    parts.fail("its version is \"" + excerpt(version->second) + "\", expected \"" + kVersion + "\"");
  }
  state.metadata.erase(version);
  state.step = parts.take(kStep, int64, 0).item<std::int64_t>();
  state.model = parts.take_all("model.");
  state.optimizer = parts.take_all("optimizer.");
  state.streams = take_streams(parts);
  state.losses = take_losses(parts);
  parts.require_none_left();
  return state;
}

void save_model(const std::filesystem::path& path, const Module& model,
                const std::map<std::string, std::string>& metadata) {
  save_safetensors(path, model.named_parameters(), metadata);
}

std::map<std::string, std::string> load_model(const std::filesystem::path& path, Module& model) {
  SafetensorsFile file = load_safetensors(path);
  try {
    model.load_state(file.tensors);
  } catch (const ValueError& error) {
    throw ValueError(escaped(path.native()) + ": " + error.what());
  }
  return std::move(file.metadata);
}

}  // namespace wick
