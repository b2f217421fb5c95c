#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>
#include <wick/models/training/clipping.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

TEST(Clipping, IsPyTorchs) {
  on_every_set([] {
    for (const nlohmann::json cases = training_golden("clipping"); const auto& one : cases) {
      std::vector<Tensor> zero;
      for (const nlohmann::json& gradient : one.at("gradients"))
        zero.push_back(zeros(array_in(gradient).shape(), float64));
      const Parameters module(zero);
      for (std::size_t i = 0; i < zero.size(); ++i) module.add_gradient(i, array_in(one.at("gradients")[i]));
      const double norm = gradient_norm(module.named_parameters());
      EXPECT_NEAR(norm, parsed(one.at("norm")), 1e-14 * norm);
      const double scale = clip_scale(norm, parsed(one.at("max_norm")));
      for (std::size_t i = 0; i < zero.size(); ++i) {
        const Tensor clipped = module[i].grad() * scale;
        EXPECT_TRUE(testing::allclose(clipped, array_in(one.at("clipped")[i]), 1e-14, 0));
      }
    }
  });
}

TEST(Clipping, NeverScalesUp) {
  EXPECT_EQ(clip_scale(0.5, 1), 1);
  EXPECT_EQ(clip_scale(0, 1), 1);
  EXPECT_EQ(clip_scale(1 - 1e-6, 1), 1);
  EXPECT_EQ(clip_scale(1, 1), 1 / (1 + 1e-6));  // the formula's, and PyTorch's
  EXPECT_EQ(clip_scale(3, kInfinity), 1);
  EXPECT_EQ(clip_scale(kInfinity, 1), 0);
  EXPECT_TRUE(std::isnan(clip_scale(kNaN, 1)));
  for (const double wrong : {0.0, -1.0, kNaN}) {
    EXPECT_EQ(error_of<ValueError>([&] { clip_scale(1, wrong); }),
              "clip_scale: max_norm is " + std::to_string(wrong) + ", expected above 0");
  }
}

TEST(Clipping, TakesGradientsTogether) {
  const Parameters module({zeros({2}), zeros({1, 1}), zeros({3})});
  EXPECT_EQ(gradient_norm(module.named_parameters()), 0);
  module.add_gradient(0, tensor({2.0, -1.0}));
  module.add_gradient(1, tensor({{2.0}}));
  EXPECT_EQ(gradient_norm(module.named_parameters()), 3);  // the third has none
  module.add_gradient(2, tensor({0.0, kInfinity, 0.0}));
  EXPECT_EQ(gradient_norm(module.named_parameters()), kInfinity);
  module.add_gradient(0, tensor({kNaN, 0.0}));
  EXPECT_TRUE(std::isnan(gradient_norm(module.named_parameters())));
}

TEST(Clipping, TheSameBitsAtAnyThreadCount) {
  const Parameters module({zeros({500, 401}), zeros({100'003})});
  module.add_gradient(0, normal({500, 401}, float32));
  module.add_gradient(1, normal({100'003}, float32, 2));
  const auto norm = [&](int threads) {
    const ThreadCount count(threads);
    return gradient_norm(module.named_parameters());
  };
  for (const int threads : {2, 3, 4}) EXPECT_EQ(norm(threads), norm(1));
}

}  // namespace
}  // namespace wick
