#pragma once

// Small models whose every parameter counts: as they are made, norms and biases would hide what is wrong.

#include <cstdint>
#include <string>
#include <vector>

#include <wick/models/gpt.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {

/// Normals times 0.4 in place of every parameter; 1 more where it scales a norm.
inline void randomize(Module& module, std::uint64_t seed = 3) {
  const std::unique_ptr<Rng> rng = default_rng(seed);
  std::vector<NamedTensor> state = module.state();
  for (NamedTensor& entry : state) {
    const bool scales = entry.name.find("norm.weight") != std::string::npos;
    std::vector<double> values(static_cast<std::size_t>(entry.tensor.numel()));
    for (double& value : values) value = 0.4 * rng->standard_normal() + (scales ? 1 : 0);
    entry.tensor = from_vector(values, entry.tensor.shape());
  }
  module.load_state(state);
}

inline constexpr GptConfig kSmallGpt{
    .vocab_size = 11, .block_size = 12, .n_layer = 2, .n_head = 3, .n_embd = 15};

/// Ids (B, T) drawn from the vocabulary.
inline Tensor some_ids(const Shape& shape, std::int64_t vocab_size = kSmallGpt.vocab_size,
                       std::uint64_t seed = 2) {
  return default_rng(seed)->integers(0, vocab_size, shape);
}

}  // namespace wick
