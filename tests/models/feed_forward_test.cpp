#include <cmath>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/feed_forward.h>
#include <wick/models/initial.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;

// GPT-2's approximation, as its paper has it.
double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

// rows @ weight + bias, in float64.
std::vector<double> projected(const std::vector<double>& rows, const Module& module, const std::string& name,
                              bool bias) {
  const Tensor weight = module.parameter(name + ".weight");
  const auto in = static_cast<std::size_t>(weight.size(0));
  const auto out = static_cast<std::size_t>(weight.size(1));
  const std::vector<double> w = weight.to_vector<double>();
  std::vector<double> result;
  for (std::size_t row = 0; row < rows.size(); row += in) {
    for (std::size_t o = 0; o < out; ++o) {
      double sum = bias ? module.parameter(name + ".bias").at({static_cast<std::int64_t>(o)}) : 0;
      for (std::size_t i = 0; i < in; ++i) sum += rows[row + i] * w[i * out + o];
      result.push_back(sum);
    }
  }
  return result;
}

TEST(FeedForward, WidensBendsAndContracts) {
  on_every_set_and_type([](DType dtype) {
    for (const bool bias : {false, true}) {
      FeedForward feed_forward(6, {.bias = bias, .dtype = dtype}, *default_rng(1));
      randomize(feed_forward);
      const Tensor x = normal({2, 3, 6}, dtype);
      std::vector<double> wide = projected(x.to_vector<double>(), feed_forward, "expand", bias);
      for (double& value : wide) value = gelu_tanh(value);
      Array expected(x);
      expected.values = projected(wide, feed_forward, "contract", bias);
      expect_near(feed_forward.forward(x), expected,
                  [&](std::size_t) { return dtype == float64 ? 1e-13 : 2e-5; });
    }
  });
}

TEST(FeedForward, DrawsExpandThenContract) {
  const FeedForward feed_forward(5, {.weight_scale = 0.5, .contract_scale = 0.25}, *default_rng(4));
  const std::unique_ptr<Rng> rng = default_rng(4);
  EXPECT_TRUE(same_bits(feed_forward.parameter("expand.weight"), scaled_normal({5, 20}, 0.5, float32, *rng)));
  EXPECT_TRUE(
      same_bits(feed_forward.parameter("contract.weight"), scaled_normal({20, 5}, 0.25, float32, *rng)));
}

TEST(FeedForward, PrintsItsTree) {
  EXPECT_EQ(to_string(FeedForward(4, {.bias = false, .dropout = {.rate = 0.5}}, *default_rng(1))),
            "feed_forward: FeedForward(4 -> 16 -> 4), 128 numbers, 512 bytes\n"
            "  expand: Linear(4 -> 16, no bias), 64 numbers, 256 bytes\n"
            "    weight: (4, 16) float32\n"
            "  contract: Linear(16 -> 4, no bias), 64 numbers, 256 bytes\n"
            "    weight: (16, 4) float32\n"
            "  dropout: Dropout(0.5)\n");
}

TEST(FeedForward, RefusesWhatDoesNotFit) {
  const FeedForward feed_forward(4, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              feed_forward.forward(zeros({2, 3, 5}));
            }),
            "feed_forward: x is (2, 3, 5), expected (..., T, C=4): dimension 2 (C) is 5, not 4");
  EXPECT_EQ(error_of<ValueError>([] { FeedForward(0, {}, *default_rng(1)); }),
            "FeedForward: n_embd is 0, expected 1 or more");
}

}  // namespace
}  // namespace wick
