#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/observer.h>
#include <wick/framework/safetensors.h>
#include <wick/models/gpt.h>
#include <wick/ops/layer_norm.h>
#include <wick/ops/ops.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Gpt, IsItsModulesOneAfterTheOther) {
  on_every_set_and_type([](DType dtype) {
    Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1));
    randomize(gpt);
    const Tensor ids = some_ids({2, 7});
    Tensor x = embedding(gpt.parameter("token_embedding.weight"), ids) +
               slice(gpt.parameter("position_embedding.weight"), 0, 0, 7);
    x = gpt.blocks()[1].forward(gpt.blocks()[0].forward(x));
    x = layer_norm(x, gpt.parameter("final_norm.weight"), gpt.parameter("final_norm.bias"));
    EXPECT_TRUE(same_bits(gpt.forward(ids), matmul(x, gpt.parameter("output.weight"))));
  });
}

TEST(Gpt, ABatchOfOneAnswersAsItsPlaceInABatchOfSixteen) {
  on_every_set_and_type([](DType dtype) {
    Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1));
    randomize(gpt);
    for (const std::int64_t T : {1, 5, 12}) {
      const Tensor ids = some_ids({16, T});
      const Tensor all = gpt.forward(ids);
      for (std::int64_t b = 0; b < 16; ++b) {
        ASSERT_TRUE(same_bits(gpt.forward(slice(ids, 0, b, b + 1)), slice(all, 0, b, b + 1)))
            << T << " " << b;
      }
    }
  });
}

TEST(Gpt, APositionDoesNotKnowWhatComesLater) {
  on_every_set_and_type([](DType dtype) {
    Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1));
    randomize(gpt);
    const Tensor ids = some_ids({1, 12});
    const Tensor logits = gpt.forward(ids);
    for (const std::int64_t T : {1, 4, 11}) {
      EXPECT_TRUE(same_bits(gpt.forward(slice(ids, 1, 0, T)), slice(logits, 1, 0, T))) << T;
    }
  });
}

TEST(Gpt, TellsEveryHeadsWeights) {
  Gpt gpt(kSmallGpt, {}, *default_rng(1));
  randomize(gpt);
  Trace trace;
  const Tensor logits = gpt.forward(some_ids({2, 7}));
  EXPECT_EQ(trace["gpt.embedded"].shape(), (Shape{2, 7, 15}));
  EXPECT_EQ(trace["gpt.blocks.1.attention.heads.2.weights"].shape(), (Shape{2, 7, 7}));
  EXPECT_EQ(trace["gpt.blocks.1.out"].shape(), (Shape{2, 7, 15}));
  EXPECT_TRUE(same_bits(trace["gpt.logits"], logits));
}

TEST(Gpt, ItsLossIsTheMeanOverAllPositions) {
  on_every_set_and_type([](DType dtype) {
    Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1));
    randomize(gpt);
    const Tensor ids = some_ids({3, 7});
    const Tensor targets = some_ids({3, 7}, kSmallGpt.vocab_size, 5);
    const std::vector<double> logits = gpt.forward(ids).to_vector<double>();
    const std::vector<std::int64_t> answers = targets.to_vector<std::int64_t>();
    double expected = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      double total = 0;
      for (std::size_t v = 0; v < 11; ++v) total += std::exp(logits[11 * i + v]);
      expected += (std::log(total) - logits[11 * i + static_cast<std::size_t>(answers[i])]) / 21;
    }
    EXPECT_NEAR(gpt.loss(ids, targets).item(), expected, dtype == float64 ? 1e-13 : 1e-5);
  });
}

TEST(Gpt, DropsInTrainingOnly) {
  GptConfig config = kSmallGpt;
  config.dropout = 0.2;
  const auto make = [&] { return Gpt(config, {.dropout_rng = default_rng(5)}, *default_rng(1)); };
  Gpt gpt = make();
  randomize(gpt);
  const Tensor ids = some_ids({2, 9});
  const Tensor first = gpt.forward(ids);
  EXPECT_FALSE(same_bits(first, gpt.forward(ids))) << "each call draws anew";
  Gpt again = make();
  randomize(again);
  EXPECT_TRUE(same_bits(first, again.forward(ids))) << "from a stream that can be replayed";

  gpt.eval();
  Gpt plain(kSmallGpt, {}, *default_rng(1));
  randomize(plain);
  EXPECT_TRUE(same_bits(gpt.forward(ids), plain.forward(ids)));

  const Gpt without_stream(config, {}, *default_rng(1));
  EXPECT_EQ(error_of<ValueError>([&] { without_stream.forward(ids); }),
            "gpt.dropout: there is no stream to draw from: training with dropout needs one, evaluation none");
}

