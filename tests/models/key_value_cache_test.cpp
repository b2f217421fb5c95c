#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/memory.h>
#include <wick/models/gpt.h>
#include <wick/models/key_value_cache.h>
#include <wick/ops/concat.h>
#include <wick/ops/slice.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;

// The logits of ids (B, T), encoded `step` at a time.
Tensor in_steps(const Gpt& gpt, const Tensor& ids, KeyValueCache& cache, std::int64_t step) {
  std::vector<Tensor> logits;
  for (std::int64_t t = 0; t < ids.size(1); t += step) {
    logits.push_back(gpt.forward(slice(ids, 1, t, std::min(t + step, ids.size(1))), cache));
  }
  return concat(logits, 1);
}

TEST(KeyValueCache, LogitsAreTheSameToTheBitHoweverTheyCome) {
  on_every_set_and_type([](DType dtype) {
    for (const bool bias : {false, true}) {
      GptConfig config = kSmallGpt;
      config.bias = bias;
      Gpt gpt(config, {.dtype = dtype}, *default_rng(1));
      randomize(gpt);
      const Tensor ids = some_ids({2, config.block_size});
      const Tensor whole = gpt.forward(ids);
      for (const std::int64_t step : {1, 2, 5, 11, 12}) {
        KeyValueCache cache(config, 2, dtype);
        EXPECT_TRUE(same_bits(in_steps(gpt, ids, cache, step), whole)) << step << " at a time";
        EXPECT_TRUE(cache.is_full());
      }
    }
  });
}

TEST(KeyValueCache, LogitsAreTheSameInALongWindow) {
  on_every_set([] {
    const GptConfig config{.vocab_size = 24, .block_size = 150, .n_layer = 1, .n_head = 4, .n_embd = 64};
    Gpt gpt(config, {}, *default_rng(1));
    randomize(gpt);
    const Tensor ids = some_ids({1, 150}, 24);
    KeyValueCache cache(config);
    EXPECT_TRUE(same_bits(in_steps(gpt, ids, cache, 1), gpt.forward(ids)));
  });
}

TEST(KeyValueCache, BeginsAnewOnceCleared) {
  Gpt gpt(kSmallGpt, {}, *default_rng(1));
  randomize(gpt);
  KeyValueCache cache(kSmallGpt);
  in_steps(gpt, some_ids({1, 12}), cache, 3);
  EXPECT_EQ(cache.length(), 12);
  cache.clear();
  EXPECT_EQ(cache.length(), 0);
  EXPECT_FALSE(cache.is_full());
  const Tensor ids = some_ids({1, 7}, kSmallGpt.vocab_size, 9);
  EXPECT_TRUE(same_bits(in_steps(gpt, ids, cache, 2), gpt.forward(ids)));
}

// A copy would share the memory: what one encodes would change what the other knows.
TEST(KeyValueCache, MovesButIsNotCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<KeyValueCache>);
  EXPECT_FALSE(std::is_copy_assignable_v<KeyValueCache>);
  Gpt gpt(kSmallGpt, {}, *default_rng(1));
  randomize(gpt);
  const Tensor ids = some_ids({1, 9});
  KeyValueCache first(kSmallGpt);
  gpt.forward(slice(ids, 1, 0, 4), first);
  KeyValueCache second(std::move(first));
  EXPECT_TRUE(same_bits(gpt.forward(slice(ids, 1, 4, 9), second), slice(gpt.forward(ids), 1, 4, 9)));
}

TEST(KeyValueCache, BuildsNoGraph) {
  const Gpt gpt(kSmallGpt, {}, *default_rng(1));
  KeyValueCache cache(kSmallGpt);
  EXPECT_FALSE(gpt.forward(some_ids({1, 3}), cache).requires_grad());
  EXPECT_FALSE(cache.layer(1).keys.requires_grad());
}

// Once a token has been encoded, the next needs nothing that was not there before.
TEST(KeyValueCache, ATokenAsksTheSystemForNothing) {
  const Gpt gpt(kSmallGpt, {}, *default_rng(1));
  KeyValueCache cache(kSmallGpt);
  const Tensor id = some_ids({1, 1});
  for (int i = 0; i < 2; ++i) gpt.forward(id, cache);
  const memory::Counts before = memory::counts();
  for (int i = 2; i < 12; ++i) gpt.forward(id, cache);
  EXPECT_EQ(memory::counts().now, before.now);
#ifndef WICK_IS_SANITIZED
  EXPECT_EQ(memory::counts().system_allocations, before.system_allocations);
#endif
}

