#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "errors.h"
#include "memory_fixture.h"
#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>

namespace wick::memory {
namespace {

constexpr std::size_t kMebi = std::size_t{1} << 20;

// Small sizes one by one, then the neighbourhood of every multiple of a power of two.
std::vector<std::size_t> many_sizes(std::size_t largest) {
  std::set<std::size_t> sizes;
  for (std::size_t bytes = 0; bytes <= 600; ++bytes) sizes.insert(bytes);
  for (std::size_t power = 512; power <= largest; power *= 2) {
    for (std::size_t quarter = 4; quarter <= 8; ++quarter) {
      for (const std::size_t near : {-65, -64, -1, 0, 1, 64}) sizes.insert(power / 4 * quarter + near);
    }
  }
  return {sizes.begin(), sizes.end()};
}

TEST_F(Memory, EveryBlockIsAlignedAndCanBeWrittenWhole) {
  std::vector<std::pair<std::byte*, std::size_t>> blocks;
  for (const std::size_t bytes : many_sizes(kMebi)) {
    std::byte* block = allocate(bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kAlignment, 0u) << bytes;
    std::memset(block, static_cast<int>(blocks.size() % 251), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, bytes] = blocks[i];
    const auto expected = static_cast<std::byte>(i % 251);
    EXPECT_TRUE(std::all_of(block, block + bytes, [&](std::byte byte) { return byte == expected; })) << bytes;
    release(block, bytes);
  }
}

TEST_F(Memory, ABlockIsNeverSmallerThanAskedForNorMuchLarger) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  for (const std::size_t bytes : many_sizes(64 * kMebi)) {
    const auto asked = static_cast<std::int64_t>(bytes);
    EXPECT_GE(block_size(bytes), asked);
    EXPECT_LE(block_size(bytes), std::max<std::int64_t>(asked + 64, asked + asked / 4)) << asked;
    EXPECT_EQ(block_size(bytes) % 64, 0);
  }
}

TEST_F(Memory, AReleasedBlockIsReusedForSizesThatItHolds) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  for (const std::size_t bytes : many_sizes(kMebi)) {
    const auto held = static_cast<std::size_t>(block_size(bytes));
    std::byte* block = allocate(bytes);
    release(block, bytes);
    std::byte* again = allocate(held);
    EXPECT_EQ(again, block) << bytes;
    release(again, held);
    std::byte* larger = allocate(held + 1);
    EXPECT_NE(larger, block) << bytes;
    release(larger, held + 1);
  }
}

TEST_F(Memory, CountsWhatIsHeldWhatWasAndWhatIsKept) {
  const bool keeps = keeps_blocks();
  reset_peak();
  EXPECT_EQ(counts().peak, before_);
  std::byte* first = allocate(1000);
  std::byte* second = allocate(24);
  EXPECT_EQ(counts().now, before_ + 1024);
  release(first, 1000);
  EXPECT_EQ(counts().now, before_ + 24);
  EXPECT_EQ(counts().peak, before_ + 1024);
  EXPECT_EQ(counts().cached, keeps ? 1024 : 0);
  reset_peak();
  EXPECT_EQ(counts().peak, before_ + 24);
  release(second, 24);
  EXPECT_EQ(counts().cached, keeps ? 1024 + 64 : 0);
  release_cached();
  EXPECT_EQ(counts().cached, 0);
}

TEST_F(Memory, SizesThatWereReleasedAskTheSystemForNothing) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  const auto step = [] {
    std::byte* first = allocate(1000);
    std::byte* second = allocate(1000);
    release(first, 1000);
    std::byte* third = allocate(64 * kMebi);
    release(third, 64 * kMebi);
    release(second, 1000);
  };
  const std::int64_t before = counts().system_allocations;
  step();
  EXPECT_EQ(counts().system_allocations, before + 3);
  for (int i = 0; i < 100; ++i) step();
  EXPECT_EQ(counts().system_allocations, before + 3);
  release_cached();
  step();
  EXPECT_EQ(counts().system_allocations, before + 6);
}

TEST_F(Memory, TheHeaderOfABlockIsItsOwners) {
  std::byte* blocks[2] = {allocate(64), allocate(64)};
  for (std::byte* block : blocks) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(header_of(block)) % alignof(std::max_align_t), 0u);
    std::memset(header_of(block), 1, kHeader);
    std::memset(block, 2, 64);
  }
  for (std::byte* block : blocks) {
    EXPECT_EQ(header_of(block)[kHeader - 1], std::byte{1});
    EXPECT_EQ(block[0], std::byte{2});
    release(block, 64);
  }
  std::byte* again = allocate(64);
  std::memset(header_of(again), 3, kHeader);
  release(again, 64);
}

