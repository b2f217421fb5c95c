#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/dropout.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

std::shared_ptr<Rng> stream(std::uint64_t seed) { return default_rng(seed); }

TEST(Dropout, DropsByTheStreamInTraining) {
  for (const DType dtype : {float32, float64}) {
    const Dropout drop({.rate = 0.25, .rng = stream(8)});
    const Tensor x = normal({3, 40}, dtype);
    const Tensor y = drop.forward(x);
    const std::unique_ptr<Rng> rng = default_rng(8);
    Array expected(x);
    for (double& value : expected.values) value = rng->random() < 0.25 ? 0 : value / 0.75;
    expect_near(y, expected, [&](std::size_t) { return 10 * epsilon(dtype); });
  }
}

TEST(Dropout, LeavesAllAsItIsInEvaluationAndAtRate0) {
  const std::shared_ptr<Rng> rng = stream(8);
  const Tensor x = normal({3, 4});
  Dropout drop({.rate = 0.25, .rng = rng});
  drop.eval();
  EXPECT_TRUE(drop.forward(x).is_same(x));
  EXPECT_TRUE(Dropout({.rate = 0, .rng = rng}).forward(x).is_same(x));
  EXPECT_TRUE(Dropout({}).forward(x).is_same(x));
  EXPECT_EQ(rng->random(), default_rng(8)->random()) << "nothing was drawn";
  drop.train();
  EXPECT_FALSE(drop.forward(x).is_same(x));
}

TEST(Dropout, NeedsAStreamToTrainWith) {
  Dropout drop({.rate = 0.25});
  EXPECT_EQ(error_of<ValueError>([&] { drop.forward(zeros({2})); }),
            "dropout: there is no stream to draw from: training with dropout needs one, evaluation none");
  drop.eval();
  EXPECT_NO_THROW(drop.forward(zeros({2})));
}

TEST(Dropout, RefusesARateThatIsNone) {
  EXPECT_EQ(error_of<ValueError>([] { Dropout({.rate = 1}); }),
            "Dropout: rate is 1.0, expected 0 or more and less than 1");
  EXPECT_EQ(error_of<ValueError>([] { Dropout({.rate = -0.5}); }),
            "Dropout: rate is -0.5, expected 0 or more and less than 1");
  EXPECT_EQ(error_of<ValueError>([] { Dropout({.rate = kNaN}); }),
            "Dropout: rate is nan, expected 0 or more and less than 1");
}

TEST(Dropout, PrintsItself) { EXPECT_EQ(to_string(Dropout({.rate = 0.1})), "dropout: Dropout(0.1)\n"); }

}  // namespace
}  // namespace wick
