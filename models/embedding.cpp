#include <wick/models/embedding.h>
#include <wick/models/initial.h>
#include <wick/ops/embedding.h>

namespace wick {

Embedding::Embedding(std::int64_t vocab_size, std::int64_t n_embd, const EmbeddingOptions& options, Rng& rng)
    : Module(options.name),
      weight_(this, "weight",
              scaled_normal({positive_size("Embedding", "vocab_size", vocab_size),
                             positive_size("Embedding", "n_embd", n_embd)},
                            options.weight_scale, options.dtype, rng)) {}

Tensor Embedding::forward(const Tensor& ids) const {
  ModuleScope scope(*this);
  return embedding(weight_, ids);
}

std::string Embedding::description() const {
  const Shape& shape = weight_.tensor().shape();
  return "Embedding(" + std::to_string(shape[0]) + " ids, " + std::to_string(shape[1]) + " wide)";
}

}  // namespace wick
