#pragma once

#include <cstdint>
#include <vector>

#include <wick/framework/tensor.h>
#include <wick/models/gpt_config.h>

namespace wick {

/// The keys and values of the window so far, so that the next token costs one position and not all of them.
/// Memory for a whole window is taken once, and written in place: copies would write into one another's, so
/// there are none. One that was moved from has no layers.
class KeyValueCache {
 public:
  /// Of one block, defined up to the cache's length.
  struct Layer {
    Tensor both;    ///< (B, block_size, 2 n_embd): the keys of all heads, then their values
    Tensor keys;    ///< (B, n_head, block_size, hs): those, head by head; a view
    Tensor values;  ///< (B, n_head, block_size, hs): a view too
  };

  /// For `batch` sequences side by side. Throws ValueError for a size below 1 and where n_head does not
  /// divide n_embd, TypeError for a dtype that is not floating.
  explicit KeyValueCache(const GptConfig& config, std::int64_t batch = 1, DType dtype = float32);

  KeyValueCache(const KeyValueCache&) = delete;
  KeyValueCache& operator=(const KeyValueCache&) = delete;
  KeyValueCache(KeyValueCache&&) noexcept = default;
  KeyValueCache& operator=(KeyValueCache&&) noexcept = default;
  ~KeyValueCache() = default;

  /// The positions that are held: the next token stands at this one.
  std::int64_t length() const { return length_; }
  std::int64_t block_size() const { return block_size_; }
  bool is_full() const { return length_ == block_size_; }

  /// Forgets all positions; the memory stays.
  void clear() { length_ = 0; }

  // For the modules that write them.

  std::int64_t layer_count() const { return static_cast<std::int64_t>(layers_.size()); }
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
