// What the other tests lean on: the comparisons of ops/testing.

#include <gtest/gtest.h>

#include <wick/ops/mask.h>
#include <wick/ops/testing/compare.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::allclose;
using testing::relative_difference;
using testing::same_bits;
using testing::same_bits_but_nan;

Tensor numbers(const NestedList& list) { return tensor(list, float64); }

TEST(Allclose, AllowsAbsolutePlusRelativeOfTheSecond) {
  EXPECT_TRUE(allclose(numbers({100.9}), numbers({100}), .01, 0));
  EXPECT_FALSE(allclose(numbers({101.1}), numbers({100}), .01, 0));
  EXPECT_TRUE(allclose(numbers({101.005}), numbers({102}), .0098, 0));
  EXPECT_FALSE(allclose(numbers({102}), numbers({101.005}), .0098, 0));
  EXPECT_TRUE(allclose(numbers({.09, -.09}), numbers({0, 0}), 0, .1));
  EXPECT_FALSE(allclose(numbers({0, .11}), numbers({0, 0}), 0, .1));
  EXPECT_TRUE(allclose(numbers({1, 1 + 1e-5}), numbers({1, 1})));
  EXPECT_FALSE(allclose(numbers({1, 1 + 2e-5}), numbers({1, 1})));
  EXPECT_TRUE(allclose(numbers({1e-8}), numbers({0})));
  EXPECT_FALSE(allclose(numbers({2e-8}), numbers({0})));
}

TEST(Allclose, NonFiniteNumbersAreCloseToThemselvesAtMost) {
  EXPECT_FALSE(allclose(numbers({kNaN}), numbers({kNaN})));
  EXPECT_FALSE(allclose(numbers({kNaN}), numbers({1})));
  EXPECT_FALSE(allclose(numbers({1}), numbers({kNaN})));
  EXPECT_TRUE(allclose(numbers({kInfinity, -kInfinity}), numbers({kInfinity, -kInfinity})));
  EXPECT_FALSE(allclose(numbers({kInfinity}), numbers({-kInfinity})));
  EXPECT_FALSE(allclose(numbers({1}), numbers({kInfinity})));
  EXPECT_FALSE(allclose(numbers({kInfinity}), numbers({1e308})));
}

TEST(Allclose, ShapesAreEqualAndTypesMayDiffer) {
  EXPECT_FALSE(allclose(ones({2, 3}), ones({3, 2})));
  EXPECT_FALSE(allclose(ones({3}), ones({1, 3})));
  EXPECT_TRUE(allclose(ones({3}, float32), ones({3}, int64)));
  EXPECT_TRUE(allclose(zeros({0, 3}), zeros({0, 3})));
  EXPECT_TRUE(allclose(transpose(normal({2, 3})), transpose(normal({2, 3})).clone()));
}

TEST(RelativeDifference, IsMeasuredAgainstTheLargestOfTheReference) {
  EXPECT_DOUBLE_EQ(relative_difference(numbers({1, 4}), numbers({3, -8})), 12. / 8);
  EXPECT_DOUBLE_EQ(relative_difference(numbers({1e-9, 10}), numbers({0, 10})), 1e-10);
  EXPECT_EQ(relative_difference(numbers({1, 2}), numbers({1, 2})), 0);
  EXPECT_EQ(relative_difference(numbers({0}), numbers({0})), 0);
  EXPECT_EQ(relative_difference(numbers({1e-30}), numbers({0})), kInfinity);
  EXPECT_EQ(relative_difference(zeros({0}), zeros({0})), 0);
}

TEST(RelativeDifference, NonFiniteNumbersMustBeTheSame) {
  EXPECT_EQ(
      relative_difference(numbers({kNaN, kInfinity, -kInfinity}), numbers({kNaN, kInfinity, -kInfinity})), 0);
  EXPECT_DOUBLE_EQ(relative_difference(numbers({kNaN, kInfinity, 1}), numbers({kNaN, kInfinity, 2})), .5);
  for (const double other : {1., kNaN, -kInfinity}) {
    EXPECT_EQ(relative_difference(numbers({kInfinity}), numbers({other})), kInfinity);
    EXPECT_EQ(relative_difference(numbers({other}), numbers({kInfinity})), kInfinity);
  }
  EXPECT_EQ(relative_difference(numbers({kNaN}), numbers({1})), kInfinity);
  EXPECT_EQ(relative_difference(numbers({1}), numbers({kNaN})), kInfinity);
  EXPECT_EQ(relative_difference(ones({2, 3}), ones({3, 2})), kInfinity);
}

TEST(RelativeDifference, LeavesBlockedScoresOut) {
  const double fill = kMaskFill;
  EXPECT_DOUBLE_EQ(relative_difference(numbers({fill, 1}), numbers({fill, 2})), .5);
  EXPECT_DOUBLE_EQ(relative_difference(tensor({fill, 1.}, float32), numbers({fill, 2})), .5);
  EXPECT_EQ(relative_difference(numbers({fill, fill}), numbers({fill, fill})), 0);
  EXPECT_DOUBLE_EQ(relative_difference(numbers({0, 1}), numbers({fill, 1})), 1);
  EXPECT_GE(relative_difference(numbers({fill, 1}), numbers({0, 1})), 1e9 - 1);
}

TEST(SameBits, TellsEveryDifference) {
  EXPECT_TRUE(same_bits(numbers({1, kNaN}), numbers({1, kNaN})));
  EXPECT_FALSE(same_bits(numbers({0.}), numbers({-0.})));
  EXPECT_FALSE(same_bits(numbers({1, 2}), numbers({1, std::nextafter(2., 3.)})));
  EXPECT_FALSE(same_bits(ones({2}, float32), ones({2}, float64)));
  EXPECT_FALSE(same_bits(zeros({2}, int64), zeros({2}, float64)));
  EXPECT_FALSE(same_bits(ones({2, 3}), ones({3, 2})));
  EXPECT_TRUE(same_bits(zeros({0, 3}), zeros({0, 3})));
  EXPECT_FALSE(same_bits(zeros({0, 3}), zeros({3, 0})));
  EXPECT_FALSE(same_bits(tensor({true, false}), tensor({true, true})));
}

TEST(SameBits, OneNaNMayStandForAnother) {
  EXPECT_FALSE(same_bits(numbers({1, kNaN}), numbers({1, -kNaN})));
  EXPECT_TRUE(same_bits_but_nan(numbers({1, kNaN}), numbers({1, -kNaN})));
  EXPECT_FALSE(same_bits_but_nan(numbers({1, kNaN}), numbers({1, 1})));
  EXPECT_FALSE(same_bits_but_nan(numbers({0.}), numbers({-0.})));
  EXPECT_FALSE(same_bits_but_nan(numbers({1, 2}), numbers({1, 2, 3})));
  EXPECT_TRUE(same_bits_but_nan(tensor({true, false}), tensor({true, false})));
}

TEST(SameBits, LooksAtValuesAndNotAtLayouts) {
  const Tensor x = normal({3, 4, 5});
  for (const Layout& layout : layouts_of(x)) EXPECT_TRUE(same_bits(layout.tensor, x)) << layout.name;
  EXPECT_FALSE(same_bits(transpose(normal({3, 3})), normal({3, 3})));
}

}  // namespace
}  // namespace wick
