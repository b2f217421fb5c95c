#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/convert.h>

namespace wick {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

template <typename Float>
class ConvertFrom : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(ConvertFrom, Floats);

TYPED_TEST(ConvertFrom, FloatsGoTowardsZero) {
  EXPECT_EQ(convert<std::int64_t>(TypeParam(2.9)), 2);
  EXPECT_EQ(convert<std::int64_t>(TypeParam(-2.9)), -2);
  EXPECT_EQ(convert<std::int64_t>(TypeParam(-0.5)), 0);
}

TYPED_TEST(ConvertFrom, FloatsBeyondGoToTheNearestEnd) {
  constexpr TypeParam two_to_63 = 9223372036854775808.0;
  EXPECT_EQ(convert<std::int64_t>(two_to_63), kHighest);
  EXPECT_EQ(convert<std::int64_t>(-two_to_63), kLowest);
  EXPECT_EQ(convert<std::int64_t>(std::nextafter(-two_to_63, TypeParam(-1e30))), kLowest);
  const TypeParam below = std::nextafter(two_to_63, TypeParam(0));
  EXPECT_EQ(convert<std::int64_t>(below), static_cast<std::int64_t>(below));
  EXPECT_LT(convert<std::int64_t>(below), kHighest);
  EXPECT_EQ(convert<std::int64_t>(std::numeric_limits<TypeParam>::infinity()), kHighest);
  EXPECT_EQ(convert<std::int64_t>(-std::numeric_limits<TypeParam>::infinity()), kLowest);
}

TYPED_TEST(ConvertFrom, NanGoesToTheSmallestAndIsTrue) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_EQ(convert<std::int64_t>(nan), kLowest);
  EXPECT_TRUE(convert<bool>(nan));
  EXPECT_TRUE(std::isnan(convert<float>(nan)));
}

TYPED_TEST(ConvertFrom, EverythingBut0IsTrue) {
  EXPECT_FALSE(convert<bool>(TypeParam(0)));
  EXPECT_FALSE(convert<bool>(TypeParam(-0.0)));
  EXPECT_TRUE(convert<bool>(std::numeric_limits<TypeParam>::denorm_min()));
  EXPECT_TRUE(convert<bool>(TypeParam(0.5)));
}

TEST(Convert, WholeNumbersAndBooleans) {
  EXPECT_TRUE(convert<bool>(std::int64_t{-3}));
  EXPECT_TRUE(convert<bool>(std::int64_t{1} << 32));
  EXPECT_FALSE(convert<bool>(std::int64_t{0}));
  EXPECT_EQ(convert<std::int64_t>(true), 1);
  EXPECT_EQ(convert<float>(true), 1.0F);
  EXPECT_EQ(convert<double>(std::int64_t{7}), 7.0);
  EXPECT_EQ(convert<std::int64_t>(kHighest), kHighest);
}

TEST(Convert, ToFloat32RoundsToNearestAndKeepsInfinities) {
  EXPECT_EQ(convert<float>(0.1), 0.1F);
  EXPECT_EQ(convert<float>(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(convert<float>(-1e300), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::signbit(convert<float>(-0.0)));
}

TEST(Number, KnowsItsKind) {
  EXPECT_EQ(Number(true).kind(), boolean);
  for (const Number& whole : {Number(1), Number(1L), Number(1LL), Number(1U), Number(1ULL), Number(short{1}),
                              Number(std::int8_t{1}), Number(std::uint8_t{1})}) {
    EXPECT_EQ(whole.kind(), int64);
    EXPECT_EQ(whole.to<std::int64_t>(), 1);
  }
  EXPECT_EQ(Number(1.0F).kind(), float64);
  EXPECT_EQ(Number(1.0).kind(), float64);
}

TEST(Number, KeepsWholeNumbersWhole) {
  EXPECT_EQ(Number(kHighest).to<std::int64_t>(), kHighest);
  EXPECT_EQ(Number(kLowest).to<std::int64_t>(), kLowest);
  EXPECT_EQ(Number(9007199254740993LL).to<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(Number(std::uint64_t{1} << 62).to<std::int64_t>(), std::int64_t{1} << 62);
}

TEST(Number, AWholeNumberIsRoundedOnce) {
  // 2^24 + 1, just above halfway between two float32: by way of a double it would be halfway, and go down.
  const std::int64_t number = (std::int64_t{1} << 54) + (std::int64_t{1} << 30) + 1;
  EXPECT_EQ(Number(number).to<float>(), static_cast<float>(number));
  EXPECT_NE(Number(number).to<float>(), static_cast<float>(static_cast<double>(number)));
}

TEST(Number, AnUnsignedNumberBeyondInt64IsTakenAsAFloat) {
  const Number large(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(large.kind(), float64);
  EXPECT_EQ(large.to<double>(), 18446744073709551616.0);
  EXPECT_EQ(large.to<std::int64_t>(), kHighest);
  EXPECT_EQ(Number(std::numeric_limits<std::uint32_t>::max()).to<std::int64_t>(), 4294967295);
}

TEST(Number, ConvertsAsConvertDoes) {
  EXPECT_EQ(Number(-2.9).to<std::int64_t>(), -2);
  EXPECT_TRUE(Number(0.5).to<bool>());
  EXPECT_EQ(Number(0.1F).to<float>(), 0.1F);
  EXPECT_EQ(Number(true).to<double>(), 1.0);
}

}  // namespace
}  // namespace wick
