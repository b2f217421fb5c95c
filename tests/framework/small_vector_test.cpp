#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include <wick/framework/small_vector.h>

namespace wick {
namespace {

TEST(SmallVector, HoldsAnyNumberInOrder) {
  SmallVector<int, 3> numbers;
  EXPECT_TRUE(numbers.empty());
  for (int i = 0; i < 10; ++i) {
    numbers.push_back(i);
    ASSERT_EQ(numbers.size(), static_cast<std::size_t>(i + 1));
    EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), i * (i + 1) / 2);
    EXPECT_EQ(numbers[0], 0);
    EXPECT_EQ(numbers[static_cast<std::size_t>(i)], i);
  }
}

TEST(SmallVector, StandsInPlaceWhileThereIsRoom) {
  SmallVector<int, 3> numbers;
  const auto* begin = reinterpret_cast<const std::byte*>(&numbers);
  const auto stands_inside = [&] {
    const auto* first = reinterpret_cast<const std::byte*>(numbers.data());
    return first >= begin && first < begin + sizeof(numbers);
  };
  for (int i = 0; i < 3; ++i) numbers.push_back(i);
  EXPECT_TRUE(stands_inside());
  numbers.push_back(3);
  EXPECT_FALSE(stands_inside());
}

TEST(SmallVector, ReleasesEachItemOnce) {
  for (const std::size_t count : {2u, 3u, 5u}) {
    const auto item = std::make_shared<int>(1);
    {
      SmallVector<std::shared_ptr<int>, 3> items;
      for (std::size_t i = 0; i < count; ++i) items.push_back(item);
      EXPECT_EQ(item.use_count(), static_cast<long>(count + 1));
      const SmallVector<std::shared_ptr<int>, 3> copy = items;
      EXPECT_EQ(item.use_count(), static_cast<long>(2 * count + 1));
      EXPECT_EQ(copy.size(), count);
    }
    EXPECT_EQ(item.use_count(), 1);
  }
}

TEST(SmallVector, IsEmptyWhereItWasMovedFromAndCanBeFilledAgain) {
  for (const std::size_t count : {2u, 3u, 5u}) {
    SmallVector<std::shared_ptr<int>, 3> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(std::make_shared<int>(static_cast<int>(i)));
    SmallVector<std::shared_ptr<int>, 3> taken = std::move(items);
    EXPECT_TRUE(items.empty());  // NOLINT(bugprone-use-after-move)
    ASSERT_EQ(taken.size(), count);
    EXPECT_EQ(*taken[count - 1], static_cast<int>(count - 1));
    for (int i = 0; i < 5; ++i) items.push_back(std::make_shared<int>(10 + i));
    EXPECT_EQ(*items[4], 14);
    items = std::move(taken);
    ASSERT_EQ(items.size(), count);
    EXPECT_EQ(*items[0], 0);
    EXPECT_EQ(items[0].use_count(), 1);
  }
}

}  // namespace
}  // namespace wick
