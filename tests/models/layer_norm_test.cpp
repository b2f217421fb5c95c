#include <cmath>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/layer_norm.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;

// Each row by itself, in float64.
Array expected_norm(const LayerNorm& norm, const Tensor& x, double epsilon, bool bias) {
  Array y(x);
  const std::vector<double> gain = norm.parameter("weight").to_vector<double>();
  const std::vector<double> shift = bias ? norm.parameter("bias").to_vector<double>() : std::vector<double>();
  const std::size_t C = gain.size();
  for (std::size_t row = 0; row < y.values.size(); row += C) {
    double mean = 0;
    for (std::size_t c = 0; c < C; ++c) mean += y.values[row + c] / static_cast<double>(C);
    double variance = 0;
    for (std::size_t c = 0; c < C; ++c) {
      variance += (y.values[row + c] - mean) * (y.values[row + c] - mean) / static_cast<double>(C);
    }
    for (std::size_t c = 0; c < C; ++c) {
      double& value = y.values[row + c];
      value = (value - mean) / std::sqrt(variance + epsilon) * gain[c] + (bias ? shift[c] : 0);
    }
  }
  return y;
}

TEST(LayerNorm, ScalesAndShiftsWhatHasMean0AndVariance1) {
  on_every_set_and_type([](DType dtype) {
    for (const bool bias : {false, true}) {
      for (const double epsilon : {1e-5, 0.5}) {
        LayerNorm norm(19, {.bias = bias, .epsilon = epsilon, .dtype = dtype});
        randomize(norm);
        const Tensor x = normal({2, 5, 19}, dtype);
        const Array expected = expected_norm(norm, x, epsilon, bias);
        expect_near(norm.forward(x), expected, [&](std::size_t) { return dtype == float64 ? 1e-13 : 1e-5; });
      }
    }
  });
}

TEST(LayerNorm, StartsAtOneAndZero) {
  const LayerNorm norm(7);
  EXPECT_TRUE(same_bits(norm.parameter("weight"), ones({7})));
  EXPECT_TRUE(same_bits(norm.parameter("bias"), zeros({7})));
  EXPECT_EQ(LayerNorm(7, {.bias = false}).named_parameters().size(), 1u);
}

TEST(LayerNorm, PrintsItself) {
  EXPECT_EQ(to_string(LayerNorm(64)),
            "norm: LayerNorm(64), 128 numbers, 512 bytes\n"
            "  weight: (64,) float32\n"
            "  bias: (64,) float32\n");
  EXPECT_EQ(to_string(LayerNorm(3, {.bias = false, .dtype = float64, .name = "final_norm"})),
            "final_norm: LayerNorm(3, no bias), 3 numbers, 24 bytes\n"
            "  weight: (3,) float64\n");
}

TEST(LayerNorm, RefusesWhatDoesNotFit) {
  const LayerNorm norm(8);
  EXPECT_EQ(error_of<ShapeError>([&] {
              norm.forward(zeros({2, 3, 9}));
            }),
            "norm: x is (2, 3, 9), expected (..., C=8): dimension 2 (C) is 9, not 8");
  EXPECT_EQ(error_of<ValueError>([] { LayerNorm(0); }), "LayerNorm: n_embd is 0, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([] { LayerNorm(2, {.dtype = int64}); }),
            "set_requires_grad: a tensor of int64 has no gradient");
}

}  // namespace
}  // namespace wick
