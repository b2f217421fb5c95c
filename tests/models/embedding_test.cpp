#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/observer.h>
#include <wick/models/embedding.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Embedding, LooksUpRows) {
  on_every_set_and_type([](DType dtype) {
    const Embedding embed(5, 3, {.dtype = dtype}, *random_state(42));
    const Tensor table = embed.parameter("weight");
    const Tensor rows = embed.forward(tensor({{4, 0}, {0, 2}}));
    EXPECT_EQ(rows.shape(), (Shape{2, 2, 3}));
    EXPECT_TRUE(same_bits(slice(reshape(rows, {4, 3}), 0, 0, 1), slice(table, 0, 4, 5)));
    EXPECT_TRUE(same_bits(slice(reshape(rows, {4, 3}), 0, 2, 3), slice(table, 0, 0, 1)));
    EXPECT_TRUE(same_bits(slice(reshape(rows, {4, 3}), 0, 3, 4), slice(table, 0, 2, 3)));
  });
}

TEST(Embedding, TakesIdsOfAnyShape) {
  const Embedding embed(5, 3, {}, *default_rng(1));
  EXPECT_EQ(embed.forward(full({}, 4, int64)).shape(), Shape{3});
  EXPECT_EQ(embed.forward(zeros({0}, int64)).shape(), (Shape{0, 3}));
  EXPECT_EQ(embed.forward(zeros({2, 1, 4}, int64)).shape(), (Shape{2, 1, 4, 3}));
}

TEST(Embedding, DrawsItsTableRowByRow) {
  const Embedding embed(4, 2, {.weight_scale = 0.5, .dtype = float64}, *random_state(42));
  EXPECT_TRUE(
      same_bits(embed.parameter("weight"), scale(random_state(42)->standard_normal({4, 2}, float64), 0.5)));
  EXPECT_EQ(embed.parameter("weight").at({0, 0}), 0.4967141530112327 / 2);
}

TEST(Embedding, PrintsItself) {
  EXPECT_EQ(to_string(Embedding(24, 32, {}, *default_rng(1))),
            "embedding: Embedding(24 ids, 32 wide), 768 numbers, 3072 bytes\n"
            "  weight: (24, 32) float32\n");
}

TEST(Embedding, NamesAnIdOutOfRangeItsPositionAndTheModule) {
  const Embedding embed(24, 32, {.name = "tokens"}, *default_rng(1));
  EXPECT_EQ(error_of<IndexError>([&] {
              embed.forward(tensor({{0, 1, 2}, {3, 24, 5}}));
            }),
            "tokens: embedding: the id at position (1, 1) is 24, outside [0, 24)");
  EXPECT_EQ(error_of<IndexError>([&] { embed.forward(tensor({-1})); }),
            "tokens: embedding: the id at position (0,) is -1, outside [0, 24)");
}

TEST(Embedding, RefusesIdsThatAreNotWholeNumbers) {
  const Embedding embed(24, 32, {}, *default_rng(1));
  EXPECT_EQ(error_of<TypeError>([&] { embed.forward(zeros({2})); }),
            "embedding: embedding: ids is float32, expected int64");
}

TEST(Embedding, RefusesSizesThatCannotBe) {
  const std::unique_ptr<Rng> rng = default_rng(1);
  EXPECT_EQ(error_of<ValueError>([&] { Embedding(0, 3, {}, *rng); }),
            "Embedding: vocab_size is 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([&] { Embedding(3, -2, {}, *rng); }),
            "Embedding: n_embd is -2, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([&] { Embedding(3, 2, {.dtype = boolean}, *rng); }),
            "parameters are float32 or float64, not boolean");
}

TEST(Embedding, RowsThatAreLookedUpTwiceLearnFromBoth) {
  const Embedding embed(3, 2, {.dtype = float64}, *default_rng(1));
  embed.forward(tensor({1, 1})).backward(tensor({{1, 2}, {10, 20}}, float64));
  expect_values(embed.parameter("weight").grad(), {{0, 0}, {11, 22}, {0, 0}});
}

}  // namespace
}  // namespace wick
