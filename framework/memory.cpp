#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <string>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif
#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

#include <wick/framework/error.h>
#include <wick/framework/memory.h>
#include <wick/framework/threads.h>

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

#if WICK_PASS_THROUGH && __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#define WICK_POISON(start, bytes) ASAN_POISON_MEMORY_REGION(start, bytes)
#else
#define WICK_POISON(start, bytes) static_cast<void>(0)
#endif

namespace wick::memory {
namespace {

constexpr bool kPassThrough = WICK_PASS_THROUGH != 0;

// Nothing larger exists: rounding it up would overflow, and a sanitizer would end the program.
constexpr std::size_t kLargest = std::size_t{1} << (kPassThrough ? 38 : 62);

// Below this much, blocks are kept whatever the peak was.
constexpr std::int64_t kAlwaysKept = std::int64_t{64} << 20;

// Block sizes: four to each doubling, from 64 bytes up, so that rounding wastes at most a fifth of a block.
constexpr std::size_t kSizeClasses = 256;

struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (kPassThrough) return {0, bytes};
  if (bytes <= 4 * kAlignment) {
    const std::size_t lines = std::max<std::size_t>(1, (bytes + kAlignment - 1) / kAlignment);
    return {lines - 1, lines * kAlignment};
  }
  const std::size_t last = bytes - 1;
  const auto shift = static_cast<std::size_t>(std::bit_width(last)) - 3;
  const std::size_t quarters = (last >> shift) + 1;  // 5 … 8
  return {shift * 4 + quarters, quarters << shift};  // consecutive from shift = 6 (bytes = 257) on
}

// The other way round.
constexpr std::size_t bytes_of_class(std::size_t index) {
  if (index < 4) return (index + 1) * kAlignment;
  const std::size_t quarters = index % 4 == 0 ? 8 : 4 + index % 4;
  return quarters << ((index - quarters) / 4);
}

// Large blocks ask for pages of 2 MiB, where the system gives them to whom they are dear (Linux's
// transparent_hugepage in "madvise"): a column of a large matrix touches a page per row, more than the
// processor keeps addresses of, and the first touch of 64 MiB is then 32 faults instead of 16384.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{!kPassThrough && bytes >= 2 * kHugePage ? kHugePage : kAlignment};
}

std::byte* system_allocate(std::size_t bytes) {
  void* whole = ::operator new(kAlignment + bytes, alignment_of(bytes), std::nothrow);
  if (whole == nullptr) return nullptr;
#ifdef MADV_HUGEPAGE
  if (alignment_of(bytes) == std::align_val_t{kHugePage}) {
    static_cast<void>(madvise(whole, (kAlignment + bytes) / kHugePage * kHugePage, MADV_HUGEPAGE));  // or not
  }
#endif
  std::byte* block = static_cast<std::byte*>(whole) + kAlignment;
  WICK_POISON(header_of(block) + kHeader, kAlignment - kHeader);
  return block;
}

void system_release(std::byte* block, std::size_t bytes) {
  ::operator delete(block - kAlignment, alignment_of(bytes));
}

// Held for so short a time that a thread which finds it taken does best to ask again. Half the price of a
// std::mutex, and nothing in a process that has a single thread.
void acquire(std::atomic_flag& lock) {
  while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
}

void let_go(std::atomic_flag& lock) { lock.clear(std::memory_order_release); }