TEST(Gpt, DropsBehindTheEmbeddingsToo) {
  GptConfig config = kSmallGpt;
  config.dropout = 0.5;
  const Gpt gpt(config, {.dropout_rng = default_rng(5)}, *default_rng(1));
  Trace trace;
  gpt.forward(some_ids({2, 9}));
  const std::vector<double> embedded = trace["gpt.embedded"].to_vector<double>();
  const auto zeros = std::ranges::count(embedded, 0.0);
  EXPECT_GT(zeros, 90);  // of 270
  EXPECT_LT(zeros, 180);
}

TEST(Gpt, GoesThroughAFile) {
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) / "wick_gpt_test.safetensors";
  for (const DType dtype : {float32, float64}) {
    Gpt gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1));
    randomize(gpt);
    save_safetensors(path, gpt.state());
    Gpt read(kSmallGpt, {.dtype = dtype}, *default_rng(2));
    read.load_state(load_safetensors(path).tensors);
    const Tensor ids = some_ids({2, 9});
    EXPECT_TRUE(same_bits(read.forward(ids), gpt.forward(ids)));
  }
  std::filesystem::remove(path);
}

TEST(Gpt, RefusesAStateOfOtherSizesWhole) {
  Gpt gpt({.vocab_size = 5, .block_size = 4, .n_layer = 1, .n_head = 1, .n_embd = 2}, {}, *default_rng(1));
  const Gpt other({.vocab_size = 5, .block_size = 8, .n_layer = 1, .n_head = 1, .n_embd = 2, .bias = false},
                  {}, *default_rng(2));
  const Tensor before = gpt.parameter("token_embedding.weight").clone();
  EXPECT_EQ(error_of<ValueError>([&] { gpt.load_state(other.state()); }),
            "gpt: the state does not fit: position_embedding.weight: file (8, 2), model (4, 2); "
            "blocks.0.attention_norm.bias: not in the file, model (2,); "
            "blocks.0.attention.query_key_value.bias: not in the file, model (6,); "
            "blocks.0.attention.output.bias: not in the file, model (2,); "
            "blocks.0.feed_forward_norm.bias: not in the file, model (2,); "
            "blocks.0.feed_forward.expand.bias: not in the file, model (8,); "
            "blocks.0.feed_forward.contract.bias: not in the file, model (2,); "
            "final_norm.bias: not in the file, model (2,)");
  EXPECT_TRUE(same_bits(gpt.parameter("token_embedding.weight"), before));
}

TEST(Gpt, PrintsItsTree) {
  EXPECT_EQ(
      to_string(Gpt({.vocab_size = 5, .block_size = 4, .n_layer = 1, .n_head = 1, .n_embd = 2, .bias = false},
                    {}, *default_rng(1))),
      "gpt: Gpt(5 ids, block_size 4, 1 block of 1 head, 2 wide), 82 numbers, 328 bytes\n"
      "  token_embedding: Embedding(5 ids, 2 wide), 10 numbers, 40 bytes\n"
      "    weight: (5, 2) float32\n"
      "  position_embedding: Embedding(4 ids, 2 wide), 8 numbers, 32 bytes\n"
      "    weight: (4, 2) float32\n"
      "  dropout: Dropout(0.0)\n"
      "  blocks: list of 1, 52 numbers, 208 bytes\n"
      "    0: Block(2), 52 numbers, 208 bytes\n"
      "      attention_norm: LayerNorm(2, no bias), 2 numbers, 8 bytes\n"
      "        weight: (2,) float32\n"
      "      attention: MultiHead(2, 1 head of 2, causal), 16 numbers, 64 bytes\n"
      "        query_key_value: Linear(2 -> 6, no bias), 12 numbers, 48 bytes\n"
      "          weight: (2, 6) float32\n"
      "        heads: list of 1\n"
      "          0: HeadView(2 -> 2, columns from 0, causal)\n"
      "        output: Linear(2 -> 2, no bias), 4 numbers, 16 bytes\n"
      "          weight: (2, 2) float32\n"
      "        dropout: Dropout(0.0)\n"
      "      feed_forward_norm: LayerNorm(2, no bias), 2 numbers, 8 bytes\n"
      "        weight: (2,) float32\n"
      "      feed_forward: FeedForward(2 -> 8 -> 2), 32 numbers, 128 bytes\n"
      "        expand: Linear(2 -> 8, no bias), 16 numbers, 64 bytes\n"
      "          weight: (2, 8) float32\n"
      "        contract: Linear(8 -> 2, no bias), 16 numbers, 64 bytes\n"
      "          weight: (8, 2) float32\n"
      "        dropout: Dropout(0.0)\n"
      "  final_norm: LayerNorm(2, no bias), 2 numbers, 8 bytes\n"
      "    weight: (2,) float32\n"
      "  output: Linear(2 -> 5, no bias), 10 numbers, 40 bytes\n"
      "    weight: (2, 5) float32\n");
}

