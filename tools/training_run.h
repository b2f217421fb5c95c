#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <wick/models/gpt.h>
#include <wick/models/tokenizer.h>
#include <wick/models/training/trainer.h>
#include <wick/tools/train_settings.h>

namespace wick::tools {

/// A GPT that learns a text, character by character, as the settings say.
///
/// The last tenth of the text is for validation where it holds a window and the character behind it; else
/// there is no validation, and all of the text is learned. Validation is over 32 windows, evenly spaced.
///
/// Four of NumPy's streams, so that none hangs on how much another draws: default_rng(seed) gives the
/// weights, default_rng([seed, 1]) the batches, [seed, 2] dropout, [seed, 3] each sample, from its beginning.
class TrainingRun {
 public:
  /// From nothing. Throws ValueError for a text shorter than block_size + 1 (naming both), and what Gpt
  /// throws.
  TrainingRun(TrainSettings settings, const std::string& text);

  /// Goes on from a state that state() gave. Precondition: is_text_of(state, text, name). Throws FormatError
  /// where it is no state of such a run, ValueError with every mismatch where its tensors are of other sizes;
  /// each opens with `name`, the file.
  TrainingRun(TrainSettings settings, const std::string& text, const TrainingState& state,
              const std::string& name);

  const TrainSettings& settings() const { return settings_; }
  const Gpt& gpt() const { return gpt_; }
  Trainer& trainer() { return *trainer_; }
  const Trainer& trainer() const { return *trainer_; }
  const TextParts& parts() const { return parts_; }
  bool has_validation() const { return parts_.validation.numel() > 0; }
  std::int64_t vocab_size() const { return tokenizer_.vocab_size(); }

  /// The text's first characters, as many as there are.
  std::string beginning(std::int64_t characters) const;

  /// The instruction set of the last step of the state that it goes on from; empty where no step was done, or
  /// the state is an old one, which does not say.
  const std::string& instruction_set_before() const { return instruction_set_before_; }

  /// All of it, with settings, text and model described in the metadata, and the last step's instruction set.
  TrainingState state() const;

  /// What the file of the model says beside its weights.
  std::map<std::string, std::string> model_metadata() const;

  /// Throws ValueError naming step, module and op where the model, as it is now, no longer gives finite
  /// numbers: "after step 3: gpt.blocks.0.feed_forward.expand: linear made inf at …". (A step looks at the
  /// loss before it changes the model.) Draws nothing.
  void require_finite();

  /// What the model writes behind the text's first character, of about a line's length.
  std::string sample();

 private:
  TrainSettings settings_;
  std::string text_mark_;
  CharTokenizer tokenizer_;
  Tensor ids_;
  TextParts parts_;
  std::shared_ptr<Rng> dropout_rng_;
  Gpt gpt_;
  std::unique_ptr<Trainer> trainer_;
  std::string instruction_set_before_ = {};
  std::int64_t first_step_ = 0;  // done before
};

/// The settings of the run that a state is of; see settings_in.
TrainSettings settings_of(const TrainingState& state, const std::string& name);

/// Whether the run that a state is of learns this text. Throws FormatError where it does not say.
bool is_text_of(const TrainingState& state, const std::string& text, const std::string& name);

}  // namespace wick::tools
