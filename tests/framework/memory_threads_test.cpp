// Memory that many threads ask for, and pass to each other.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "child.h"
#include "memory_fixture.h"
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>

namespace wick::memory {
namespace {

TEST_F(Memory, AChildAfterForkIsNotKeptWaiting) {
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) release(allocate(100), 100);
  });
  for (int i = 0; i < 100; ++i) {
    const bool went_on = is_true_in_child([] {
      release(allocate(100), 100);
      return true;
    });
    EXPECT_TRUE(went_on);
    if (!went_on) break;
  }
  ends = true;
  other.join();
}

TEST_F(Memory, ServesManyThreads) {
  const auto work = [](std::size_t seed) {
    std::vector<std::pair<std::byte*, std::size_t>> blocks;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 2000; ++i) {
      const std::size_t bytes = (i * 7919 + seed * 104729) % 5000;
      blocks.emplace_back(allocate(bytes), bytes);
      std::memset(blocks.back().first, static_cast<int>(seed), bytes);
      if (i % 3 == 0) continue;
      const auto [block, size] = blocks[blocks.size() / 2];
      blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 2));
      wrong += static_cast<std::size_t>(
          std::count_if(block, block + size, [&](std::byte byte) { return byte != std::byte(seed); }));
      release(block, size);
      if (i % 500 == 1) release_cached();
    }
    for (const auto& [block, size] : blocks) release(block, size);
    return wrong;
  };
  std::array<std::size_t, 4> wrong{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) threads.emplace_back([&, t] { wrong[t] = work(t + 1); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<std::size_t, 4>{}));
  EXPECT_GE(counts().peak, counts().now);
}

TEST_F(Memory, OneThreadMayReleaseWhatAnotherAllocated) {
  std::byte* block = nullptr;
  std::thread([&] { block = allocate(100); }).join();
  EXPECT_EQ(counts().now, before_ + 100);
  release(block, 100);
}

TEST_F(Memory, WhatAnEndedThreadKeptIsThereForOthers) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  std::thread([] { release(allocate(100), 100); }).join();
  EXPECT_EQ(counts().cached, 128);
  const std::int64_t before = counts().system_allocations;
  release(allocate(100), 100);
  EXPECT_EQ(counts().system_allocations, before);
}

// One thread makes, another lets go: neither piles up blocks.
TEST_F(Memory, TensorsMayGoFromThreadToThread) {
  const auto round = [] {
    std::array<Tensor, 64> made;
    std::thread([&] {
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = full({16}, static_cast<double>(i));
    }).join();
    double sum = 0;
    std::thread([&] {
      for (Tensor& tensor : made) {
        sum += tensor.at({15});
        tensor = {};
      }
    }).join();
    return sum;
  };
  EXPECT_EQ(round(), 63 * 64 / 2);
  const Counts after_one = counts();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(round(), 63 * 64 / 2);
  EXPECT_EQ(counts().now, before_);
  EXPECT_EQ(counts().cached, after_one.cached);
  if (keeps_blocks()) {
    EXPECT_EQ(counts().system_allocations, after_one.system_allocations);
  }
}

// Handles on one storage, copied and dropped by many threads at once: it lives until the last is gone.
TEST_F(Memory, HandlesAreCountedAcrossThreads) {
  Tensor shared = full({100}, 7);
  std::vector<std::thread> threads;
  std::array<double, 4> sums{};
  for (double& sum : sums) {
    threads.emplace_back([&sum, own = shared]() mutable {
      for (int i = 0; i < 5000; ++i) {
        const Tensor copy = own;
        const Tensor view = copy.strided_view({10}, {10}, i % 10);
        sum += view.at({9});
      }
      own = {};
    });
  }
  shared = {};
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, 7 * 5000);
  EXPECT_EQ(counts().now, before_);
}

}  // namespace
}  // namespace wick::memory
