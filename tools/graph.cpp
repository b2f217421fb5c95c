// wick graph: the ops of one attention head, and what they keep for backward.

#include <ostream>

#include <wick/framework/graph_recorder.h>
#include <wick/framework/random.h>
#include <wick/models/corpus.h>
#include <wick/models/embedding.h>
#include <wick/models/head.h>
#include <wick/models/tokenizer.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/tools/command.h>
#include <wick/tools/options.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kLargestSize = 4096;

void declare(Options& options) {
  options.add("length", "N", "12", "how many characters of Lantern Bay are read (T)");
  options.add("width", "N", "32", "the width of the embeddings (C)");
  options.add("head-size", "N", "16", "the width of query, key and value (hs)");
  options.add_switch("causal", "each character sees only itself and those before it");
  options.add_dtype("float64");
  options.add("format", "FORMAT", "table",
              "table, or dot: for Graphviz, as in wick graph --format dot | dot -Tsvg");
}

}  // namespace

int graph_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick graph", "[options]",
      "The op graph of one attention head over characters of Lantern Bay: every op with its module, "
      "its shapes and the bytes it keeps for backward. The defaults are the course's lesson 5.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const bool is_dot = options.choice("format", {"table", "dot"}) == "dot";
  const std::int64_t T = options.whole_number("length", 1, kLargestSize);
  const std::int64_t n_embd = options.whole_number("width", 1, kLargestSize);
  const std::int64_t head_size = options.whole_number("head-size", 1, kLargestSize);
  const DType dtype = options.dtype();

  const CharTokenizer tokenizer(lantern_bay());
  const Tensor ids = reshape(slice(tokenizer.encode(lantern_bay()), 0, 0, T), {1, T});
  const std::unique_ptr<Rng> stream = default_rng(42);
  const Embedding embed(tokenizer.vocab_size(), n_embd, {.dtype = dtype}, *stream);
  const Head head(n_embd, head_size, {.causal = options.has("causal"), .dtype = dtype}, *stream);

  GraphRecorder graph;
  graph.name("ids", ids);
  graph.name_parameters(embed);
  graph.name_parameters(head);
  head.forward(embed.forward(ids));
  out << (is_dot ? graph.dot() : graph.table());
  return 0;
}

}  // namespace wick::tools
