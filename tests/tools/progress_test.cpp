#include <gtest/gtest.h>

#include <wick/tools/progress.h>

namespace wick::tools {
namespace {

const Standing kMiddle{
    .step = 300, .steps = 600, .loss = 0.84123, .tokens_a_second = 48211.4, .seconds_left = 9.2};

TEST(StandingLine, ShowsAllWhereThereIsRoom) {
  EXPECT_EQ(standing_line(kMiddle, 79),
            "step 300/600 [============>            ] loss 0.8412  0:10 left  48211 tokens/s");
  EXPECT_EQ(standing_line(kMiddle, 500),
            "step 300/600 [===================>                  ] loss 0.8412  0:10 left  48211 tokens/s");
}

TEST(StandingLine, LeavesOutTheLeastImportantFirst) {
  EXPECT_EQ(standing_line(kMiddle, 51), "step 300/600 loss 0.8412  0:10 left  48211 tokens/s");
  EXPECT_EQ(standing_line(kMiddle, 50), "step 300/600 [======>     ] loss 0.8412  0:10 left");
  EXPECT_EQ(standing_line(kMiddle, 35), "step 300/600 loss 0.8412  0:10 left");
  EXPECT_EQ(standing_line(kMiddle, 34), "step 300/600 loss 0.8412");
  EXPECT_EQ(standing_line(kMiddle, 24), "step 300/600 loss 0.8412");
  EXPECT_EQ(standing_line(kMiddle, 23), "step 300/600 [====>   ]");
  EXPECT_EQ(standing_line(kMiddle, 12), "step 300/600");
  EXPECT_EQ(standing_line(kMiddle, 11), "300");
  EXPECT_EQ(standing_line(kMiddle, 2), "");
}

TEST(StandingLine, IsNeverWiderThanItMayBe) {
  for (const std::int64_t step : {std::int64_t{1}, std::int64_t{599}, std::int64_t{600}}) {
    for (std::size_t width = 0; width <= 120; ++width) {
      Standing standing = kMiddle;
      standing.step = step;
      EXPECT_LE(standing_line(standing, width).size(), width);
    }
  }
}

TEST(StandingLine, TheBarIsFullAtTheEnd) {
  Standing end = kMiddle;
  end.step = 600;
  EXPECT_EQ(standing_line(end, 23), "step 600/600 [========]");
}

TEST(Duration, IsRoundedUpToSeconds) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(0.1), "0:01");
  EXPECT_EQ(duration_text(59.5), "1:00");
  EXPECT_EQ(duration_text(3599), "59:59");
  EXPECT_EQ(duration_text(3600), "1:00:00");
  EXPECT_EQ(duration_text(1e30), "99:59:59");
}

}  // namespace
}  // namespace wick::tools