TEST(KeyValueCache, RefusesWhatHasNoRoomAndStaysAsItIs) {
  Gpt gpt(kSmallGpt, {}, *default_rng(1));
  randomize(gpt);
  KeyValueCache cache(kSmallGpt);
  const Tensor ids = some_ids({1, 12});
  gpt.forward(slice(ids, 1, 0, 10), cache);
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.forward(zeros({1, 3}, int64), cache);
            }),
            "gpt: ids is (1, 3): T=3 behind the 10 in the cache is beyond block_size=12");
  EXPECT_EQ(error_of<IndexError>([&] {
              gpt.forward(tensor({{3, 11}}), cache);
            }),
            "gpt.token_embedding: embedding: the id at position (0, 1) is 11, outside [0, 11)");
  EXPECT_EQ(cache.length(), 10);
  EXPECT_TRUE(same_bits(gpt.forward(slice(ids, 1, 10, 12), cache), slice(gpt.forward(ids), 1, 10, 12)));
}

TEST(KeyValueCache, RefusesAnotherModelOrBatch) {
  const Gpt gpt(kSmallGpt, {}, *default_rng(1));
  const auto error_with = [&](auto change, std::int64_t batch) {
    GptConfig config = kSmallGpt;
    change(config);
    KeyValueCache cache(config, batch);
    return error_of<ShapeError>([&] { gpt.forward(zeros({2, 3}, int64), cache); });
  };
  EXPECT_EQ(error_with([](GptConfig& c) { c.n_layer = 3; }, 2),
            "gpt: the cache is for n_layer=3 and block_size=12, expected n_layer=2 and block_size=12");
  EXPECT_EQ(error_with([](GptConfig& c) { c.block_size = 13; }, 2),
            "gpt: the cache is for n_layer=2 and block_size=13, expected n_layer=2 and block_size=12");
  EXPECT_EQ(
      error_with([](GptConfig& c) { c.n_embd = 30; }, 2),
      "gpt.blocks.0.attention: the cache's keys is (2, 3, 12, 10), expected (B=2, H=3, block_size, hs=5): "
      "dimension 3 (hs) is 10, not 5");
  EXPECT_EQ(
      error_with([](GptConfig& c) { c.n_head = 5; }, 2),
      "gpt.blocks.0.attention: the cache's keys is (2, 5, 12, 3), expected (B=2, H=3, block_size, hs=5): "
      "dimension 1 (H) is 5, not 3");
  EXPECT_EQ(
      error_with([](GptConfig&) {}, 3),
      "gpt.blocks.0.attention: the cache's keys is (3, 3, 12, 5), expected (B=2, H=3, block_size, hs=5): "
      "dimension 0 (B) is 3, not 2");
  KeyValueCache other_type(kSmallGpt, 2, float64);
  EXPECT_THROW(gpt.forward(zeros({2, 3}, int64), other_type), TypeError);
}

TEST(KeyValueCache, RefusesSizesThatCannotBe) {
  EXPECT_EQ(error_of<ValueError>([] { KeyValueCache(kSmallGpt, 0); }),
            "KeyValueCache: batch is 0, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([] { KeyValueCache(kSmallGpt, 1, int64); }),
            "KeyValueCache: keys and values are float32 or float64, not int64");
  EXPECT_EQ(error_of<ValueError>([] {
              KeyValueCache({.vocab_size = 1, .block_size = 1, .n_layer = 1, .n_head = 2, .n_embd = 3});
            }),
            "KeyValueCache: n_embd=3 is not divisible by n_head=2");
  KeyValueCache cache(kSmallGpt);
  EXPECT_EQ(error_of<IndexError>([&] { cache.layer(2); }), "KeyValueCache has no layer 2; it has 2");
  EXPECT_EQ(error_of<IndexError>([&] { cache.advance(13); }),
            "KeyValueCache: 13 positions more than its 0 are outside of block_size=12");
}

}  // namespace
}  // namespace wick
