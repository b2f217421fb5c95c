#pragma once

#include <map>
#include <string>
#include <vector>

#include <wick/framework/named_tensor.h>
#include <wick/models/gpt_config.h>

namespace wick {

/// What the file of a GPT says beside its weights: enough to make the model, and the tokenizer
/// (CharTokenizer(vocabulary)), before the weights are copied into it.
///
///     save_model(path, gpt, gpt_metadata({gpt.config(), vocabulary}));
///
///     const SafetensorsFile file = load_safetensors(path);
///     const GptDescription description = gpt_description(file.metadata, file.tensors, path);
///     Gpt gpt(description.config, {}, *default_rng(0));
///     gpt.load_state(file.tensors);
struct GptDescription {
  GptConfig config;
  std::string vocabulary;  ///< the characters of the ids 0, 1, …, in UTF-8

  bool operator==(const GptDescription&) const = default;
};

/// As metadata of a .safetensors file: `format` is "wick-gpt", `config` the config's fields by their names as
/// a JSON object, `vocabulary` the characters.
std::map<std::string, std::string> gpt_metadata(const GptDescription& description);

/// Reads it; other keys are left alone. Throws FormatError, opened by `name` (the file), where a key is
/// missing, the format is another, the config is no such object or has a size below 1; where the vocabulary
/// is not vocab_size different characters in their order; and where a model of these sizes has more numbers
/// than `tensors`, the file's, before anybody takes the memory for one.
GptDescription gpt_description(const std::map<std::string, std::string>& metadata,
                               const std::vector<NamedTensor>& tensors, const std::string& name);

}  // namespace wick
