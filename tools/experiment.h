#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <wick/framework/random.h>
#include <wick/framework/tensor.h>
#include <wick/models/tokenizer.h>

namespace wick::tools {

/// NumPy's two streams: np.random.seed(…) of old, and np.random.default_rng(…).
enum class Stream { legacy, pcg64 };

std::unique_ptr<Rng> start_stream(Stream stream, std::uint64_t seed);

/// One head of attention over a piece of text. The defaults are lesson 5's.
struct Experiment {
  std::string text;        ///< the vocabulary comes from all of it
  std::int64_t start = 0;  ///< the piece, in characters
  std::int64_t length = 12;
  std::int64_t n_embd = 32;
  std::int64_t head_size = 16;
  std::uint64_t seed = 42;  ///< of two fresh streams: one for the embedding table, one for what follows
  Stream stream = Stream::legacy;
  double weight_scale = 0.1;
  bool causal = false;
  std::optional<double>
      positions;  ///< adds (T, C) normals of this scale to x, the draws after the projections
  DType dtype = float64;
};

/// Named values, in the order of their making.
using Steps = std::vector<std::pair<std::string, Tensor>>;

struct Attention {
  CharTokenizer tokenizer;
  Tensor all_ids;                   ///< of the whole text
  Tensor ids;                       ///< of the piece, (T,)
  std::vector<std::string> tokens;  ///< of the piece, each a character in UTF-8
  Tensor table;                     ///< (vocab_size, C)
  Steps steps;  ///< x, head.query, head.key, head.value, head.scores, head.weights, head.out

  /// Throws IndexError for a name that is not among the steps.
  const Tensor& operator[](const std::string& name) const;
};

/// `length` of the ids (n,) of a text from `start` on. Throws IndexError for a piece beyond the text, naming
/// both.
Tensor piece_of(const Tensor& ids, std::int64_t start, std::int64_t length);

/// Throws IndexError for a piece beyond the text (naming both), and what tokenizer and head throw.
Attention run_experiment(const Experiment& experiment);

/// The value named `name`. Throws IndexError.
const Tensor& step(const Steps& steps, const std::string& name);

/// The only item of a batch of one: (1, …) -> (…).
Tensor first(const Tensor& batch);

/// Which position each query attends to most: (1, T, T) -> (T,), int64.
Tensor most_attended(const Tensor& weights);

}  // namespace wick::tools
