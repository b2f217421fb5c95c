// wick inspect: who attends to whom in a trained GPT, head by head.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ostream>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/observer.h>
#include <wick/framework/text.h>
#include <wick/ops/reshape.h>
#include <wick/tools/command.h>
#include <wick/tools/experiment.h>
#include <wick/tools/options.h>
#include <wick/tools/show.h>
#include <wick/tools/terminal.h>
#include <wick/tools/trained_gpt.h>

namespace wick::tools {
namespace {

void declare(Options& options) {
  add_model(options);
  options.add("text", "TEXT", "", "the text, of block_size characters at most");
  options.add("layer", "L", "", "only this layer, counted from 0 (default: every layer)");
  options.add("head", "H", "", "only this head, counted from 0 (default: every head)");
  options.add("format", "FORMAT", "table", "table, or json: a line for each head, with all digits");
}

std::optional<std::int64_t> number_of(const Options& options, const char* what) {
  if (!options.has(what)) return std::nullopt;
  return options.whole_number(what, 0, std::numeric_limits<std::int64_t>::max());
}

// Some of the numbers from 0 on.
struct Range {
  std::int64_t begin;
  std::int64_t end;
};

// The one that was asked for, or all `count`; `what` is "layer".
Range chosen(const std::optional<std::int64_t>& asked, const char* what, std::int64_t count) {
  if (!asked) return {0, count};
  if (*asked >= count) {
    throw IndexError("there is no " + std::string(what) + " " + std::to_string(*asked) + ": the model has " +
                     counted(count, what) + ", counted from 0");
  }
  return {*asked, *asked + 1};
}

// Weights of heads that are not finite make logits that are not.
void require_finite(const Tensor& logits) {
  const std::vector<double> numbers = logits.to_vector<double>();
  if (std::ranges::all_of(numbers, [](double logit) { return std::isfinite(logit); })) return;
  throw ValueError("the model's logits are not finite numbers: its weights are of no use");
}

// The name of a head is its place in the model: gpt.blocks.2.attention.heads.1.
ShownWeights weights_of(const Trace& trace, const Module& head, const TrainedGpt& model, const Tensor& ids) {
  ShownWeights shown{.tokens = {}, .ids = ids, .weights = first(trace[head.path() + ".weights"])};
  for (const std::int64_t id : ids.span<std::int64_t>()) {
    shown.tokens.push_back(model.tokenizer.character(id));
  }
  shown.name = head.path();
  return shown;
}

}  // namespace

int inspect_command(Arguments arguments, std::ostream& out) {
  Options options("wick inspect", "--text TEXT [options]",
                  "Who attends to whom in a trained model: the weights of its heads over a text, as tables. "
                  "Layers and heads are counted from 0, as in their names.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const std::string& text = options.required_text("text", "at least one character");
  const bool is_json = options.choice("format", {"table", "json"}) == "json";
  const std::optional<std::int64_t> asked_layer = number_of(options, "layer");
  const std::optional<std::int64_t> asked_head = number_of(options, "head");

  const TrainedGpt model = load_model(options);
  const GptConfig& config = model.gpt->config();
  const Range layers = chosen(asked_layer, "layer", config.n_layer);
  const Range heads = chosen(asked_head, "head", config.n_head);
  const Tensor ids = model.encode(text, "--text");  // (T,)
  if (ids.numel() > config.block_size) {
    throw ValueError("--text has " + counted(ids.numel(), "character") +
                     ", expected block_size = " + std::to_string(config.block_size) + " or fewer");
  }

  const NoGrad no_grad;
  const Trace trace;
  require_finite(model.gpt->forward(reshape(ids, {1, ids.numel()})));
  for (std::int64_t layer = layers.begin; layer < layers.end; ++layer) {
    for (std::int64_t head = heads.begin; head < heads.end; ++head) {
      const MultiHead& attention = model.gpt->blocks()[static_cast<std::size_t>(layer)].attention();
      const Module& seen = attention.heads()[static_cast<std::size_t>(head)];
      const ShownWeights shown = weights_of(trace, seen, model, ids);
      const bool is_first = layer == layers.begin && head == heads.begin;
      if (is_json) {
        show_json(shown, out);
      } else {
        if (!is_first) out << "\n";
        show_table(shown, terminal_width(), out);
      }
    }
  }
  return 0;
}

}  // namespace wick::tools
