#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/memory.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WICK_PASS_THROUGH 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WICK_PASS_THROUGH 1
#endif
#endif
#ifndef WICK_PASS_THROUGH
#define WICK_PASS_THROUGH 0
#endif

namespace wick::memory {
namespace {

constexpr bool kPassThrough = WICK_PASS_THROUGH != 0;

// Nothing larger exists: rounding it up would overflow, and a sanitizer would end the program.
constexpr std::size_t kLargest = std::size_t{1} << (kPassThrough ? 38 : 62);

// Below this much, blocks are kept whatever the peak was.
constexpr std::int64_t kAlwaysKept = std::int64_t{64} << 20;

// Block sizes: four to each doubling, from 64 bytes up, so that rounding wastes at most a fifth of a block.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= 4 * kAlignment) {
    const std::size_t lines = std::max<std::size_t>(1, (bytes + kAlignment - 1) / kAlignment);
    return {lines - 1, lines * kAlignment};
  }
  const std::size_t last = bytes - 1;
  const auto shift = static_cast<std::size_t>(std::bit_width(last)) - 3;
  const std::size_t quarters = (last >> shift) + 1;  // 5 … 8
  return {shift * 4 + quarters, quarters << shift};  // consecutive from shift = 6 (bytes = 257) on
}

std::byte* system_allocate(std::size_t bytes) {
  return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow));
}

void system_release(std::byte* block) { ::operator delete (block, std::align_val_t{kAlignment}); }

class Cache {
 public:
  std::byte* allocate(std::size_t bytes) {
    std::byte* block = bytes > kLargest ? nullptr : kPassThrough ? system_allocate(bytes) : take(bytes);
    if (block == nullptr) {
      throw Error("out of memory: a tensor asked for " + std::to_string(bytes) + " bytes, with " +
                  std::to_string(now_.load(std::memory_order_relaxed)) + " held by others");
    }
    const std::int64_t now = now_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed) +
                             static_cast<std::int64_t>(bytes);
    std::int64_t peak = peak_.load(std::memory_order_relaxed);
    while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
    return block;
  }

  void release(std::byte* block, std::size_t bytes) noexcept {
    now_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    if (kPassThrough || !keep(block, bytes)) system_release(block);
  }

  Counts counts() {
    const std::lock_guard lock(mutex_);
    return {now_.load(std::memory_order_relaxed), peak_.load(std::memory_order_relaxed), cached_};
  }

  void reset_peak() { peak_.store(now_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

  void release_cached() {
    const std::lock_guard lock(mutex_);
    for (std::vector<std::byte*>& blocks : free_) {
      for (std::byte* block : blocks) system_release(block);
      blocks.clear();
    }
    cached_ = 0;
  }

 private:
  std::byte* take(std::size_t bytes) {
    const SizeClass wanted = size_class(bytes);
    {
      const std::lock_guard lock(mutex_);
      std::vector<std::byte*>& blocks = free_[wanted.index];
      if (!blocks.empty()) {
        std::byte* block = blocks.back();
        blocks.pop_back();
        cached_ -= static_cast<std::int64_t>(wanted.bytes);
        return block;
      }
    }
    std::byte* block = system_allocate(wanted.bytes);
    if (block == nullptr) {
      release_cached();
      block = system_allocate(wanted.bytes);
    }
    return block;
  }

  // Keeps no more than was once in use, so that a program whose sizes keep changing does not pile up blocks.
  bool keep(std::byte* block, std::size_t bytes) noexcept {
    const SizeClass size = size_class(bytes);
    const std::int64_t peak = peak_.load(std::memory_order_relaxed);
    const std::int64_t limit = std::max(kAlwaysKept, peak + peak / 4);  // what rounding added, too
    const std::lock_guard lock(mutex_);
    if (cached_ + static_cast<std::int64_t>(size.bytes) > limit) return false;
    try {
      free_[size.index].push_back(block);
    } catch (const std::bad_alloc&) {
      return false;
    }
    cached_ += static_cast<std::int64_t>(size.bytes);
    return true;
  }

  std::mutex mutex_;
  std::array<std::vector<std::byte*>, 256> free_;  // by size class
  std::int64_t cached_ = 0;
  std::atomic<std::int64_t> now_{0};
  std::atomic<std::int64_t> peak_{0};
};

// Never destroyed: tensors of static storage duration may be released after everything else.
Cache& cache() {
  static Cache* const instance = new Cache;
  return *instance;
}

}  // namespace

std::byte* allocate(std::size_t bytes) { return cache().allocate(bytes); }
void release(std::byte* block, std::size_t bytes) noexcept { cache().release(block, bytes); }
Counts counts() { return cache().counts(); }
void reset_peak() { cache().reset_peak(); }
void release_cached() { cache().release_cached(); }

}  // namespace wick::memory
