#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/nan_guard.h>
#include <wick/framework/text.h>
#include <wick/models/generate.h>
#include <wick/models/gpt_file.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/slice.h>
#include <wick/tools/text_file.h>
#include <wick/tools/training_run.h>

namespace wick::tools {
namespace {

constexpr const char* kSettings = "settings";
constexpr const char* kText = "text";
constexpr const char* kInstructionSet = "instruction_set";
constexpr std::int64_t kValidationWindows = 32;
constexpr std::int64_t kSampleLength = 64;

// NumPy: default_rng([seed, number]), for a seed of 32 bits.
std::shared_ptr<Rng> stream(const TrainSettings& settings, std::uint64_t number) {
  return default_rng(static_cast<std::uint64_t>(settings.seed) + (number << 32));
}

// Tells texts apart: their bytes counted, and hashed with FNV-1a (64 bits).
std::string mark_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return counted(std::ssize(text), "byte") + ", FNV-1a " + digits;
}

TextParts parts_of(const Tensor& ids, std::int64_t block_size) {
  require_window("the text", ids.numel(), block_size);
  const TextParts parts = split_by_position(ids);
  return parts.validation.numel() > block_size ? parts : split_by_position(ids, 0);
}

const std::string& metadata_at(const TrainingState& state, const char* key, const std::string& name) {
  const auto found = state.metadata.find(key);
  if (found != state.metadata.end()) return found->second;
  throw FormatError(name + ": no run of wick train: the metadata has no " + key);
}

// Before anybody takes the memory for a model of these settings.
TrainSettings checked(TrainSettings settings, const TrainingState& state, const std::string& name) {
  const GptConfig config = gpt_description(state.metadata, state.model, name).config;
  if (config != config_of(settings, config.vocab_size)) {
    throw FormatError(name + ": no run of wick train: its settings are not those of its model");
  }
  return settings;
}

}  // namespace

TrainingRun::TrainingRun(TrainSettings settings, const std::string& text)
    : settings_(std::move(settings)),
      text_mark_(mark_of(text)),
      tokenizer_(text),
      ids_(tokenizer_.encode(text)),
      parts_(parts_of(ids_, settings_.block_size)),
      dropout_rng_(stream(settings_, 2)),
      gpt_(config_of(settings_, tokenizer_.vocab_size()), {.dropout_rng = dropout_rng_},
           *stream(settings_, 0)) {
  const LossFunction loss = [this](const Tensor& ids, const Tensor& targets) {
    return gpt_.loss(ids, targets);
  };
  TrainerOptions options{
      .schedule = {.peak = settings_.lr, .warmup = settings_.warmup, .steps = settings_.steps},
      .evaluate_every = settings_.eval_every};
  trainer_ = std::make_unique<Trainer>(
      gpt_, loss, std::make_unique<AdamW>(gpt_),
      Batches(parts_.training, settings_.block_size, settings_.batch, stream(settings_, 1)), options);
  trainer_->add_stream("dropout", dropout_rng_);
  if (!has_validation()) return;
  const Tensor starts =
      spaced_window_starts(parts_.validation.numel(), settings_.block_size, kValidationWindows);
  trainer_->set_validation([this, loss, starts] {
    return mean_loss(loss, parts_.validation, starts, settings_.block_size, settings_.batch).loss;
  });
}

TrainingRun::TrainingRun(TrainSettings settings, const std::string& text, const TrainingState& state,
                         const std::string& name)
    : TrainingRun(checked(std::move(settings), state, name), text) {
  try {
    trainer_->load_state(state);
  } catch (const ValueError& error) {
    throw ValueError(name + ": " + error.what());
  }
  const auto set = state.metadata.find(kInstructionSet);
  if (set != state.metadata.end()) instruction_set_before_ = set->second;
  first_step_ = trainer_->steps_done();
}

std::string TrainingRun::beginning(std::int64_t characters) const {
  return tokenizer_.decode(slice(ids_, 0, 0, std::min(characters, ids_.numel())));
}

TrainingState TrainingRun::state() const {
  std::map<std::string, std::string> metadata = model_metadata();
  metadata[kSettings] = to_json(settings_);
  metadata[kText] = text_mark_;
  const bool has_learned = trainer_->steps_done() > first_step_;
  const std::string set = has_learned ? std::string(instruction_set()) : instruction_set_before_;
  if (!set.empty()) metadata[kInstructionSet] = set;
  return trainer_->state(std::move(metadata));
}

std::map<std::string, std::string> TrainingRun::model_metadata() const {
  std::string vocabulary;
  for (std::int64_t id = 0; id < tokenizer_.vocab_size(); ++id) vocabulary += tokenizer_.character(id);
  return gpt_metadata({gpt_.config(), vocabulary});
}

void TrainingRun::require_finite() {
  const NoGrad no_grad;
  gpt_.eval();
  try {
    const NanGuard guard;
    const Batch window = windows_at(ids_, zeros({1}, int64), settings_.block_size);
    static_cast<void>(gpt_.loss(window.inputs, window.targets));
  } catch (const ValueError& error) {
    throw ValueError("after step " + std::to_string(trainer_->steps_done()) + ": " + error.what());
  }
  gpt_.train();
}

std::string TrainingRun::sample() {
  gpt_.eval();
  const auto rng = stream(settings_, 3);
  const Tensor prompt = slice(ids_, 0, 0, 1);
  const Tensor added = generate(gpt_, prompt, {.tokens = kSampleLength - 1}, *rng);
  gpt_.train();
  return tokenizer_.decode(prompt) + tokenizer_.decode(added);
}

TrainSettings settings_of(const TrainingState& state, const std::string& name) {
  return settings_in(metadata_at(state, kSettings, name), name);
}

bool is_text_of(const TrainingState& state, const std::string& text, const std::string& name) {
  return metadata_at(state, kText, name) == mark_of(text);
}

}  // namespace wick::tools
