// What a GPT is made of, and what it begins with.

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <wick/models/gpt.h>
#include <wick/models/initial.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;
using Words = std::vector<std::string>;

Words names_of(const Module& module) {
  Words names;
  for (const NamedTensor& parameter : module.named_parameters()) names.push_back(parameter.name);
  return names;
}

TEST(Gpt, NamesItsParameters) {
  Words expected{"token_embedding.weight", "position_embedding.weight"};
  Words without_bias = expected;
  for (const std::string block : {"blocks.0.", "blocks.1."}) {
    for (const char* module : {"attention_norm", "attention.query_key_value", "attention.output",
                               "feed_forward_norm", "feed_forward.expand", "feed_forward.contract"}) {
      expected.push_back(block + module + ".weight");
      expected.push_back(block + module + ".bias");
      without_bias.push_back(block + module + ".weight");
    }
  }
  for (const char* name : {"final_norm.weight", "final_norm.bias", "output.weight"}) expected.push_back(name);
  for (const char* name : {"final_norm.weight", "output.weight"}) without_bias.push_back(name);
  EXPECT_EQ(names_of(Gpt(kSmallGpt, {}, *default_rng(1))), expected);
  GptConfig config = kSmallGpt;
  config.bias = false;
  EXPECT_EQ(names_of(Gpt(config, {}, *default_rng(1))), without_bias);
}

TEST(Gpt, HasTheShapesOfGpt2) {
  const Gpt gpt({.vocab_size = 24, .block_size = 16, .n_layer = 1, .n_head = 2, .n_embd = 8}, {},
                *default_rng(1));
  const std::vector<std::pair<std::string, Shape>> expected{
      {"token_embedding.weight", {24, 8}},
      {"position_embedding.weight", {16, 8}},
      {"blocks.0.attention.query_key_value.weight", {8, 24}},
      {"blocks.0.attention.query_key_value.bias", {24}},
      {"blocks.0.attention.output.weight", {8, 8}},
      {"blocks.0.feed_forward.expand.weight", {8, 32}},
      {"blocks.0.feed_forward.contract.weight", {32, 8}},
      {"final_norm.weight", {8}},
      {"output.weight", {8, 24}}};
  for (const auto& [name, shape] : expected) EXPECT_EQ(gpt.parameter(name).shape(), shape) << name;
}

TEST(Gpt, OfTheCourseHas207232Numbers) {
  const Gpt gpt({.vocab_size = 24, .block_size = 64, .n_layer = 4, .n_head = 4, .n_embd = 64}, {},
                *default_rng(1));
  // Embeddings, four blocks (norms, packed projection, output, expand, contract), last norm, output.
  constexpr std::int64_t C = 64;
  constexpr std::int64_t block =
      4 * C + (C * 3 * C + 3 * C) + (C * C + C) + (C * 4 * C + 4 * C) + (4 * C * C + C);
  constexpr std::int64_t count = (24 + 64) * C + 4 * block + 2 * C + C * 24;
  EXPECT_EQ(count, 207232);
  EXPECT_EQ(gpt.parameter_count(), count);
  EXPECT_EQ(gpt.byte_count(), 4 * count);
}

// In the order of the members, each by its own scale.
TEST(Gpt, DrawsWhatGpt2Draws) {
  for (const DType dtype : {float32, float64}) {
    const Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(9));
    const std::unique_ptr<Rng> rng = default_rng(9);
    for (const NamedTensor& parameter : gpt.named_parameters()) {
      const Shape& shape = parameter.tensor.shape();
      const bool is_norm = parameter.name.find("norm.") != std::string::npos;
      const bool is_residual = parameter.name.ends_with("attention.output.weight") ||
                               parameter.name.ends_with("feed_forward.contract.weight");
      if (shape.rank() == 2) {
        EXPECT_TRUE(same_bits(parameter.tensor,
                              scaled_normal(shape, is_residual ? 0.02 / std::sqrt(4.0) : 0.02, dtype, *rng)))
            << parameter.name;
      } else {
        const bool is_gain = is_norm && parameter.name.ends_with("weight");
        EXPECT_TRUE(same_bits(parameter.tensor, full(shape, is_gain ? 1 : 0, dtype))) << parameter.name;
      }
    }
  }
}

double deviation(const Tensor& x) {
  double squares = 0;
  for (const double value : x.to_vector<double>()) squares += value * value;
  return std::sqrt(squares / static_cast<double>(x.numel()));
}

TEST(Gpt, TheSpreadOfItsWeightsIsGpt2s) {
  const Gpt gpt({.vocab_size = 24, .block_size = 64, .n_layer = 8, .n_head = 4, .n_embd = 64}, {},
                *default_rng(1));
  EXPECT_NEAR(deviation(gpt.parameter("position_embedding.weight")), 0.02, 0.001);
  EXPECT_NEAR(deviation(gpt.parameter("blocks.3.attention.query_key_value.weight")), 0.02, 0.0005);
  EXPECT_NEAR(deviation(gpt.parameter("blocks.3.attention.output.weight")), 0.005, 0.0002);
  EXPECT_NEAR(deviation(gpt.parameter("blocks.7.feed_forward.contract.weight")), 0.005, 0.0002);
  // So untrained it knows nothing: every id is about as likely as any other.
  const Tensor ids = some_ids({4, 64}, 24);
  EXPECT_NEAR(gpt.loss(ids, some_ids({4, 64}, 24, 5)).item(), std::log(24), 0.05);
}

}  // namespace
}  // namespace wick