#ifdef __SANITIZE_ADDRESS__
TEST_F(Memory, TheSanitizerSeesWhoReachesOverEitherEnd) {
  std::byte* block = allocate(40);
  EXPECT_EQ(__asan_region_is_poisoned(block, 40), nullptr);
  EXPECT_TRUE(__asan_address_is_poisoned(block - 1));
  EXPECT_TRUE(__asan_address_is_poisoned(block + 40));
  release(block, 40);
  EXPECT_TRUE(__asan_address_is_poisoned(block));
}
#endif

TEST_F(Memory, ZeroBytesAreABlockToo) {
  std::byte* one = allocate(0);
  std::byte* other = allocate(0);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(one, other);
  EXPECT_EQ(counts().now, before_);
  release(one, 0);
  release(other, 0);
}

TEST_F(Memory, AnAbsurdSizeIsAnErrorThatNamesIt) {
  for (const std::size_t bytes : {std::size_t{1} << 50, std::size_t{1} << 62, (std::size_t{1} << 62) + 1,
                                  std::size_t{1} << 63, SIZE_MAX}) {
    EXPECT_EQ(error_of<Error>([&] { allocate(bytes); }), "out of memory: a tensor asked for " +
                                                             std::to_string(bytes) + " bytes, with " +
                                                             std::to_string(before_) + " held by others");
  }
  EXPECT_EQ(counts().now, before_);
}

TEST_F(Memory, AnErrorReturnsWhatWasKept) {
  release(allocate(1000), 1000);
  EXPECT_THROW(allocate(std::size_t{1} << 50), Error);
  std::byte* block = allocate(1000);
  std::memset(block, 1, 1000);
  release(block, 1000);
}

TEST_F(Memory, NoMoreIsKeptThanWasOnceInUse) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  reset_peak();
  release(allocate(48 * kMebi), 48 * kMebi);
  EXPECT_EQ(counts().cached, 48 << 20);
  release(allocate(32 * kMebi), 32 * kMebi);
  EXPECT_EQ(counts().cached, 32 << 20) << "80 MB, of which never more than 48 were in use";

  std::byte* both[] = {allocate(48 * kMebi), allocate(32 * kMebi)};
  release(both[0], 48 * kMebi);
  release(both[1], 32 * kMebi);
  EXPECT_EQ(counts().cached, 80 << 20);
}

// However much of other sizes was kept before.
TEST_F(Memory, OldSizesMakeRoomForNewOnes) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  reset_peak();
  for (std::size_t mebis = 5; mebis <= 8; ++mebis) {
    std::array<std::byte*, 8> blocks{};
    for (std::byte*& block : blocks) block = allocate(mebis * kMebi);
    for (std::byte* block : blocks) release(block, mebis * kMebi);
    const std::int64_t before = counts().system_allocations;
    for (std::byte*& block : blocks) block = allocate(mebis * kMebi);
    EXPECT_EQ(counts().system_allocations, before) << mebis;
    for (std::byte* block : blocks) release(block, mebis * kMebi);
    EXPECT_LE(counts().cached, 80 << 20);
  }
}

TEST_F(Memory, TheOldestSizeIsNotKeptInsteadOfLaterOnes) {
  if (!keeps_blocks()) GTEST_SKIP() << "nothing is cached under a sanitizer";
  std::byte* early = allocate(20 * kMebi);
  reset_peak();
  for (std::size_t i = 0; i < 2; ++i) release(allocate(48 * kMebi), 48 * kMebi);
  release(allocate(32 * kMebi), 32 * kMebi);  // beside 20: 68, and a quarter more
  release(early, 20 * kMebi);
  EXPECT_EQ(counts().cached, 80 << 20);
}

TEST(MemoryDeathTest, TensorsOfStaticStorageDurationMayOutliveEverything) {
  const auto exit_with_tensors = [] {
    static Tensor early;                      // destroyed last, and made before wick was ever used
    std::atexit([] { early = zeros({3}); });  // wick is used while statics are being destroyed
    static Tensor late = zeros({5});
    early = late;
    std::exit(late.numel() == 5 ? 0 : 1);
  };
  EXPECT_EXIT(exit_with_tensors(), testing::ExitedWithCode(0), "");
}

TEST_F(Memory, TensorsHoldJustTheirElements) {
  {
    const Tensor tensor = zeros({3, 5}, float64);
    EXPECT_EQ(counts().now, before_ + 120);
    const Tensor view = tensor.strided_view({5, 3}, {1, 5});
    const Tensor copy = tensor;
    EXPECT_EQ(counts().now, before_ + 120);
  }
  EXPECT_EQ(counts().now, before_);
}

}  // namespace
}  // namespace wick::memory
