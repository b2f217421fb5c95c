#include <string>

#include <wick/framework/error.h>
#include <wick/models/initial.h>
#include <wick/models/key_value_cache.h>
#include <wick/models/split_heads.h>
#include <wick/ops/slice.h>

namespace wick {
namespace {

KeyValueCache::Layer new_layer(const GptConfig& config, std::int64_t batch, DType dtype) {
  const std::int64_t C = config.n_embd;
  const Tensor both({batch, config.block_size, 2 * C}, dtype);
  const auto by_head = [&](std::int64_t start) {
    return split_heads(slice(both, 2, start, start + C), config.n_head);
  };
  return {both, by_head(0), by_head(C)};
}

}  // namespace

KeyValueCache::KeyValueCache(const GptConfig& config, std::int64_t batch, DType dtype)
    : block_size_(positive_size("KeyValueCache", "block_size", config.block_size)) {
  if (!is_floating(dtype)) {
    throw TypeError("KeyValueCache: keys and values are float32 or float64, not " + std::string(name(dtype)));
  }
  positive_size("KeyValueCache", "batch", batch);
  positive_size("KeyValueCache", "n_layer", config.n_layer);
  size_of_head("KeyValueCache", config.n_embd, config.n_head);
  for (std::int64_t i = 0; i < config.n_layer; ++i) layers_.push_back(new_layer(config, batch, dtype));
}

KeyValueCache::Layer& KeyValueCache::layer(std::int64_t i) {
  if (i >= 0 && i < layer_count()) return layers_[static_cast<std::size_t>(i)];
  throw IndexError("KeyValueCache has no layer " + std::to_string(i) + "; it has " +
                   std::to_string(layer_count()));
}

void KeyValueCache::advance(std::int64_t count) {
  if (count < 0 || count > block_size_ - length_) {
    throw IndexError("KeyValueCache: " + std::to_string(count) + " positions more than its " +
                     std::to_string(length_) + " are outside of block_size=" + std::to_string(block_size_));
  }
  length_ += count;
}

}  // namespace wick
