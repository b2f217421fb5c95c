#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/makers.h>

namespace wick {
namespace {

using Floats = std::vector<double>;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Integers integers(const Tensor& x) { return x.to_vector<std::int64_t>(); }

TEST(Makers, FillNewMemoryInEveryType) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    // What was there before does not show.
    empty({2, 3}, dtype).fill(1);
    EXPECT_EQ(zeros({2, 3}, dtype).to_vector<double>(), Floats(6, 0));
    EXPECT_EQ(ones({2, 3}, dtype).to_vector<double>(), Floats(6, 1));
    EXPECT_EQ(full({2}, 1, dtype).dtype(), dtype);
    EXPECT_EQ(empty({2, 3}, dtype).shape(), Shape({2, 3}));
  }
  EXPECT_EQ(zeros({2}).dtype(), float32);
  EXPECT_FALSE(zeros({2}).shares_storage(zeros({2})));
}

TEST(Full, KeepsNumbersExact) {
  EXPECT_EQ(full({}, 0.1, float64).item(), 0.1);
  EXPECT_EQ(full({}, 0.1).item<float>(), 0.1F);
  EXPECT_EQ(full({}, kHighest, int64).item<std::int64_t>(), kHighest);
  EXPECT_EQ(full({}, 9007199254740993, int64).item<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(full({}, -1e9).item(), -1e9);
  EXPECT_EQ(full({}, 2, boolean).to_vector<std::int64_t>(), Integers({1}));
}

TEST(Makers, TakeShapesWithoutElements) {
  EXPECT_EQ(zeros({0}).numel(), 0);
  EXPECT_EQ(ones({3, 0, 2}).shape(), Shape({3, 0, 2}));
  EXPECT_EQ(zeros({}).numel(), 1);
  EXPECT_EQ(error_of<ShapeError>([] { zeros({-1}); }), "a shape has no negative sizes: (-1,)");
}

TEST(Arange, StopsBeforeItsEnd) {
  EXPECT_EQ(integers(arange(4)), Integers({0, 1, 2, 3}));
  EXPECT_EQ(integers(arange(2, 5)), Integers({2, 3, 4}));
  EXPECT_EQ(integers(arange(0, 10, 3)), Integers({0, 3, 6, 9}));
  EXPECT_EQ(integers(arange(0, 9, 3)), Integers({0, 3, 6}));
  EXPECT_EQ(integers(arange(5, 0, -2)), Integers({5, 3, 1}));
  EXPECT_EQ(integers(arange(-2, 1)), Integers({-2, -1, 0}));
}

TEST(Arange, OfNothingIsEmpty) {
  for (const Tensor& none : {arange(0), arange(-3), arange(5, 5), arange(5, 2), arange(2, 5, -1),
                             arange(kHighest, kLowest), arange(kLowest, kHighest, -1)}) {
    EXPECT_EQ(none.shape(), Shape({0}));
  }
}

TEST(Arange, ReachesBothEndsOfInt64) {
  EXPECT_EQ(integers(arange(kHighest - 2, kHighest)), Integers({kHighest - 2, kHighest - 1}));
  EXPECT_EQ(integers(arange(kLowest + 2, kLowest, -1)), Integers({kLowest + 2, kLowest + 1}));
  EXPECT_EQ(integers(arange(kLowest, kHighest, std::int64_t{1} << 62)),
            Integers({kLowest, kLowest / 2, 0, -(kLowest / 2)}));
  EXPECT_EQ(integers(arange(kLowest, kHighest, kHighest)), Integers({kLowest, -1, kHighest - 1}));
  EXPECT_EQ(integers(arange(kHighest, kLowest, kLowest)), Integers({kHighest, -1}));
}

TEST(Arange, RefusesStep0AndTooManyElements) {
  EXPECT_EQ(error_of<ValueError>([] { arange(0, 5, 0); }), "arange: a step of 0 never arrives");
  EXPECT_EQ(error_of<ShapeError>([] { arange(kLowest, kHighest); }),
            "arange: from -9223372036854775808 to 9223372036854775807 in steps of 1 has more elements than a "
            "64-bit integer counts");
  EXPECT_EQ(error_of<ShapeError>([] { arange(kHighest); }),
            "the bytes of a (9223372036854775807,) tensor of int64 overflow a 64-bit integer");
}

TEST(Arange, ConvertsToOtherTypes) {
  EXPECT_EQ(arange(3, float32).dtype(), float32);
  EXPECT_EQ(arange(-1, 2, 1, float64).to_vector<double>(), Floats({-1, 0, 1}));
  EXPECT_EQ(integers(arange(-1, 2, 1, boolean)), Integers({1, 0, 1}));
  EXPECT_EQ(arange(kHighest - 1, kHighest, 1, float64).item(), 9223372036854775808.0);
}

TEST(TensorFromLists, HasTheShapeOfItsBraces) {
  EXPECT_EQ(tensor(7).shape(), Shape());
  EXPECT_EQ(tensor({7}).shape(), Shape({1}));
  EXPECT_EQ(tensor({1, 2, 3}).shape(), Shape({3}));
  EXPECT_EQ(tensor({{1, 2, 3}}).shape(), Shape({1, 3}));
  EXPECT_EQ(tensor({{1}, {2}}).shape(), Shape({2, 1}));
  EXPECT_EQ(tensor({{1, 2, 3}, {4, 5, 6}}).shape(), Shape({2, 3}));
  EXPECT_EQ(tensor({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}}).shape(), Shape({3, 2, 2}));
  EXPECT_EQ(tensor({{{{{{{{1}}}}}}}}).shape(), Shape({1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(integers(tensor({{1, 2, 3}, {4, 5, 6}})), Integers({1, 2, 3, 4, 5, 6}));
}

TEST(TensorFromLists, MayBeEmpty) {
  EXPECT_EQ(tensor({}).shape(), Shape({0}));
  EXPECT_EQ(tensor({{}}).shape(), Shape({1, 0}));
  EXPECT_EQ(tensor({{}, {}}).shape(), Shape({2, 0}));
  EXPECT_EQ(tensor({}).dtype(), float32);
  EXPECT_EQ(tensor({}, int64).dtype(), int64);
}

TEST(TensorFromLists, RaggedOrTooDeepListsAreErrors) {
  EXPECT_EQ(error_of<ShapeError>([] {
              tensor({{1, 2}, {3, 4}, {5}});
            }),
            "tensor: ragged lists: item 0 has shape (2,), item 2 has (1,)");
  EXPECT_EQ(error_of<ShapeError>([] {
              tensor({{1, 2}, 3});
            }),
            "tensor: ragged lists: item 0 has shape (2,), item 1 has ()");
  EXPECT_EQ(error_of<ShapeError>([] {
              tensor({1, {2}});
            }),
            "tensor: ragged lists: item 0 has shape (), item 1 has (1,)");
  EXPECT_EQ(error_of<ShapeError>([] {
              tensor({{{1, 2}, {3}}, {{1, 2}, {3}}});
            }),
            "tensor: ragged lists: item 0 has shape (2,), item 1 has (1,)");
  EXPECT_EQ(error_of<ShapeError>([] {
              tensor({{}, {1}});
            }),
            "tensor: ragged lists: item 0 has shape (0,), item 1 has (1,)");
  EXPECT_EQ(error_of<ShapeError>([] { tensor({{{{{{{{{1}}}}}}}}}); }),
            "a tensor has at most 8 dimensions; these are more, after (1, 1, 1, 1, 1, 1, 1, 1)");
}

TEST(TensorFromLists, TakesTheTypeOfItsNumbers) {
  EXPECT_EQ(tensor({true, false}).dtype(), boolean);
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}).dtype(), int64);
  EXPECT_EQ(tensor({1.0, 2.0}).dtype(), float32);
  EXPECT_EQ(tensor({1, 2.5}).dtype(), float32);
  EXPECT_EQ(tensor({true, 2}).dtype(), float32);
  EXPECT_EQ(tensor(1).dtype(), int64);
  EXPECT_EQ(tensor({1, 2}, float64).dtype(), float64);
  EXPECT_EQ(integers(tensor({0.5, 0.0}, boolean)), Integers({1, 0}));
  EXPECT_EQ(integers(tensor({2.9, -2.9}, int64)), Integers({2, -2}));
}

