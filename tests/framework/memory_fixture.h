#pragma once

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include <wick/framework/memory.h>

namespace wick::memory {

/// Every test starts with an empty cache.
class Memory : public testing::Test {
 protected:
  Memory() { release_cached(); }
  ~Memory() override {
    release_cached();
    EXPECT_EQ(counts().now, before_);
  }

  /// Under a sanitizer nothing is kept.
  static bool keeps_blocks() {
    release(allocate(1), 1);
    const bool kept = counts().cached > 0;
    release_cached();
    return kept;
  }

  /// What a block of allocate(bytes) takes in the cache: its true size.
  static std::int64_t block_size(std::size_t bytes) {
    release_cached();
    release(allocate(bytes), bytes);
    return counts().cached;
  }

  const std::int64_t before_ = counts().now;
};

}  // namespace wick::memory