class Lock {
 public:
  explicit Lock(std::atomic_flag& taken) : taken_(is_only_thread() ? nullptr : &taken) {
    if (taken_ != nullptr) acquire(*taken_);
  }
  ~Lock() {
    if (taken_ != nullptr) let_go(*taken_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic_flag* taken_;
};

// Kept blocks of one size, linked through their headers.
class FreeList {
 public:
  bool empty() const { return first_ == nullptr; }

  void push(std::byte* block) { first_ = new (header_of(block)) Link{first_, block}; }

  // Null where there is none.
  std::byte* pop() {
    if (first_ == nullptr) return nullptr;
    return std::exchange(first_, first_->next)->block;
  }

 private:
  struct Link {
    Link* next;
    std::byte* block;
  };

  Link* first_ = nullptr;
};

class Cache {
 public:
  std::byte* allocate(std::size_t bytes) {
    if (std::byte* block = take(bytes)) return block;
    release_cached();
    if (std::byte* block = take(bytes)) return block;
    throw Error("out of memory: a tensor asked for " + std::to_string(bytes) + " bytes, with " +
                std::to_string(counts().now) + " held by others");
  }

  void release(std::byte* block, std::size_t bytes) noexcept {
    const SizeClass size = size_class(bytes);
    {
      const Lock lock(taken_);
      counts_.now -= static_cast<std::int64_t>(bytes);
      if (has_room(size)) return keep(block, size);
    }
    keep_instead_of_older(block, size);
  }

  Counts counts() {
    const Lock lock(taken_);
    return counts_;
  }

  void reset_peak() {
    const Lock lock(taken_);
    counts_.peak = counts_.now;
  }

  void release_cached() {
    std::array<FreeList, kSizeClasses> kept;
    {
      const Lock lock(taken_);
      kept = std::exchange(free_, {});
      counts_.cached = 0;
    }
    for (std::size_t index = 0; index < kSizeClasses; ++index) {
      while (std::byte* block = kept[index].pop()) system_release(block, bytes_of_class(index));
    }
  }

  void before_fork() { acquire(taken_); }
  void after_fork() { let_go(taken_); }

 private:
  // Null where there is no such block.
  std::byte* take(std::size_t bytes) {
    if (bytes > kLargest) return nullptr;
    const SizeClass wanted = size_class(bytes);
    {
      const Lock lock(taken_);
      if (std::byte* block = free_[wanted.index].pop()) {
        counts_.cached -= static_cast<std::int64_t>(wanted.bytes);
        count_taken(bytes);
        return block;
      }
    }
    std::byte* block = system_allocate(wanted.bytes);
    if (block == nullptr) return nullptr;
    const Lock lock(taken_);
    last_asked_[wanted.index] = ++counts_.system_allocations;
    count_taken(bytes);
    return block;
  }

  void count_taken(std::size_t bytes) {
    counts_.now += static_cast<std::int64_t>(bytes);
    counts_.peak = std::max(counts_.peak, counts_.now);
  }

  // No more than was once in use, so that a program whose sizes keep changing does not pile up blocks.
  bool has_room(const SizeClass& size, std::int64_t beside) const {
    const std::int64_t limit =
        std::max(kAlwaysKept, counts_.peak + counts_.peak / 4);  // what rounding added, too
    return !kPassThrough && beside + static_cast<std::int64_t>(size.bytes) <= limit;
  }
  bool has_room(const SizeClass& size) const { return has_room(size, counts_.cached); }

  void keep(std::byte* block, const SizeClass& size) {
    free_[size.index].push(block);
    counts_.cached += static_cast<std::int64_t>(size.bytes);
  }

  // Old sizes go back to the system until there is room, or until the block is of the oldest size itself.
  // (That size is then asked of the system again, and counts as new.) One at a time, because the system takes
  // long, and others wait for the lock.
  [[gnu::noinline, gnu::cold]] void keep_instead_of_older(std::byte* block, const SizeClass& size) {
    for (;;) {
      std::size_t oldest = size.index;
      std::byte* old_block = nullptr;
      {
        const Lock lock(taken_);
        if (has_room(size)) return keep(block, size);
        if (has_room(size, 0)) oldest = oldest_kept(size.index);
        if (oldest == size.index) break;
        old_block = free_[oldest].pop();
        counts_.cached -= static_cast<std::int64_t>(bytes_of_class(oldest));
      }
      system_release(old_block, bytes_of_class(oldest));
    }
    system_release(block, size.bytes);
  }

  // Of this size and all that are kept, the one that was asked of the system longest ago. (When a size was
  // last asked for at all would be dearer to know.)
  std::size_t oldest_kept(std::size_t oldest) const {
    for (std::size_t index = 0; index < kSizeClasses; ++index) {
      if (!free_[index].empty() && last_asked_[index] < last_asked_[oldest]) oldest = index;
    }
    return oldest;
  }

  std::atomic_flag taken_;
  std::array<FreeList, kSizeClasses> free_;              // by size class
  std::array<std::int64_t, kSizeClasses> last_asked_{};  // of the system: the number of that allocation
  Counts counts_{};
};

Cache& cache();

// Apart, so that allocate() and release() stay short.
[[gnu::noinline]] Cache* make_cache() {
#if __has_include(<pthread.h>)
  // A child has none of the parent's other threads, and would wait forever for one of them that held the
  // lock.
  static_cast<void>(pthread_atfork([] { cache().before_fork(); }, [] { cache().after_fork(); },
                                   [] { cache().after_fork(); }));
#endif
  return new Cache;
}

// Never destroyed: tensors of static storage duration may be released after everything else.
Cache& cache() {
  static Cache* const instance = make_cache();
  return *instance;
}

}  // namespace

std::byte* allocate(std::size_t bytes) { return cache().allocate(bytes); }
void release(std::byte* block, std::size_t bytes) noexcept { cache().release(block, bytes); }
Counts counts() { return cache().counts(); }
void reset_peak() { cache().reset_peak(); }
void release_cached() { cache().release_cached(); }

}  // namespace wick::memory
