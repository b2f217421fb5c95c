#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/ops.h>
#include <wick/ops/testing/broken_gradient.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/tests/framework/errors.h>

namespace wick::testing {
namespace {

Tensor normal(const Shape& shape, std::uint64_t seed = 1) {
  return default_rng(seed)->standard_normal(shape, float64);
}

TEST(Gradcheck, PassesARightGradient) {
  const GradcheckResult result =
      gradcheck([](const Inputs& inputs) { return matmul(softmax(inputs[0]), inputs[1]); },
                {normal({3, 4}), normal({4, 2}, 2)});
  EXPECT_TRUE(result.passed);
  EXPECT_LT(result.worst_error, 1e-8);
  EXPECT_GT(result.worst_error, 0);
}

// The output's sum would not tell: it is 1 for every row, whatever backward does.
TEST(Gradcheck, SeesASoftmaxWhoseBackwardIsWrong) {
  for (const Break kind : kBreaks) {
    const GradcheckResult result =
        gradcheck([&](const Inputs& inputs) { return softmax(with_broken_gradient(inputs[0], kind)); },
                  {normal({2, 5})});
    EXPECT_FALSE(result.passed) << description(kind);
  }
}

TEST(Gradcheck, NamesTheWorstElement) {
  const auto wrong = [](const Inputs& inputs) {
    return mul(inputs[0], with_broken_gradient(inputs[1], Break::one_element));
  };
  const GradcheckResult result = gradcheck(wrong, {ones({2, 3}, float64), ones({2, 3}, float64)});
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.input, 1u);
  EXPECT_EQ(result.position, Dimensions({1, 2}));
  EXPECT_NEAR(result.from_backward - result.from_differences, 1e-4, 1e-9);
  EXPECT_EQ(to_string(result).substr(0, 34), "input 1 at (1, 2): backward gives ");
}

TEST(Gradcheck, HoldsToItsTolerance) {
  const auto off = [](const Inputs& inputs) { return with_broken_gradient(inputs[0], Break::one_element); };
  EXPECT_FALSE(gradcheck(off, {normal({4})}, {.tolerance = 0.9e-4}).passed);
  EXPECT_TRUE(gradcheck(off, {normal({4})}, {.tolerance = 1.1e-4}).passed);
}

TEST(Gradcheck, RefusesFloat32) {
  EXPECT_EQ(error_of<TypeError>([] {
              gradcheck([](const Inputs& inputs) { return scale(inputs[1], 2); }, {arange(3), ones({2})});
            }),
            "gradcheck: input 1 is float32, in which finite differences tell nothing; give float64");
}

TEST(Gradcheck, LeavesOutWhatHasNoGradient) {
  const GradcheckResult result =
      gradcheck([](const Inputs& inputs) { return embedding(inputs[0], inputs[1]); },
                {normal({4, 3}), tensor({1, 1, 3})});
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.input, 0u);
}

TEST(Gradcheck, TakesTheGradientOfAnUnusedInputForZero) {
  EXPECT_TRUE(
      gradcheck([](const Inputs& inputs) { return scale(inputs[0], 2); }, {normal({2}), normal({3})}).passed);
  const auto detached = [](const Inputs& inputs) { return scale(inputs[0].detach(), 2); };
  EXPECT_FALSE(gradcheck(detached, {normal({2})}).passed) << "a graph that was cut";
}

TEST(Gradcheck, TakesNaNForWrong) {
  const auto function = [](const Inputs& inputs) { return divide(inputs[0], inputs[0]); };
  EXPECT_FALSE(gradcheck(function, {tensor({1, 0}, float64)}).passed);
}

TEST(Gradcheck, TakesViewsAndLeavesTheInputsAlone) {
  const Tensor x = normal({3, 4});
  const Tensor copy = x.clone();
  const Tensor view = x.strided_view({4, 3}, {1, 4});
  EXPECT_TRUE(gradcheck([](const Inputs& inputs) { return transpose(inputs[0]); }, {view}).passed);
  EXPECT_EQ(x.to_vector<double>(), copy.to_vector<double>());
  EXPECT_FALSE(view.requires_grad());
  EXPECT_TRUE(grad_enabled());
}

TEST(Gradcheck, OfNothing) {
  const GradcheckResult result =
      gradcheck([](const Inputs& inputs) { return softmax(inputs[0]); }, {normal({10, 0})});
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.worst_error, 0);
}

}  // namespace
}  // namespace wick::testing
