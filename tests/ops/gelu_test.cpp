// What gelu's spec cannot say: its two forms, the limits of both, and what it keeps.

#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/gelu.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

// Figures of PyTorch 1.13: torch.nn.functional.gelu(x, approximate=…) in float64.
TEST(Gelu, HasPyTorchsNumbers) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = tensor({-3, -1, -0.5, 0, 0.5, 1, 3}, dtype);
    const double tolerance = 20 * epsilon(dtype);
    expect_values(
        gelu(x), { @TANH @ }, tolerance);
    EXPECT_TRUE(testing::same_bits(gelu(x), gelu(x, GeluForm::tanh)));
    expect_values(
        gelu(x, GeluForm::exact), { @EXACT @ }, tolerance);
  });
}

TEST(Gelu, Limits) {
  on_every_set_and_type([](DType dtype) {
    const double largest =
        dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    for (const GeluForm form : {GeluForm::tanh, GeluForm::exact}) {
      Tensor x = tensor({kInfinity, -kInfinity, kNaN, largest, -largest, 0, -0., 100, -100}, dtype);
      x.set_requires_grad(true);
      const Tensor y = gelu(x, form);
      expect_values(y, {kInfinity, kNaN, kNaN, largest, 0, 0, 0, 100, 0});
      EXPECT_TRUE(std::signbit(y.at({6})));
      EXPECT_FALSE(std::signbit(y.at({5})));
      y.backward(ones({9}, dtype));
      expect_values(x.grad(), {kNaN, kNaN, kNaN, 1, 0, .5, .5, 1, 0}, 2 * epsilon(dtype));
    }
  });
}

// The tail is not 1 less what is nearly 1.
TEST(Gelu, KeepsItsDigitsInTheTail) {
  on_every_set_and_type([](DType dtype) {
    for (const double x : {-4.0, -6.0, -8.0}) {
      const long double exact = x * std::erfc(-x / std::sqrt(2.0L)) / 2;
      const Tensor y = gelu(full({1}, x, dtype), GeluForm::exact);
      EXPECT_NEAR(y.item() / static_cast<double>(exact), 1, (x * x / 2 + 12) * epsilon(dtype)) << x;
    }
  });
}

TEST(Gelu, EmptyShapes) {
  for (const Shape& shape : {Shape{0}, Shape{3, 0, 2}}) {
    Tensor x = zeros(shape);
    x.set_requires_grad(true);
    const Tensor y = gelu(x);
    EXPECT_EQ(y.shape(), shape);
    y.backward(zeros(shape));
    EXPECT_EQ(x.grad().shape(), shape);
  }
}

TEST(Gelu, HasItsGradient) {
  for (const GeluForm form : {GeluForm::tanh, GeluForm::exact}) {
    expect_gradients_everywhere([&](const Inputs& in) { return gelu(in[0], form); }, {normal({5, 7})});
    expect_gradients_everywhere([&](const Inputs& in) { return gelu(transpose(in[0]), form); },
                                {normal({2, 3})});
    expect_gradients_everywhere([&](const Inputs& in) { return gelu(in[0], form); },
                                {tensor({-9, -5, -2.5, 2.5, 5, 9}, float64)});
  }
}

// As many bytes as x has: backward needs no exponential, and x may be written to.
TEST(Gelu, SavesItsDerivativeAlone) {
  Tensor x = normal({3, 4}, float32);
  x.set_requires_grad(true);
  const Tensor y = gelu(x);
  EXPECT_EQ(y.node()->saved_bytes(), 48);
  gelu(x).backward(ones({3, 4}));
  const Tensor gradient = x.grad().clone();
  x.zero_grad();
  x.detach().fill(7);
  y.backward(ones({3, 4}));
  EXPECT_TRUE(testing::same_bits(x.grad(), gradient));
}

TEST(Gelu, TakesNoMemoryForGradientsThatNobodyWants) {
  const Tensor x = normal({1000, 8}, float32);
  EXPECT_EQ(bytes_taken([&] { gelu(x); }), 1000 * 8 * 4);
}

TEST(Gelu, RefusesOtherTypes) {
  EXPECT_EQ(error_of<TypeError>([] { gelu(arange(3)); }), "gelu: x is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([] { gelu({}); }),
            "gelu: x is an undefined tensor, expected float32 or float64");
}

}  // namespace
}  // namespace wick
