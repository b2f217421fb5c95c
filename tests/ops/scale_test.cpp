#include <vector>

#include <gtest/gtest.h>

#include <wick/ops/scale.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Scale, IsOneRoundingInEveryLayout) {
  for (const Shape& shape :
       {Shape{}, {0}, {1}, {37}, {3, 4}, {2, 0, 3}, {2, 3, 5}, {1, 2, 1, 2, 1, 2, 1, 3}}) {
    on_every_set_and_type([&](DType dtype) {
      const Tensor x = normal(shape, dtype);
      Array expected(x);
      const double factor = dtype == float32 ? .35355339F : .3535533905932738;
      for (double& value : expected.values) value *= factor;
      const Tensor rounded = from_vector(expected.values, shape).to(dtype);
      for (const Layout& layout : layouts_of(x)) {
        leave_nan(shape, dtype);
        EXPECT_TRUE(testing::same_bits(scale(layout.tensor, .3535533905932738), rounded))
            << to_string(shape) << " " << layout.name;
      }
    });
  }
}

TEST(Scale, FollowsIeee) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = tensor({1, -0., kInfinity, kNaN, 0}, dtype);
    expect_values(scale(x, 0), {0, 0, kNaN, kNaN, 0});
    EXPECT_TRUE(std::signbit(scale(x, 0).at({1})));
    expect_values(scale(x, kInfinity), {kInfinity, kNaN, kInfinity, kNaN, kNaN});
    expect_values(scale(x, -kInfinity), {-kInfinity, kNaN, -kInfinity, kNaN, kNaN});
    expect_values(scale(x, kNaN), {kNaN, kNaN, kNaN, kNaN, kNaN});
  });
}

TEST(Scale, HasItsGradient) {
  for (const Shape& shape : {Shape{}, {0, 2}, {5}, {2, 3}}) {
    expect_gradients_everywhere([](const Inputs& in) { return scale(in[0], -1.7); }, {normal(shape)});
  }
  expect_gradients_everywhere([](const Inputs& in) { return scale(transpose(in[0]), 3); }, {normal({2, 3})});
}

// Differences are too coarse to tell a factor that was rounded to float32 on its way to backward.
TEST(Scale, GradientIsOneRoundingToo) {
  on_every_set_and_type([](DType dtype) {
    Tensor x = normal({37}, dtype, 1);
    x.set_requires_grad(true);
    const Tensor weights = normal({37}, dtype, 2);
    scale(x, 1.0 / 3).backward(weights);
    EXPECT_TRUE(testing::same_bits(x.grad(), scale(weights, 1.0 / 3)));
  });
}

TEST(Scale, SavesNothing) {
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  EXPECT_EQ(scale(x, 2).node()->saved_bytes(), 0);
}

}  // namespace
}  // namespace wick
