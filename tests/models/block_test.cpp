#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/observer.h>
#include <wick/models/block.h>
#include <wick/ops/ops.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;

// The part of a state below one name, for a module by itself.
std::vector<NamedTensor> below(const Module& module, const std::string& name) {
  std::vector<NamedTensor> result;
  for (NamedTensor& entry : module.state()) {
    if (entry.name.starts_with(name + ".")) {
      result.push_back({entry.name.substr(name.size() + 1), std::move(entry.tensor)});
    }
  }
  return result;
}

TEST(Block, AddsAttentionThenFeedForwardToWhatCameIn) {
  on_every_set_and_type([](DType dtype) {
    for (const bool bias : {false, true}) {
      Block block(8, 2, {.bias = bias, .dtype = dtype}, *default_rng(1));
      randomize(block);
      LayerNorm attention_norm(8, {.bias = bias, .dtype = dtype});
      LayerNorm feed_forward_norm(8, {.bias = bias, .dtype = dtype});
      MultiHead attention(8, 2, {.bias = bias, .dtype = dtype}, *default_rng(1));
      FeedForward feed_forward(8, {.bias = bias, .dtype = dtype}, *default_rng(1));
      attention_norm.load_state(below(block, "attention_norm"));
      feed_forward_norm.load_state(below(block, "feed_forward_norm"));
      attention.load_state(below(block, "attention"));
      feed_forward.load_state(below(block, "feed_forward"));
      const Tensor x = normal({2, 5, 8}, dtype);
      const Tensor attended = x + attention.forward(attention_norm.forward(x));
      const Tensor expected = attended + feed_forward.forward(feed_forward_norm.forward(attended));
      EXPECT_TRUE(same_bits(block.forward(x), expected));
    }
  });
}

TEST(Block, DropsBothResultsInTrainingOnly) {
  Block block(8, 2, {.dropout = {.rate = 0.5, .rng = default_rng(5)}}, *default_rng(1));
  randomize(block);
  const Tensor x = normal({1, 6, 8}, float32);
  Trace trace;
  block.forward(x);
  const Tensor added = trace["block.attended"] - x;
  const Tensor added_then = trace["block.out"] - trace["block.attended"];
  for (const Tensor& part : {added, added_then}) {
    const std::vector<double> values = part.to_vector<double>();
    const auto zeros = std::ranges::count(values, 0.0);
    EXPECT_GT(zeros, 10);
    EXPECT_LT(zeros, 38);
  }
  block.eval();
  EXPECT_TRUE(same_bits(block.forward(x), block.forward(x)));
}

TEST(Block, TellsWhatWasAttendedAndWhatComesOut) {
  const Block block(6, 2, {}, *default_rng(1));
  Trace trace;
  const Tensor out = block.forward(normal({1, 3, 6}, float32));
  EXPECT_EQ(trace["block.attended"].shape(), (Shape{1, 3, 6}));
  EXPECT_TRUE(same_bits(trace["block.out"], out));
  EXPECT_EQ(trace["block.attention.heads.0.weights"].shape(), (Shape{1, 3, 3}));
}

TEST(Block, RefusesWhatDoesNotFit) {
  const Block block(8, 2, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              block.forward(zeros({4, 8, 16}));
            }),
            "block: x is (4, 8, 16), expected (B, T, C=8): dimension 2 (C) is 16, not 8");
  EXPECT_EQ(error_of<ValueError>([] { Block(30, 4, {}, *default_rng(1)); }),
            "MultiHead: n_embd=30 is not divisible by n_head=4");
}

}  // namespace
}  // namespace wick
