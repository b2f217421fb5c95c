#include <limits>

#include <gtest/gtest.h>

#include <wick/tools/loss_files.h>

namespace wick::tools {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(LossCsv, HasALineForEachStep) {
  EXPECT_EQ(loss_csv({}), "step,train_loss,val_loss\n");
  EXPECT_EQ(loss_csv({{1, 3.1780538558959961, {}}, {2, 2.5, 2.4375000001}, {3, 1e-5F, {}}}),
            "step,train_loss,val_loss\n1,3.1780539,\n2,2.5,2.4375000001\n3,1e-05,\n");
}

TEST(LossSvg, DrawsBothCurvesAndSaysWhereTheyEnd) {
  const std::string svg = loss_svg({{1, 3.2, {}}, {2, 2.5, 2.75}, {3, 1.5, {}}});
  EXPECT_EQ(count_of(svg, "<polyline"), 2U);
  EXPECT_EQ(count_of(svg, "<circle"), 1U);
  EXPECT_NE(svg.find(">training, at step 3: 1.5000<"), std::string::npos);
  EXPECT_NE(svg.find(">validation, at step 2: 2.7500<"), std::string::npos);
  // The highest loss is a twentieth below the top of the axes, 3.2 / 3.36 of their height.
  EXPECT_NE(svg.find("points=\"301.3,63.0 "), std::string::npos) << svg;
}

TEST(LossSvg, DrawsWhatThereIs) {
  EXPECT_EQ(count_of(loss_svg({}), "<polyline"), 0U);
  EXPECT_EQ(count_of(loss_svg({{1, 3.2, {}}}), "<polyline"), 1U);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(loss_svg({{1, 3.2, {}}, {2, none, none}}).find("nan"), std::string::npos);
  EXPECT_EQ(loss_svg({{1, 0, 0.0}}).find("nan"), std::string::npos);
}

TEST(LossSvg, ALongRunIsNoLargerPicture) {
  std::vector<StepLosses> losses;
  for (std::int64_t step = 1; step <= 100000; ++step) losses.push_back({step, step == 54321 ? 7.0 : 1.0, {}});
  const std::string svg = loss_svg(losses);
  EXPECT_LT(svg.size(), 40000U);
  EXPECT_NE(svg.find(",63.0 "), std::string::npos);  // the one that stands out is there
}

}  // namespace
}  // namespace wick::tools
