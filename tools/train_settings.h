#pragma once

#include <cstdint>
#include <string>

#include <wick/models/gpt_config.h>
#include <wick/tools/options.h>

namespace wick::tools {

/// What a run of `wick train` is: with the text and the instruction set, every bit of what it leaves hangs on
/// these and on nothing else, so they are set once, and a resumed run has them from its checkpoint.
struct TrainSettings {
  std::string file = {};  ///< an absolute path; empty: Lantern Bay
  std::int64_t steps = 600;
  std::int64_t batch = 16;
  std::int64_t block_size = 64;
  std::int64_t n_embd = 64;
  std::int64_t n_head = 4;
  std::int64_t n_layer = 4;
  std::int64_t warmup = 50;
  std::int64_t seed = 7;  ///< from 0 to 2^32 - 1
  std::int64_t eval_every = 100;
  double lr = 3e-3;
  double dropout = 0;
};

/// Declares --file and an option for each of the others.
void add_settings(Options& options);

/// Throws UsageError for a value that cannot be.
TrainSettings settings_from(const Options& options);

/// Throws UsageError "--lr is '0.001', but the run in 'wick-model' has 0.003" where an option that is given
/// says otherwise than the run in that folder, with every such option. --file is left to whoever knows the
/// texts.
void require_same(const Options& options, const TrainSettings& saved, const std::string& folder);

/// What its text is called: "Lantern Bay", or its file.
std::string name_of_text(const TrainSettings& settings);

GptConfig config_of(const TrainSettings& settings, std::int64_t vocab_size);

/// One JSON object, its keys as the members.
std::string to_json(const TrainSettings& settings);

/// Reads it. Throws FormatError, opened by `name`, where it is no such object, lacks a key, or has a value
/// that the options would not take.
TrainSettings settings_in(const std::string& json, const std::string& name);

}  // namespace wick::tools
