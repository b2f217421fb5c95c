// Tiles of keys that a mask hides from all their queries: they are not computed, and nobody can tell.

#include <algorithm>
#include <cfenv>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <wick/framework/threads.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/attention_steps.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::same_bits;

constexpr std::int64_t kTile = 128;  // keys, as ops/kernels/attention.inl.h cuts them
constexpr std::int64_t kQueries = 200;
constexpr std::int64_t kKeys = 2 * kTile + 44;
constexpr std::int64_t kRow = 185;  // reaches every tile, causal or not; inside of a block of queries

/// All of one tile of keys hidden from every query, beside others here and there.
Tensor with_hidden_tile(std::int64_t tile) {
  Tensor blocked = some_blocked({kQueries, kKeys});
  for (std::int64_t i = 0; i < kQueries; ++i) {
    for (std::int64_t j = tile * kTile; j < std::min((tile + 1) * kTile, kKeys); ++j)
      blocked.set({i, j}, true);
  }
  return blocked;
}

/// The same, but kRow sees one key of the tile, so that it has to be computed for the queries around.
Tensor with_one_seen(std::int64_t tile) {
  Tensor blocked = with_hidden_tile(tile);
  blocked.set({kRow, tile * kTile + 1}, false);
  return blocked;
}

/// The result, and the gradients of query, key and value.
Inputs all_of(const Inputs& inputs, const AttentionOptions& options) {
  const Tensor gradient = normal({kQueries, inputs[2].size(-1)}, inputs[0].dtype(), 4);
  const auto run = [&](const Inputs& x) { return attention(x[0], x[1], x[2], options); };
  Inputs all = gradients_of(run, inputs, gradient);
  all.insert(all.begin(), run(inputs));
  return all;
}

Inputs some_inputs(DType dtype) {
  return {normal({kQueries, 5}, dtype, 1), normal({kKeys, 5}, dtype, 2), normal({kKeys, 7}, dtype, 3)};
}

void expect_same_but_for_one_row(const Tensor& found, const Tensor& expected) {
  EXPECT_TRUE(same_bits(rows(found, 0, kRow), rows(expected, 0, kRow)));
  EXPECT_TRUE(same_bits(rows(found, kRow + 1, kQueries), rows(expected, kRow + 1, kQueries)));
  EXPECT_FALSE(same_bits(rows(found, kRow, kRow + 1), rows(expected, kRow, kRow + 1)));
}

TEST(AttentionTiles, WhetherOneIsComputedChangesNoBit) {
  on_every_set_and_type([](DType dtype) {
    const Inputs inputs = some_inputs(dtype);
    for (const bool causal : {false, true}) {
      for (const std::int64_t tile : {0, 1, 2}) {
        SCOPED_TRACE(std::to_string(tile) + (causal ? ", causal" : ""));
        const Inputs left_out = all_of(inputs, {.causal = causal, .blocked = with_hidden_tile(tile)});
        const Inputs computed = all_of(inputs, {.causal = causal, .blocked = with_one_seen(tile)});
        expect_same_but_for_one_row(left_out[0], computed[0]);
        expect_same_but_for_one_row(left_out[1], computed[1]);
        const std::int64_t end = std::min((tile + 1) * kTile, kKeys);
        const auto expect_none = [&](const Tensor& gradient) {
          const Tensor hidden = rows(gradient, tile * kTile, end);
          EXPECT_TRUE(same_bits(hidden, zeros(hidden.shape(), dtype)));
        };
        expect_none(left_out[2]);
        // The first queries see none but keys of the first tile, and so here the mean of all values.
        if (!causal || tile > 0) expect_none(left_out[3]);
      }
    }
  });
}

TEST(AttentionTiles, AMaskOfKeysIsThatOfEveryQuery) {
  on_every_set_and_type([](DType dtype) {
    const Inputs inputs = some_inputs(dtype);
    Tensor keys = zeros({kKeys}, boolean);
    for (std::int64_t j = kTile; j < kKeys; ++j) keys.set({j}, true);
    for (const bool causal : {false, true}) {
      const Inputs found = all_of(inputs, {.causal = causal, .blocked = keys});
      const Inputs expected =
          all_of(inputs, {.causal = causal, .blocked = expand(keys, {kQueries, kKeys}).clone()});
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(same_bits(found[i], expected[i])) << i;
    }
  });
}

/// A value that is not finite reaches the same rows of a tile, whatever the others see of it.
TEST(AttentionTiles, WhatIsNotFiniteMeetsEveryRowOfATileOrNone) {
  on_every_set_and_type([](DType dtype) {
    for (const double wrong :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      Inputs inputs = some_inputs(dtype);
      inputs[2].set({kTile + 3, 2}, wrong);
      const auto of = [&](const Tensor& blocked) {
        return attention(inputs[0], inputs[1], inputs[2], {.blocked = blocked});
      };
      expect_same_but_for_one_row(of(with_hidden_tile(1)), of(with_one_seen(1)));
      for (const std::size_t at : {0, 1}) {  // in a query or a key: backward
        inputs = some_inputs(dtype);
        inputs[at].set({at == 0 ? kRow + 1 : kTile + 3, 2}, wrong);
        const Inputs left_out = all_of(inputs, {.blocked = with_hidden_tile(1)});
        const Inputs computed = all_of(inputs, {.blocked = with_one_seen(1)});
        expect_same_but_for_one_row(left_out[1], computed[1]);
      }
    }
  });
}

/// Whether something overflowed while attention ran forward and backward.
bool overflows(const Inputs& inputs, const AttentionOptions& options) {
  const ThreadCount one(1);  // flags are each thread's own
  std::feclearexcept(FE_ALL_EXCEPT);
  all_of(inputs, options);
  return std::fetestexcept(FE_OVERFLOW) != 0;
}

/// Scores with a huge key overflow where they are computed, which the processor remembers.
TEST(AttentionTiles, OneThatIsHiddenFromAllIsNotComputed) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t tile : {0, 1, 2}) {
      Inputs inputs = some_inputs(dtype);
      const double huge =
          dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
      for (std::int64_t column = 0; column < 5; ++column) inputs[1].set({tile * kTile + 3, column}, huge);
      EXPECT_FALSE(overflows(inputs, {.blocked = with_hidden_tile(tile)})) << tile;
      EXPECT_TRUE(overflows(inputs, {.blocked = with_one_seen(tile)})) << tile;
    }
  });
}

}  // namespace
}  // namespace wick
