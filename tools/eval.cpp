// wick eval: how well a trained GPT foretells a text.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <ostream>

#include <nlohmann/json.hpp>

#include <wick/framework/text.h>
#include <wick/models/corpus.h>
#include <wick/models/training/evaluation.h>
#include <wick/tools/command.h>
#include <wick/tools/experiment.h>
#include <wick/tools/options.h>
#include <wick/tools/text_file.h>
#include <wick/tools/thread_option.h>
#include <wick/tools/trained_gpt.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// So many positions at a time, or one window: enough to keep the threads busy, and little memory. It depends
// on the model alone, and so the sums are the same everywhere.
constexpr std::int64_t kPositionsAtOnce = 2048;

void declare(Options& options) {
  add_model(options);
  options.add("file", "FILE", "", "a file that holds the text, in UTF-8 (default: Lantern Bay, the corpus)");
  options.add("start", "N", "0", "where the piece that is looked at begins, in characters");
  options.add("length", "N", "", "how many characters the piece has (default: all to the end)");
  options.add("stride", "N", "1", "a window begins at every Nth character");
  add_thread_option(options);
  options.add("format", "FORMAT", "table", "table, or json: with all digits");
}

// What is looked at.
struct Request {
  std::int64_t start;
  std::optional<std::int64_t> length;
  std::int64_t stride;
};

Request request_from(const Options& options) {
  Request request{.start = options.whole_number("start", 0, kMost),
                  .length = {},
                  .stride = options.whole_number("stride", 1, kMost)};
  if (options.has("length")) request.length = options.whole_number("length", 1, kMost);
  return request;
}

// The piece of the text, and what errors call it.
struct Piece {
  Tensor ids;  // (n,)
  std::string name;
};

Piece chosen_piece(const Request& request, const Tensor& ids, const std::string& name) {
  if (request.start == 0 && !request.length) return {ids, name};
  const std::int64_t rest = std::max<std::int64_t>(ids.numel() - request.start, 0);
  return {piece_of(ids, request.start, request.length.value_or(rest)), "the piece of " + name};
}

struct Evaluation {
  MeanLoss mean;
  std::int64_t windows;
};

Evaluation evaluate(const Gpt& gpt, const Piece& piece, std::int64_t stride) {
  const Tensor& ids = piece.ids;
  const std::int64_t block_size = gpt.config().block_size;
  require_window(piece.name, ids.numel(), block_size);
  const Tensor starts = window_starts(ids.numel(), block_size, stride);
  const auto loss = [&](const Tensor& inputs, const Tensor& targets) { return gpt.loss(inputs, targets); };
  const std::int64_t batch_size = std::max<std::int64_t>(kPositionsAtOnce / block_size, 1);
  const MeanLoss mean = mean_loss(loss, ids, starts, block_size, batch_size);
  if (!std::isfinite(mean.loss)) {
    throw ValueError("the model's loss is not a finite number: its weights are of no use");
  }
  return {mean, starts.numel()};
}

void show_json(const Evaluation& evaluation, std::int64_t block_size, std::int64_t stride,
               std::ostream& out) {
  const nlohmann::ordered_json object = {{"nats", evaluation.mean.loss},
                                         {"windows", evaluation.windows},
                                         {"block_size", block_size},
                                         {"stride", stride},
                                         {"predictions", evaluation.mean.positions}};
  out << object.dump() << "\n";
}

void show_table(const Evaluation& evaluation, std::int64_t block_size, std::int64_t stride,
                std::ostream& out) {
  char nats[64];
  std::snprintf(nats, sizeof(nats), "%.6f", evaluation.mean.loss);
  out << "nats a character  " << nats << "\n";
  out << "windows           " << evaluation.windows << " of " << counted(block_size, "character")
      << ", one every " << (stride == 1 ? "character" : counted(stride, "character")) << "\n";
  out << "predictions       " << evaluation.mean.positions << "\n";
}

}  // namespace

int eval_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick eval", "[options]",
      "How well a trained model foretells a text: in nats a character, which is the mean of -ln of what it "
      "gave the character that came, over every position of every window of block_size characters. Less is "
      "better; of V characters, one who knows nothing gets ln V.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const Request request = request_from(options);
  const bool is_json = options.choice("format", {"table", "json"}) == "json";
  use_threads(options);

  const bool has_file = options.has("file");
  const std::string text = has_file ? read_text(options.text_of("file", "a file")) : lantern_bay();
  const std::string name = has_file ? escaped(options.text("file")) : "Lantern Bay";
  const TrainedGpt model = load_model(options);
  const Piece piece = chosen_piece(request, model.encode(text, name), name);
  const Evaluation evaluation = evaluate(*model.gpt, piece, request.stride);
  (is_json ? show_json : show_table)(evaluation, model.gpt->config().block_size, request.stride, out);
  return 0;
}

}  // namespace wick::tools