TEST(Gpt, ATextLongerThanItsWindowNamesBoth) {
  const Gpt gpt({.vocab_size = 24, .block_size = 64, .n_layer = 1, .n_head = 2, .n_embd = 8}, {},
                *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.forward(zeros({2, 80}, int64));
            }),
            "gpt: ids is (2, 80): T=80 is beyond block_size=64");
  EXPECT_EQ(gpt.forward(zeros({1, 64}, int64)).shape(), (Shape{1, 64, 24}));
}

TEST(Gpt, RefusesWhatDoesNotFit) {
  const Gpt gpt(kSmallGpt, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] { gpt.forward(zeros({7}, int64)); }),
            "gpt: ids is (7,), expected (B, T): rank 1, not 2");
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.loss(zeros({2, 7}, int64), zeros({2, 6}, int64));
            }),
            "gpt: targets is (2, 6), expected (B=2, T=7): dimension 1 (T) is 6, not 7");
  EXPECT_EQ(error_of<IndexError>([&] {
              gpt.forward(tensor({{0, 1}, {10, 11}}));
            }),
            "gpt.token_embedding: embedding: the id at position (1, 1) is 11, outside [0, 11)");
  EXPECT_THROW(gpt.forward(zeros({2, 7})), TypeError);
  EXPECT_EQ(gpt.forward(zeros({0, 7}, int64)).shape(), (Shape{0, 7, 11}));
  EXPECT_EQ(gpt.forward(zeros({2, 0}, int64)).shape(), (Shape{2, 0, 11}));
}

TEST(Gpt, RefusesSizesThatCannotBe) {
  const std::unique_ptr<Rng> rng = default_rng(1);
  const auto error_with = [&](auto change) {
    GptConfig config = kSmallGpt;
    change(config);
    return error_of<ValueError>([&] { Gpt(config, {}, *rng); });
  };
  EXPECT_EQ(error_with([](GptConfig& c) { c.vocab_size = 0; }), "Gpt: vocab_size is 0, expected 1 or more");
  EXPECT_EQ(error_with([](GptConfig& c) { c.block_size = -1; }), "Gpt: block_size is -1, expected 1 or more");
  EXPECT_EQ(error_with([](GptConfig& c) { c.n_layer = 0; }), "Gpt: n_layer is 0, expected 1 or more");
  EXPECT_EQ(error_with([](GptConfig& c) { c.n_head = 0; }), "Gpt: n_head is 0, expected 1 or more");
  EXPECT_EQ(error_with([](GptConfig& c) { c.n_embd = 0; }), "Gpt: n_embd is 0, expected 1 or more");
  EXPECT_EQ(error_with([](GptConfig& c) { c.n_head = 4; }), "Gpt: n_embd=15 is not divisible by n_head=4");
  EXPECT_EQ(error_with([](GptConfig& c) { c.dropout = 1; }),
            "Gpt: dropout is 1.0, expected 0 or more and less than 1");
  EXPECT_EQ(error_of<TypeError>([&] { Gpt(kSmallGpt, {.dtype = int64}, *rng); }),
            "parameters are float32 or float64, not int64");
  EXPECT_EQ(rng->standard_normal(), default_rng(1)->standard_normal()) << "a refusal draws nothing";
}

}  // namespace
}  // namespace wick
