// wick sample: a trained GPT continues a text.

#include <limits>
#include <ostream>

#include <wick/framework/random.h>
#include <wick/models/generate.h>
#include <wick/tools/command.h>
#include <wick/tools/options.h>
#include <wick/tools/trained_gpt.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kMostTokens = 10'000'000;

void declare(Options& options) {
  add_model(options);
  options.add("prompt", "TEXT", "", "what is continued, and printed in front");
  options.add("tokens", "N", "200", "how many characters are added");
  options.add(
      "temperature", "X", "0.8",
      "the logits are divided by it: less is surer, more is bolder, 1 is the model as it was trained; "
      "0 takes the likeliest character each time");
  options.add("top-k", "K", "", "draw from the K likeliest characters only (default: from all)");
  options.add("seed", "N", "1", "of the random stream that is drawn from (default_rng)");
  options.add_switch("no-cache",
                     "compute all keys and values anew for each character: slower, the same text");
}

GenerateOptions generate_options(const Options& options) {
  GenerateOptions how;
  how.tokens = options.whole_number("tokens", 1, kMostTokens);
  how.sampling.temperature = options.number_from_0("temperature");
  if (options.has("top-k")) {
    how.sampling.top_k = options.whole_number("top-k", 1, std::numeric_limits<std::int64_t>::max());
  }
  how.cache = !options.has("no-cache");
  return how;
}

}  // namespace

int sample_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick sample", "--prompt TEXT [options]",
      "A trained model continues a text, character by character, as they come. It sees the last "
      "block_size characters at most; when these are full, it goes on from the last half of them. "
      "The same seed gives the same text.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const std::string& prompt = options.required_text("prompt", "at least one character");
  const GenerateOptions how = generate_options(options);
  const std::uint64_t seed = options.unsigned_number("seed", std::numeric_limits<std::uint64_t>::max());

  const TrainedGpt model = load_model(options);
  const Tensor ids = model.encode(prompt, "--prompt");
  // It stays in the buffer until there is a first character: a model that has none to give prints nothing.
  out << prompt;
  generate(*model.gpt, ids, how, *default_rng(seed),
           [&](std::int64_t id) { out << model.tokenizer.character(id) << std::flush; });
  out << "\n";
  return 0;
}

}  // namespace wick::tools
