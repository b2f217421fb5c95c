// wick attend: one head of attention over a piece of text.

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>

#include <wick/framework/error.h>
#include <wick/models/corpus.h>
#include <wick/models/text.h>
#include <wick/tools/command.h>
#include <wick/tools/experiment.h>
#include <wick/tools/options.h>
#include <wick/tools/save_folder.h>
#include <wick/tools/show.h>

namespace wick::tools {
namespace {

// Beyond this, a projection alone is 2 GiB.
constexpr std::int64_t kLargestSize = 16384;

std::string read_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file || file.bad()) throw FileError("cannot read " + repr(path) + ": " + std::strerror(errno));
  return text;
}

// The text and what to call it in messages.
std::string chosen_text(const Options& options) {
  if (options.has("text") && options.has("file")) throw UsageError("--text and --file exclude each other");
  if (options.has("text")) {
    if (options.text("text").empty()) throw UsageError("--text is empty, expected at least one character");
    return options.text("text");
  }
  if (!options.has("file")) return lantern_bay();
  std::string text = read_file(options.text("file"));
  if (text.empty()) throw ValueError("the file " + repr(options.text("file")) + " is empty");
  return text;
}

void declare(Options& options) {
  options.add("text", "TEXT", "", "the text itself (default: the course's corpus, Lantern Bay)");
  options.add("file", "FILE", "", "a file that holds the text, in UTF-8");
  options.add("start", "N", "0", "the first character attended over");
  options.add("length", "N", "12", "how many characters");
  options.add("width", "N", "32", "of the embedding of each character (C)");
  options.add("head-size", "N", "16", "of query, key and value (hs)");
  options.add("seed", "N", "42",
              "of the random streams: one for the embedding table, a fresh one for the projections");
  options.add("rng", "STREAM", "legacy", "NumPy's stream: legacy (np.random.seed) or pcg64 (default_rng)");
  options.add("weight-scale", "X", "0.1", "the projections are standard normals times this");
  options.add_switch("causal", "each character sees only itself and those before it");
  options.add("positions", "SCALE", "",
              "add normals of this scale to the embeddings, others at each position");
  options.add_dtype("float64");
  options.add("format", "FORMAT", "table", "table, json or csv");
  options.add("save", "DIR", "", "write every intermediate into this folder, as .npy");
}

Experiment experiment_from(const Options& options) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Experiment experiment;
  experiment.start = options.whole_number("start", 0, most);
  experiment.length = options.whole_number("length", 1, most);
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

void attend_command(Arguments arguments, std::ostream& out) {
  Options options("attend [options]");
  declare(options);
  if (!options.parse(arguments, out)) return;
  const std::string& format = options.choice("format", {"table", "json", "csv"});
  if (options.has("save") && options.text("save").empty())
    throw UsageError("--save is empty, expected a folder");

  const Attention attention = run_experiment(experiment_from(options));
  if (options.has("save")) save_folder(options.text("save"), attention.steps);
  if (format == "json") {
    show_json(attention, out);
  } else if (format == "csv") {
    show_csv(attention, out);
  } else {
    show_table(attention, terminal_width(), out);
  }
}

}  // namespace wick::tools
