#pragma once

#include <cstdint>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>

namespace wick {

struct EmbeddingOptions {
  double weight_scale = 1;  ///< the table is standard normals times this
  DType dtype = float32;
  std::string name = "embedding";  ///< as a root; a Child names it anew
};

/// A learned table with one row per id.
class Embedding final : public Module {
 public:
  /// Draws the table (vocab_size, n_embd) from `rng`, in row-major order. Throws as Linear does.
  Embedding(std::int64_t vocab_size, std::int64_t n_embd, const EmbeddingOptions& options, Rng& rng);

  /// Ids of any shape, int64 in [0, vocab_size) -> (…, n_embd). Throws IndexError with the position and the
  /// id, TypeError.
  Tensor forward(const Tensor& ids) const;

  std::string description() const override;

 private:
  Parameter weight_;
};

}  // namespace wick
