#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <wick/framework/memory.h>

namespace wick {

/// The bytes behind a tensor and all its views, and a count of the writes to them. Neither copied nor moved;
/// tensors share it.
class Storage {
 public:
  /// Content undefined. Throws wick::Error where there is no memory.
  explicit Storage(std::size_t bytes) : data_(memory::allocate(bytes)), bytes_(bytes) {}
  ~Storage() { memory::release(data_, bytes_); }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  /// Goes up whenever somebody takes the right to write. A node compares it with what it was when it saved
  /// the tensor.
  std::uint32_t version() const { return version_.load(std::memory_order_relaxed); }
  void written() { version_.fetch_add(1, std::memory_order_relaxed); }

 private:
  std::byte* data_;
  std::size_t bytes_;
  std::atomic<std::uint32_t> version_{0};
};

}  // namespace wick
