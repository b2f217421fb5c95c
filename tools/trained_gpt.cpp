#include <algorithm>
#include <filesystem>

#include <wick/framework/error.h>
#include <wick/framework/random.h>
#include <wick/framework/safetensors.h>
#include <wick/framework/text.h>
#include <wick/models/gpt_file.h>
#include <wick/tools/hint.h>
#include <wick/tools/trained_gpt.h>

namespace wick::tools {
namespace {

DType dtype_of(const std::vector<NamedTensor>& weights) {
  const bool has_float64 = std::ranges::any_of(
      weights, [](const NamedTensor& weight) { return weight.tensor.dtype() == float64; });
  return has_float64 ? float64 : float32;
}

}  // namespace

Tensor TrainedGpt::encode(std::string_view text, const std::string& where) const {
  try {
    return tokenizer.encode(text);
  } catch (const IndexError& error) {
    throw IndexError(where + ": " + error.what());
  } catch (const FormatError& error) {
    throw FormatError(where + ": " + error.what());
  }
}

void add_model(Options& options) {
  options.add("model", "DIR", "wick-model", "the folder that wick train wrote the model into");
}

TrainedGpt load_model(const Options& options) {
  const std::filesystem::path path =
      std::filesystem::path(options.text_of("model", "a folder")) / "model.safetensors";
  const SafetensorsFile file = or_hint(path, "wick train writes it", [&] { return load_safetensors(path); });
  const std::string name = escaped(path.native());
  const GptDescription description = gpt_description(file.metadata, file.tensors, name);
  try {
    auto gpt = std::make_unique<Gpt>(description.config, GptOptions{.dtype = dtype_of(file.tensors)},
                                     *default_rng(0));
    gpt->load_state(file.tensors);
    gpt->eval();
    return {CharTokenizer(description.vocabulary), std::move(gpt)};
  } catch (const ValueError& error) {
    throw ValueError(name + ": " + error.what());
  }
}

}  // namespace wick::tools
