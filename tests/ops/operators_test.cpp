#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/operators.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Operators, AreTheOpsElementOnElement) {
  on_every_set_and_type([](DType dtype) {
    const Tensor a = tensor({{1, 2}, {3, 4}}, dtype);
    const Tensor b = tensor({2, 4}, dtype);
    expect_values(a + b, {{3, 6}, {5, 8}});
    expect_values(a - b, {{-1, -2}, {1, 0}});
    expect_values(a * b, {{2, 8}, {6, 16}});
    expect_values(a / b, {{.5, .5}, {1.5, 1}});
    expect_values(-b, {-2, -4});
  });
}

TEST(Operators, TakeANumberOnEitherSide) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = tensor({2, -4}, dtype);
    expect_values(x + 1, {3, -3});
    expect_values(1 + x, {3, -3});
    expect_values(x - 1, {1, -5});
    expect_values(1 - x, {-1, 5});
    expect_values(x * .5F, {1, -2});
    expect_values(3L * x, {6, -12});
    expect_values(x / 4, {.5, -1});
    expect_values(4 / x, {2, -1});
    expect_values(x / 0, {kInfinity, -kInfinity});
    EXPECT_EQ((1 / x).dtype(), dtype);
    EXPECT_EQ((1 - zeros({}, dtype)).shape(), Shape());
    EXPECT_EQ((zeros({2, 0}, dtype) * 2).shape(), Shape({2, 0}));
  });
}

TEST(Operators, ANumberIsRoundedToTheTensorsType) {
  on_every_set([] {
    const Tensor x = tensor({3}, float32);
    EXPECT_EQ((x * .1).item(), 3.0F * .1F);
    EXPECT_EQ((.1 + x).item(), 3.0F + .1F);
    EXPECT_EQ((x - .1).item(), 3.0F - .1F);
    EXPECT_EQ((x / .1).item(), 3.0F / .1F);
    EXPECT_EQ((tensor({3}, float64) * .1).item(), 3.0 * .1);
  });
}

TEST(Operators, DifferentiateBesideNumbers) {
  expect_gradients_everywhere(
      [](const Inputs& in) { return (1.5 - in[0] * 2) / (3 + in[0] / 4) - 1 / (in[0] + 9) + .5 * -in[0]; },
      {normal({2, 3})});
}

TEST(Operators, WholeNumbersStayRefused) {
  const Tensor ids = arange(3);
  EXPECT_EQ(error_of<TypeError>([&] { ids + 1; }),
            "add: the first input is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([&] { 1 - ids; }),
            "subtract: the first input is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([&] { ids * .5; }), "scale: x is int64, expected float32 or float64");
}

}  // namespace
}  // namespace wick
