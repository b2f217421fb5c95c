#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <wick/framework/memory.h>
#include <wick/framework/threads.h>

namespace wick {

/// The bytes behind a tensor and all its views, and a count of the writes to them. Neither copied nor moved;
/// tensors share it, through StorageHandle. It stands in its block's header, so that a tensor is one block.
class Storage {
 public:
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  /// Goes up whenever somebody takes the right to write. A node compares it with what it was when it saved
  /// the tensor.
  std::uint32_t version() const { return version_.load(std::memory_order_relaxed); }

  /// Not one atomic addition: of two threads that write at once one may be lost, but not the change.
  void written() { version_.store(version() + 1, std::memory_order_relaxed); }

 private:
  friend class StorageHandle;
  Storage(std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  std::byte* data_;
  std::size_t bytes_;
  std::atomic<std::int32_t> owners_{1};
  std::atomic<std::uint32_t> version_{0};
};

/// Owns a Storage together with its copies, on any thread: the last to go returns the memory.
class StorageHandle {
 public:
  StorageHandle() = default;

  /// A new storage, its content undefined. Throws wick::Error where there is no memory.
  explicit StorageHandle(std::size_t bytes) {
    static_assert(sizeof(Storage) <= memory::kHeader);
    std::byte* block = memory::allocate(bytes);
    storage_ = new (memory::header_of(block)) Storage(block, bytes);
  }

  StorageHandle(const StorageHandle& other) noexcept : storage_(other.storage_) {
    if (storage_ != nullptr) count(1);
  }
  StorageHandle(StorageHandle&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageHandle& operator=(StorageHandle other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageHandle() {
    if (storage_ != nullptr && is_last()) memory::release(storage_->data(), storage_->bytes());
  }

  Storage* operator->() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }
  friend bool operator==(const StorageHandle&, const StorageHandle&) = default;

  /// True where no other handle is on it, so that nobody else sees what is written. Precondition: not null.
  bool is_only() const { return storage_->owners_.load(std::memory_order_acquire) == 1; }

 private:
  // Where this is the only one, nobody is left who could copy it: that spares the atomic subtraction.
  bool is_last() const { return is_only() || count(-1) == 1; }

  // How many there were before.
  std::int32_t count(std::int32_t change) const {
    std::atomic<std::int32_t>& owners = storage_->owners_;
    if (!is_only_thread()) return owners.fetch_add(change, std::memory_order_acq_rel);
    const std::int32_t before = owners.load(std::memory_order_relaxed);
    owners.store(before + change, std::memory_order_relaxed);
    return before;
  }

  Storage* storage_ = nullptr;
};

}  // namespace wick
