#pragma once

// A small model in a folder, as wick train leaves one.

#include <string>
#include <vector>

#include <wick/models/gpt.h>
#include <wick/models/gpt_file.h>
#include <wick/models/tokenizer.h>
#include <wick/models/training/checkpoint.h>
#include <wick/tests/models/small_gpt.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {

/// Eleven characters, in their order: as many as kSmallGpt has ids.
inline constexpr const char* kTinyVocabulary = " .aehklmpt日";

/// A model whose every parameter counts, in `model` in a folder of its own.
class TinyGpt {
 public:
  explicit TinyGpt(const GptConfig& config = kSmallGpt, DType dtype = float32,
                   const std::string& vocabulary = kTinyVocabulary)
      : gpt(config, {.dtype = dtype}, *default_rng(1)), tokenizer(vocabulary) {
    randomize(gpt);
    gpt.eval();
    std::filesystem::create_directory(model());
    save_model(file(), gpt, gpt_metadata({config, vocabulary}));
  }

  std::string model() const { return folder / "model"; }
  std::string file() const { return folder / "model/model.safetensors"; }

  /// Characters of the vocabulary, drawn.
  std::string text(std::int64_t count, std::uint64_t seed = 4) const {
    return tokenizer.decode(some_ids({count}, tokenizer.vocab_size(), seed));
  }

  Gpt gpt;
  CharTokenizer tokenizer;
  TestFolder folder;
};

}  // namespace wick::tools
