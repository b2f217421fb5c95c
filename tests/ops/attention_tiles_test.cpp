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

Tensor some_gradient(DType dtype) { return normal({kQueries, 7}, dtype, 4); }

/// The result, and the gradients of query, key and value.
Inputs all_of(const Inputs& inputs, const AttentionOptions& options, const Tensor& gradient) {
  const auto run = [&](const Inputs& x) { return attention(x[0], x[1], x[2], options); };
  Inputs all = gradients_of(run, inputs, gradient);
  all.insert(all.begin(), run(inputs));
  return all;
}

Inputs all_of(const Inputs& inputs, const AttentionOptions& options) {
  return all_of(inputs, options, some_gradient(inputs[0].dtype()));
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
    // Where causal, query 67 sees nothing of the middle tile, and its neighbour one key.
    for (std::int64_t j = kTile; j < kKeys; ++j) keys.set({j}, j < kTile + 40 || j >= 2 * kTile);
    for (const bool causal : {false, true}) {
      const Inputs found = all_of(inputs, {.causal = causal, .blocked = keys});
      const Inputs expected =
          all_of(inputs, {.causal = causal, .blocked = expand(keys, {kQueries, kKeys}).clone()});
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(same_bits(found[i], expected[i])) << i;
    }
  });
}

constexpr double kWrong[] = {std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()};

/// A value that is not finite reaches a row, or does not, whatever its neighbours see.
TEST(AttentionTiles, AValueThatIsNotFiniteMeetsEveryRowOrNone) {
  on_every_set_and_type([](DType dtype) {
    for (const double wrong : kWrong) {
      Inputs inputs = some_inputs(dtype);
      inputs[2].set({kTile + 3, 2}, wrong);
      for (const Layout& value : layouts_of(inputs[2])) {
        SCOPED_TRACE(value.name);
        const auto of = [&](const Tensor& blocked) {
          return attention(inputs[0], inputs[1], value.tensor, {.blocked = blocked});
        };
        expect_same_but_for_one_row(of(with_hidden_tile(1)), of(with_one_seen(1)));
      }
    }
  });
}

TEST(AttentionTiles, GradientsOfWhatIsNotFiniteHangOnNoNeighbour) {
  on_every_set_and_type([](DType dtype) {
    const auto hidden_keys = [](const Tensor& gradient) { return rows(gradient, kTile + 2, 2 * kTile); };
    for (const double wrong : kWrong) {
      for (const std::string where : {"query", "key", "gradient"}) {
        SCOPED_TRACE(where);
        Inputs inputs = some_inputs(dtype);
        Tensor gradient = some_gradient(dtype);
        if (where == "query") inputs[0].set({kRow + 1, 2}, wrong);
        if (where == "key") inputs[1].set({kTile + 3, 2}, wrong);
        if (where == "gradient") gradient.set({kRow + 1, 2}, wrong);
        const Inputs left_out = all_of(inputs, {.blocked = with_hidden_tile(1)}, gradient);
        const Inputs computed = all_of(inputs, {.blocked = with_one_seen(1)}, gradient);
        if (where == "key") {
          expect_same_but_for_one_row(left_out[1], computed[1]);
        } else {
          const std::size_t reached = where == "query" ? 2 : 3;
          EXPECT_TRUE(same_bits(hidden_keys(left_out[reached]), hidden_keys(computed[reached])));
        }
      }
    }
  });
}

/// Products too small for a number end a chain in -0, of which + 0 times a hidden number makes 0.
TEST(AttentionTiles, GradientsHaveNoNegativeZeroToTellOfAHiddenTile) {
  on_every_set_and_type([](DType dtype) {
    const double least = dtype == float32 ? double{std::numeric_limits<float>::denorm_min()}
                                          : std::numeric_limits<double>::denorm_min();
    Tensor hidden = zeros({kQueries, kKeys}, boolean);  // keys of the first tile, from later queries
    for (std::int64_t i = kTile; i < kQueries; ++i) {
      for (std::int64_t j = 0; j < kTile; ++j) hidden.set({i, j}, true);
    }
    Tensor but_one = hidden.clone();
    but_one.set({kRow, 1}, false);
    Tensor gradient = full({kQueries, 7}, 1, dtype);
    for (std::int64_t i = 0; i < kTile; ++i) {
      for (std::int64_t j = 0; j < 7; ++j) gradient.set({i, j}, -least);
    }
    Inputs inputs = some_inputs(dtype);
    const auto first_tile = [](const Tensor& of_value) { return rows(of_value, 2, kTile); };
    EXPECT_TRUE(same_bits(first_tile(all_of(inputs, {.blocked = hidden}, gradient)[3]),
                          first_tile(all_of(inputs, {.blocked = but_one}, gradient)[3])));

    hidden = zeros({kQueries, kKeys}, boolean);  // keys of the later tiles, from every query
    for (std::int64_t i = 0; i < kQueries; ++i) {
      for (std::int64_t j = kTile; j < kKeys; ++j) hidden.set({i, j}, true);
    }
    but_one = hidden.clone();
    but_one.set({kRow, kTile + 1}, false);
    for (std::int64_t j = 0; j < kKeys; ++j) inputs[1].set({j, 2}, j < kTile ? -least : 1);
    expect_same_but_for_one_row(all_of(inputs, {.blocked = hidden})[1],
                                all_of(inputs, {.blocked = but_one})[1]);
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
