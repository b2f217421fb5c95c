#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/training/schedule.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

TEST(Schedule, RisesThenFalls) {
  const Schedule schedule{.peak = 2, .warmup = 4, .steps = 12, .floor = 0.1};
  EXPECT_EQ(schedule.rate(1), 0.5);
  EXPECT_EQ(schedule.rate(2), 1);
  EXPECT_EQ(schedule.rate(3), 1.5);
  EXPECT_EQ(schedule.rate(4), 2);
  EXPECT_NEAR(schedule.rate(6), 2 * (0.1 + 0.9 * (1 + std::sqrt(0.5)) / 2), 1e-15);  // cos(pi / 4)
  EXPECT_NEAR(schedule.rate(8), 2 * 0.55, 1e-15);                                    // halfway down
  EXPECT_NEAR(schedule.rate(10), 2 * (0.1 + 0.9 * (1 - std::sqrt(0.5)) / 2), 1e-15);
  EXPECT_EQ(schedule.rate(12), 0.2);
  EXPECT_EQ(schedule.rate(13), 0.2);
  EXPECT_EQ(schedule.rate(1'000'000), 0.2);
  for (std::int64_t step = 5; step < 12; ++step)
    EXPECT_LT(schedule.rate(step), schedule.rate(step - 1)) << step;
}

TEST(Schedule, WithoutWarmupStartsToFall) {
  const Schedule schedule{.peak = 1, .warmup = 0, .steps = 4, .floor = 0};
  EXPECT_NEAR(schedule.rate(1), (1 + std::sqrt(0.5)) / 2, 1e-15);
  EXPECT_NEAR(schedule.rate(2), 0.5, 1e-15);
  EXPECT_EQ(schedule.rate(4), 0);
}

TEST(Schedule, AWarmupAsLongAsTheRunOnlyRises) {
  for (const std::int64_t warmup : {3, 5}) {
    const Schedule schedule{.peak = 3, .warmup = warmup, .steps = 3, .floor = 0.5};
    for (std::int64_t step = 1; step <= 3; ++step) {
      EXPECT_DOUBLE_EQ(schedule.rate(step), 3.0 * static_cast<double>(step) / static_cast<double>(warmup));
    }
  }
  EXPECT_EQ((Schedule{.peak = 3, .warmup = 3, .steps = 3}).rate(3), 3);
}

TEST(Schedule, OfOneStep) { EXPECT_EQ((Schedule{.peak = 3, .warmup = 0, .steps = 1}).rate(1), 3 * 0.1); }

TEST(Schedule, RefusesNumbersThatCannotBe) {
  const auto refusal = [](const Schedule& schedule) {
    return error_of<ValueError>([&] { schedule.validate(); });
  };
  EXPECT_EQ(refusal({}), "no error");
  EXPECT_EQ(refusal({.peak = -1}), "the learning rate is -1.000000, expected a finite number of 0 or more");
  EXPECT_EQ(refusal({.peak = kInfinity}), "the learning rate is inf, expected a finite number of 0 or more");
  EXPECT_EQ(refusal({.peak = kNaN}), "the learning rate is nan, expected a finite number of 0 or more");
  EXPECT_EQ(refusal({.warmup = -1}), "the warm-up is -1 steps, expected 0 or more");
  EXPECT_EQ(refusal({.steps = -1}), "the run is -1 steps, expected 0 or more");
  EXPECT_EQ(refusal({.floor = 1.5}), "the floor is 1.500000 of the learning rate, expected [0, 1]");
  EXPECT_EQ(refusal({.floor = kNaN}), "the floor is nan of the learning rate, expected [0, 1]");
  EXPECT_EQ(error_of<ValueError>([] { Schedule{}.rate(0); }), "the step is 0, expected 1 or more");
}

}  // namespace
}  // namespace wick
