#include <string>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/models/initial.h>
#include <wick/models/key_value_cache.h>

namespace wick {

KeyValueCache::KeyValueCache(const GptConfig& config, std::int64_t batch, DType dtype)
    : block_size_(positive_size("KeyValueCache", "block_size", config.block_size)) {
  if (!is_floating(dtype)) {
    throw TypeError("KeyValueCache: keys and values are float32 or float64, not " + std::string(name(dtype)));
  }
  const Shape shape{positive_size("KeyValueCache", "batch", batch), block_size_,
                    positive_size("KeyValueCache", "n_embd", config.n_embd)};
  for (std::int64_t i = 0; i < positive_size("KeyValueCache", "n_layer", config.n_layer); ++i) {
    layers_.push_back({empty(shape, dtype), empty(shape, dtype)});
  }
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
