#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <wick/models/gpt.h>
#include <wick/models/tokenizer.h>
#include <wick/tools/options.h>

namespace wick::tools {

/// What `wick train` leaves in a folder: a model that no longer drops, and the characters it was trained on.
struct TrainedGpt {
  CharTokenizer tokenizer;
  std::unique_ptr<Gpt> gpt;

  /// The ids of a text, (T,). What the tokenizer throws gets `where` in front: "--prompt", or a file's name.
  Tensor encode(std::string_view text, const std::string& where) const;
};

/// --model, the folder.
void add_model(Options& options);

/// Reads the file model.safetensors in the folder that --model names; float64 where its weights are. Throws
/// FileError, FormatError where it is no GPT of wick's, ValueError where its weights are not those of its
/// config, each with the file's name.
TrainedGpt load_model(const Options& options);

}  // namespace wick::tools
