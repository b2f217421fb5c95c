#include <algorithm>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/observer.h>
#include <wick/models/embedding.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>
#include <wick/ops/ops.h>
#include <wick/tools/experiment.h>

namespace wick::tools {
Tensor piece_of(const Tensor& ids, std::int64_t start, std::int64_t length) {
  if (start > ids.numel() || length > ids.numel() - start) {
    throw IndexError("start " + std::to_string(start) + " and length " + std::to_string(length) +
                     " reach beyond the text, which has " + std::to_string(ids.numel()) +
                     (ids.numel() == 1 ? " character" : " characters"));
  }
  return slice(ids, 0, start, start + length).clone();
}

std::unique_ptr<Rng> start_stream(Stream stream, std::uint64_t seed) {
  if (stream == Stream::pcg64) return default_rng(seed);
  return random_state(static_cast<std::uint32_t>(seed));
}

Attention run_experiment(const Experiment& experiment) {
  CharTokenizer tokenizer(experiment.text);
  const Tensor all_ids = tokenizer.encode(experiment.text);                   // (characters,)
  const Tensor ids = piece_of(all_ids, experiment.start, experiment.length);  // (T,)
  std::vector<std::string> tokens;
  for (const std::int64_t id : ids.span<std::int64_t>()) tokens.push_back(tokenizer.character(id));

  const NoGrad no_grad;
  const std::unique_ptr<Rng> table_stream = start_stream(experiment.stream, experiment.seed);
  const Embedding embed(tokenizer.vocab_size(), experiment.n_embd, {.dtype = experiment.dtype},
                        *table_stream);
  const std::unique_ptr<Rng> stream = start_stream(experiment.stream, experiment.seed);
  const Head head(
      experiment.n_embd, experiment.head_size,
      {.causal = experiment.causal, .weight_scale = experiment.weight_scale, .dtype = experiment.dtype},
      *stream);

  Tensor x = embed.forward(reshape(ids, {1, experiment.length}));  // (1, T, C)
  if (experiment.positions) {
    x = x + scaled_normal({experiment.length, experiment.n_embd}, *experiment.positions, experiment.dtype,
                          *stream);
  }
  Trace trace;
  OpenObservers::report_step("x", x);
  head.forward(x);
  return {std::move(tokenizer), all_ids, ids, std::move(tokens), embed.parameter("weight"), trace.steps()};
}

const Tensor& step(const Steps& steps, const std::string& name) {
  const auto found = std::ranges::find(steps, name, &Steps::value_type::first);
  if (found == steps.end()) throw IndexError("no step is named " + name);
  return found->second;
}

const Tensor& Attention::operator[](const std::string& name) const { return step(steps, name); }

Tensor first(const Tensor& batch) {
  Dimensions inner(std::span(batch.shape().begin() + 1, batch.shape().end()));
  return reshape(slice(batch, 0, 0, 1), inner);
}

Tensor most_attended(const Tensor& weights) { return argmax(first(weights)); }

}  // namespace wick::tools
