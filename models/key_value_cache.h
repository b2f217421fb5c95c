#pragma once

#include <cstdint>
#include <vector>

#include <wick/framework/tensor.h>
#include <wick/models/gpt_config.h>

namespace wick {

/// The keys and values of the window so far, so that the next token costs one position and not all of them.
/// Memory for a whole window is taken once, and written in place.
class KeyValueCache {
 public:
  /// Of one block, of all its heads: both (B, block_size, n_embd), defined up to the cache's length.
  struct Layer {
    Tensor keys;
    Tensor values;
  };

  /// For `batch` sequences side by side. Throws ValueError for a size below 1, TypeError for a dtype that is
  /// not floating.
  explicit KeyValueCache(const GptConfig& config, std::int64_t batch = 1, DType dtype = float32);

  /// The positions that are held: the next token stands at this one.
  std::int64_t length() const { return length_; }
  std::int64_t block_size() const { return block_size_; }
  bool is_full() const { return length_ == block_size_; }

  /// Forgets all positions; the memory stays.
  void clear() { length_ = 0; }

  // For the modules that write them.

  std::int64_t layer_count() const { return static_cast<std::int64_t>(layers_.size()); }
  std::int64_t batch() const;
  /// Throws IndexError outside.
  Layer& layer(std::int64_t i);
  /// Every layer has written `count` more positions. Throws IndexError beyond the window.
  void advance(std::int64_t count);

 private:
  std::int64_t block_size_;
  std::int64_t length_ = 0;
  std::vector<Layer> layers_;
};

}  // namespace wick
