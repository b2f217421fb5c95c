#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/ops/testing/judge.h>

namespace wick::testing {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expected within(double value, double bound) { return {full({1}, value, float64), full({1}, bound, float64)}; }

Judgement judged(double output, const Expected& expected, bool may_flush_to_0 = false) {
  return judge(full({1}, output, float32), expected, may_flush_to_0);
}

TEST(Judge, CountsInEpsilonsOfTheOutputsType) {
  const double epsilon = std::numeric_limits<float>::epsilon();
  EXPECT_NEAR(judged(1 + epsilon, within(1, 2)).worst_error, .5, 1e-6);
  EXPECT_EQ(judged(1 + 2 * epsilon, within(1, 2)).complaint, "");
  EXPECT_NE(judged(1 + 3 * epsilon, within(1, 2)).complaint, "");
  EXPECT_NE(judge(full({1}, 1 + epsilon, float64), within(1, 2)).complaint, "");
}

TEST(Judge, WithoutBoundsEveryBitCounts) {
  const Expected third = {full({1}, 1.0 / 3, float64)};
  EXPECT_EQ(judged(1.0 / 3, third).complaint, "") << "rounded to float32";
  EXPECT_NE(judged(std::nextafter(1.0F / 3, 1.0F), third).complaint, "");
  EXPECT_NE(judged(-0.0, {full({1}, 0, float64)}).complaint, "");
  EXPECT_EQ(judged(kNaN, {full({1}, kNaN, float64)}).complaint, "");
}

TEST(Judge, NothingIsNearWhatIsNotFinite) {
  EXPECT_EQ(judged(kInfinity, within(kInfinity, 0)).complaint, "");
  for (const auto& [output, expected] : {std::pair{1.0, kNaN},
                                         {kNaN, 1.0},
                                         {1.0, kInfinity},
                                         {kInfinity, 1.0},
                                         {-kInfinity, kInfinity},
                                         {kNaN, kInfinity}}) {
    EXPECT_EQ(judged(output, within(expected, 1e6)).worst_error, kInfinity) << output << " " << expected;
  }
}

TEST(Judge, ASubnormalResultMayBe0WhereThatIsAllowedAlone) {
  const double subnormal = std::numeric_limits<float>::min() / 4;
  EXPECT_EQ(judged(0, within(subnormal, 0), /*may_flush_to_0=*/true).complaint, "");
  EXPECT_NE(judged(0, within(subnormal, 0)).complaint, "");
  EXPECT_NE(judged(0, within(3 * std::numeric_limits<float>::min(), 0), true).complaint, "");
}

}  // namespace
}  // namespace wick::testing
