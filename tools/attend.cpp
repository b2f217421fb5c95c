// wick attend: one head of attention over a piece of text.

#include <limits>
#include <ostream>

#include <wick/models/corpus.h>
#include <wick/tools/command.h>
#include <wick/tools/experiment.h>
#include <wick/tools/options.h>
#include <wick/tools/save_folder.h>
#include <wick/tools/show.h>
#include <wick/tools/terminal.h>
#include <wick/tools/text_file.h>

namespace wick::tools {
namespace {

// Beyond this, one matrix alone is 2 GiB.
constexpr std::int64_t kLargestSize = 16384;

std::string chosen_text(const Options& options) {
  if (options.has("text") && options.has("file")) throw UsageError("--text and --file exclude each other");
  if (options.has("text")) return options.text_of("text", "at least one character");
  if (options.has("file")) return read_text(options.text_of("file", "a file"));
  return lantern_bay();
}

void declare(Options& options) {
  options.add("text", "TEXT", "", "the text (default: Lantern Bay, the course's corpus)");
  options.add("file", "FILE", "", "a file that holds the text, in UTF-8");
  options.add("start", "N", "0", "where the piece begins, in characters");
  options.add("length", "N", "12", "how many characters the piece has");
  options.add("width", "N", "32", "the width of the embeddings (C)");
  options.add("head-size", "N", "16", "the width of query, key and value (hs)");
  options.add("seed", "N", "42", "of two random streams: the embedding table's and the projections'");
  options.add("rng", "STREAM", "legacy", "NumPy's: legacy (np.random.seed) or pcg64 (default_rng)");
  options.add("weight-scale", "X", "0.1", "the projections' weights are standard normals times this");
  options.add_switch("causal", "each character sees only itself and those before it");
  options.add("positions", "SCALE", "",
              "add to the embeddings a vector per position: normals of this scale, the draws after the "
              "projections'");
  options.add_dtype("float64");
  options.add("format", "FORMAT", "table", "table, json or csv");
  options.add(
      "save", "DIR", "",
      "write x, query, key, value, scores, weights and out into this folder, as .npy, and their order as "
      "steps.json (wick diff compares two such folders)");
}

Experiment experiment_from(const Options& options) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Experiment experiment;
  experiment.start = options.whole_number("start", 0, most);
  experiment.length = options.whole_number("length", 1, kLargestSize);
  experiment.n_embd = options.whole_number("width", 1, kLargestSize);
  experiment.head_size = options.whole_number("head-size", 1, kLargestSize);
  experiment.stream = options.choice("rng", {"legacy", "pcg64"}) == "pcg64" ? Stream::pcg64 : Stream::legacy;
  experiment.seed = options.unsigned_number("seed", experiment.stream == Stream::pcg64
                                                        ? std::numeric_limits<std::uint64_t>::max()
                                                        : std::numeric_limits<std::uint32_t>::max());
  experiment.weight_scale = options.number("weight-scale");
  experiment.causal = options.has("causal");
  if (options.has("positions")) experiment.positions = options.number("positions");
  experiment.dtype = options.dtype();
  experiment.text = chosen_text(options);
  return experiment;
}

}  // namespace

int attend_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick attend", "[options]",
      "One attention head over a piece of a text: who attends to whom, as a table. The vocabulary "
      "is the characters of the whole text. The defaults are the course's lesson 5.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const std::string& format = options.choice("format", {"table", "json", "csv"});
  if (options.has("save")) options.text_of("save", "a folder");

  const Attention attention = run_experiment(experiment_from(options));
  if (options.has("save")) save_folder(options.text("save"), attention.steps);
  const ShownWeights shown{attention.tokens, attention.ids, first(attention["head.weights"])};
  if (format == "json") {
    show_json(shown, out);
  } else if (format == "csv") {
    show_csv(shown, out);
  } else {
    show_table(shown, terminal_width(), out);
  }
  return 0;
}

}  // namespace wick::tools
