#include <cstdint>
#include <limits>
#include <span>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/memory.h>
#include <wick/framework/shape.h>

namespace wick {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;

TEST(PositionOf, CountsInRowMajorOrder) {
  EXPECT_EQ(position_of(0, Shape({2, 3, 4})), Dimensions({0, 0, 0}));
  EXPECT_EQ(position_of(17, Shape({2, 3, 4})), Dimensions({1, 1, 1}));
  EXPECT_EQ(position_of(23, Shape({2, 3, 4})), Dimensions({1, 2, 3}));
  EXPECT_EQ(position_of(0, Shape()), Dimensions());
}

TEST(Shape, IsWrittenAsNumPyWritesIt) {
  EXPECT_EQ(to_string(Shape()), "()");
  EXPECT_EQ(to_string(Shape({4})), "(4,)");
  EXPECT_EQ(to_string(Shape({1, 6, 64})), "(1, 6, 64)");
  std::ostringstream out;
  out << Shape({2, 0});
  EXPECT_EQ(out.str(), "(2, 0)");
}

TEST(Shape, CountsItsElements) {
  EXPECT_EQ(Shape().numel(), 1);
  EXPECT_EQ(Shape({0}).numel(), 0);
  EXPECT_EQ(Shape({3, 0, 5}).numel(), 0);
  EXPECT_EQ(Shape({2, 3, 4}).numel(), 24);
  EXPECT_EQ(Shape({4740, 840, 840}).numel(), 3'344'544'000);
  EXPECT_EQ(Shape({kHighest}).numel(), kHighest);
}

TEST(Shape, AProductThatOverflowsIsAnError) {
  EXPECT_EQ(error_of<ShapeError>([] {
              Shape({kTwoTo32, kTwoTo32});
            }),
            "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
  EXPECT_EQ(error_of<ShapeError>([] {
              Shape({kHighest, 2});
            }),
            "the number of elements of (9223372036854775807, 2) overflows a 64-bit integer");
}

TEST(Shape, ASizeOf0DoesNotHideAnOverflowOfTheStrides) {
  EXPECT_EQ(error_of<ShapeError>([] {
              Shape({0, kTwoTo32, kTwoTo32});
            }),
            "the number of elements of (0, 4294967296, 4294967296) overflows a 64-bit integer");
  EXPECT_EQ(error_of<ShapeError>([] {
              Shape({kTwoTo32, kTwoTo32, 0});
            }),
            "the number of elements of (4294967296, 4294967296, 0) overflows a 64-bit integer");
}

TEST(Shape, HasNoNegativeSizes) {
  EXPECT_EQ(error_of<ShapeError>([] { Shape({2, -1}); }), "a shape has no negative sizes: (2, -1)");
  EXPECT_EQ(error_of<ShapeError>([] { Shape({kLowest}); }),
            "a shape has no negative sizes: (-9223372036854775808,)");
  EXPECT_EQ(error_of<ShapeError>([] { Shape({0, -1}); }), "a shape has no negative sizes: (0, -1)");
}

TEST(Shape, ChangedBadlyAfterwardsIsFoundOutByNumel) {
  Shape negative({2, 3});
  negative[0] = -2;
  EXPECT_EQ(error_of<ShapeError>([&] { return negative.numel(); }), "a shape has no negative sizes: (-2, 3)");
  Shape large({kTwoTo32});
  large.push_back(kTwoTo32);
  EXPECT_EQ(error_of<ShapeError>([&] { return large.numel(); }),
            "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
}

TEST(Shape, HasAtMost8Dimensions) {
  EXPECT_EQ(Shape({1, 2, 1, 2, 1, 2, 1, 2}).numel(), 16);
  const std::string expected =
      "a tensor has at most 8 dimensions; these are more, after (1, 1, 1, 1, 1, 1, 1, 1)";
  EXPECT_EQ(error_of<ShapeError>([] { Shape({1, 1, 1, 1, 1, 1, 1, 1, 1}); }), expected);
  const std::vector<std::int64_t> nine(9, 1);
  EXPECT_EQ(error_of<ShapeError>([&] { Shape{std::span(nine)}; }), expected);
  EXPECT_EQ(error_of<ShapeError>([&] { Strides{std::span(nine)}; }), expected);
  Shape full({1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(error_of<ShapeError>([&] { full.push_back(1); }), expected);
  EXPECT_EQ(full.rank(), 8);
}

TEST(Shape, EqualsWhatHasTheSameSizes) {
  EXPECT_EQ(Shape({2, 3}), Shape({2, 3}));
  EXPECT_NE(Shape({2, 3}), Shape({3, 2}));
  EXPECT_NE(Shape({2}), Shape({2, 1}));
  EXPECT_NE(Shape(), Shape({1}));
  Shape grown({2});
  grown.push_back(3);
  EXPECT_EQ(grown, Shape({2, 3}));
}

TEST(Shape, NegativePositionsCountFromTheEnd) {
  Shape shape({2, 3, 4});
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[-1], 4);
  EXPECT_EQ(shape[-3], 2);
  EXPECT_EQ(shape.back(), 4);
  shape[-1] = 5;
  EXPECT_EQ(shape, Shape({2, 3, 5}));
}

TEST(Shape, APositionOutsideIsAnError) {
  const Shape shape({2, 3});
  EXPECT_EQ(error_of<IndexError>([&] { return shape[2]; }), "dimension 2 of (2, 3), which has 2");
  EXPECT_EQ(error_of<IndexError>([&] { return shape[-3]; }), "dimension -3 of (2, 3), which has 2");
  EXPECT_EQ(error_of<IndexError>([] { return Shape().back(); }), "dimension -1 of (), which has 0");
}

TEST(RowMajor, StepsOverWhatStandsBehind) {
  EXPECT_EQ(row_major(Shape({2, 3, 4})), Strides({12, 4, 1}));
  EXPECT_EQ(row_major(Shape()), Strides());
  EXPECT_EQ(row_major(Shape({5, 1})), Strides({1, 1}));
  EXPECT_EQ(row_major(Shape({2, 0, 3})), Strides({3, 3, 1}));
}

TEST(NormalizedAxis, CountsFromTheFront) {
  EXPECT_EQ(normalized_axis("sum", 0, 3), 0);
  EXPECT_EQ(normalized_axis("sum", 2, 3), 2);
  EXPECT_EQ(normalized_axis("sum", -1, 3), 2);
  EXPECT_EQ(normalized_axis("sum", -3, 3), 0);
}

TEST(NormalizedAxis, OutsideIsAnErrorThatNamesTheRange) {
  EXPECT_EQ(error_of<IndexError>([] { normalized_axis("transpose", -5, 3); }),
            "transpose: axis -5: axes of a tensor of rank 3 lie in [-3, 2]");
  EXPECT_EQ(error_of<IndexError>([] { normalized_axis("sum", 3, 3); }),
            "sum: axis 3: axes of a tensor of rank 3 lie in [-3, 2]");
  EXPECT_EQ(error_of<IndexError>([] { normalized_axis("sum", kLowest, 1); }),
            "sum: axis -9223372036854775808: axes of a tensor of rank 1 lie in [-1, 0]");
  EXPECT_EQ(error_of<IndexError>([] { normalized_axis("sum", kTwoTo32, 1); }),
            "sum: axis 4294967296: axes of a tensor of rank 1 lie in [-1, 0]");
  EXPECT_EQ(error_of<IndexError>([] { normalized_axis("sum", 0, 0); }),
            "sum: axis 0: a tensor of rank 0 has no axes");
}

TEST(BroadcastShapes, AlignsAtTheLastDimension) {
  const auto both_ways = [](const Shape& a, const Shape& b) {
    const Shape result = broadcast_shapes("add", a, b);
    EXPECT_EQ(broadcast_shapes("add", b, a), result);
    return result;
  };
  EXPECT_EQ(both_ways({2, 3}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(both_ways({2, 3}, {3}), Shape({2, 3}));
  EXPECT_EQ(both_ways({2, 3}, {}), Shape({2, 3}));
  EXPECT_EQ(both_ways({2, 1}, {1, 3}), Shape({2, 3}));
  EXPECT_EQ(both_ways({4, 1, 3}, {5, 1}), Shape({4, 5, 3}));
  EXPECT_EQ(both_ways({}, {}), Shape());
  EXPECT_EQ(both_ways({2, 0}, {1}), Shape({2, 0}));
  EXPECT_EQ(both_ways({0}, {1}), Shape({0}));
}

TEST(BroadcastShapes, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(error_of<ShapeError>([] {
              broadcast_shapes("add", {2, 3}, {4});
            }),
            "add: (2, 3) and (4,) do not broadcast: dimension -1 is 3 and 4");
  EXPECT_EQ(error_of<ShapeError>([] {
              broadcast_shapes("add", {4}, {2, 3});
            }),
            "add: (4,) and (2, 3) do not broadcast: dimension -1 is 4 and 3");
  EXPECT_EQ(error_of<ShapeError>([] {
              broadcast_shapes("mul", {5, 2, 3}, {4, 1});
            }),
            "mul: (5, 2, 3) and (4, 1) do not broadcast: dimension -2 is 2 and 4");
  EXPECT_EQ(error_of<ShapeError>([] { broadcast_shapes("mul", {0}, {2}); }),
            "mul: (0,) and (2,) do not broadcast: dimension -1 is 0 and 2");
}

TEST(BroadcastShapes, AnOverflowOfTheResultIsAnError) {
  EXPECT_EQ(error_of<ShapeError>([] {
              broadcast_shapes("add", {kTwoTo32, 1}, {kTwoTo32});
            }),
            "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
}

}  // namespace
}  // namespace wick