TEST(TensorFromLists, KeepsWholeNumbersOfEveryTypeExact) {
  const std::size_t size = 5'000'000'000;
  EXPECT_EQ(integers(tensor({kLowest, kHighest})), Integers({kLowest, kHighest}));
  EXPECT_EQ(integers(tensor({9007199254740993LL})), Integers({9007199254740993}));
  EXPECT_EQ(integers(tensor({size, std::size_t{1}})), Integers({5'000'000'000, 1}));
  EXPECT_EQ(integers(tensor({4294967295U})), Integers({4294967295}));
  EXPECT_EQ(tensor({size}).dtype(), int64);
}

TEST(TensorFromLists, RoundsFloatsOnce) {
  EXPECT_EQ(tensor({0.1}).to_vector<float>(), std::vector<float>({0.1F}));
  EXPECT_EQ(tensor({0.1}, float64).to_vector<double>(), Floats({0.1}));
  EXPECT_EQ(tensor({0.1F}, float64).to_vector<double>(), Floats({0.1F}));
}

TEST(FromSpan, CopiesNumbersInRowMajorOrder) {
  std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const Tensor x = from_span<float>(numbers, {2, 3});
  numbers[0] = 9;
  EXPECT_EQ(x.at({0, 0}), 1);
  EXPECT_EQ(x.at({1, 2}), 6);
  EXPECT_EQ(x.dtype(), float32);
  EXPECT_EQ(from_span(std::span<const double>(), {0}).shape(), Shape({0}));
}

TEST(FromVector, HasRank1UnlessAShapeIsGiven) {
  EXPECT_EQ(from_vector(Integers({1, 2, 3})).shape(), Shape({3}));
  EXPECT_EQ(from_vector(Integers({1, 2, 3, 4}), {2, 2}).at<std::int64_t>({1, 0}), 3);
  EXPECT_EQ(from_vector(std::vector<bool>({true, false})).dtype(), boolean);
  EXPECT_EQ(from_vector(Floats({5}), {}).shape(), Shape());
  EXPECT_EQ(from_vector(Floats()).shape(), Shape({0}));
}

TEST(FromVector, AnotherCountThanTheShapesIsAnError) {
  EXPECT_EQ(error_of<ShapeError>([] {
              from_vector(Floats({1, 2, 3}), {2, 2});
            }),
            "3 numbers for a tensor of shape (2, 2), which has 4 elements");
  EXPECT_EQ(error_of<ShapeError>([] { from_span<float>({}, {}); }),
            "0 numbers for a tensor of shape (), which has 1 elements");
}

// Steps of 0.1 do not compile, instead of being cut to whole numbers.
template <typename... Numbers>
concept CanArange = requires(Numbers... numbers) {
  arange(numbers...);
};
static_assert(CanArange<int> && CanArange<int, std::int64_t, int>);
static_assert(!CanArange<double> && !CanArange<int, int, double> && !CanArange<float, int>);

}  // namespace
}  // namespace wick
