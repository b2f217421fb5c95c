// Attention where scores, or operands, are not finite.

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <wick/ops/ops.h>
#include <wick/tests/ops/attention_steps.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::relative_difference;
using testing::same_bits;

double largest(DType dtype) {
  return dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

double smallest(DType dtype) {
  return dtype == float32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
}

// The gradients of query, key and value, then the output.
template <typename Attention>
Inputs results_of(Attention function, const Inputs& inputs, const AttentionOptions& options,
                  const Tensor& dy) {
  const Function call = [&](const Inputs& x) { return function(x[0], x[1], x[2], options); };
  Inputs results = gradients_of(call, inputs, dy);
  results.push_back(call(inputs));
  return results;
}

TEST(Attention, NaNAndInfinitiesAreThoseOfTheSteps) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t Tk : {3, 131}) {
      const auto with = [&](double score, std::int64_t place) {
        Tensor keys = normal({Tk, 1}, dtype);
        keys.set({place, 0}, score);
        return keys;
      };
      const Tensor query = ones({1, 1}, dtype);
      const Tensor value = normal({Tk, 2}, dtype, 2);
      for (const double score : {kNaN, kInfinity, -kInfinity}) {
        for (const std::int64_t place : {std::int64_t{0}, Tk - 1}) {
          const Tensor keys = with(score, place);
          EXPECT_LE(relative_difference(attention(query, keys, value), step_by_step(query, keys, value)),
                    20 * epsilon(dtype))
              << score << " at " << place;
        }
      }
      // The first tile has nothing but -inf; then every tile.
      Tensor keys = full({Tk, 1}, -kInfinity, dtype);
      EXPECT_TRUE(std::isnan(attention(query, keys, value).at({0, 0})));
      keys.set({Tk - 1, 0}, 0);
      EXPECT_TRUE(same_bits(attention(query, keys, value), rows(value, Tk - 1, Tk)));
    }
  });
}

// How many positions, and which one's query has a score beyond the type.
constexpr std::pair<std::int64_t, std::int64_t> kPlaces[] = {{2, 0}, {21, 9}, {150, 75}, {300, 130}};

struct Example {
  Tensor query, key, value, dy;
};

// The score beyond the type is that with key 0.
Example overflowing(std::int64_t T, std::int64_t row, DType dtype) {
  Example example{normal({T, 2}, dtype, 1), normal({T, 2}, dtype, 2), normal({T, 3}, dtype, 3),
                  normal({T, 3}, dtype, 4)};
  rows(example.query, row, row + 1).copy_from(full({1, 2}, largest(dtype), dtype));
  rows(example.key, 0, 1).copy_from(tensor({{2, 0}}, dtype));
  return example;
}

// One query has a score beyond the type: its row of out and of the query's gradient is NaN, and so are the
// gradients of the keys that it sees. The keys it does not see get what the other queries give them.
TEST(Attention, ARowThatIsNotFiniteLeavesHiddenKeysAlone) {
  on_every_set_and_type([](DType dtype) {
    for (const auto& [T, row] : kPlaces) {
      SCOPED_TRACE("row " + std::to_string(row) + " of " + std::to_string(T));
      const auto [query, key, value, dy] = overflowing(T, row, dtype);
      const AttentionOptions causal{.causal = true};
      const Inputs found = results_of(attention, {query, key, value}, causal, dy);
      const Inputs all = results_of(step_by_step, {query, key, value}, causal, dy);
      EXPECT_TRUE(std::isnan(found[3].at({row, 0})));
      EXPECT_LE(relative_difference(found[3], all[3]), 40 * epsilon(dtype));
      EXPECT_LE(relative_difference(found[0], all[0]), 40 * epsilon(dtype));
      // Queries before it do not see these keys either.
      const std::int64_t next = row + 1;
      const Inputs others =
          results_of(step_by_step, {rows(query, next, T), key, value}, causal, rows(dy, next, T));
      for (const std::size_t i : {1, 2}) {
        EXPECT_TRUE(std::isnan(found[i].at({0, 0}))) << "input " << i;
        EXPECT_LE(relative_difference(rows(found[i], next, T), rows(others[i], next, T)), 40 * epsilon(dtype))
            << "input " << i;
      }
    }
  });
}

Tensor without_row(const Tensor& x, std::int64_t row) {
  return concat({rows(x, 0, row), rows(x, row + 1, x.size(-2))}, -2);
}

// The same for keys that a mask hides, in no order.
TEST(Attention, ARowThatIsNotFiniteLeavesBlockedKeysAlone) {
  on_every_set_and_type([](DType dtype) {
    for (const auto& [T, row] : kPlaces) {
      SCOPED_TRACE("row " + std::to_string(row) + " of " + std::to_string(T));
      const auto [query, key, value, dy] = overflowing(T, row, dtype);
      Tensor blocked = some_blocked({T, T});
      blocked.set({row, 0}, false);
      blocked.set({row, 1}, true);
      const Inputs found = results_of(attention, {query, key, value}, {.blocked = blocked}, dy);
      const Inputs all = results_of(step_by_step, {query, key, value}, {.blocked = blocked}, dy);
      EXPECT_TRUE(std::isnan(found[3].at({row, 0})));
      EXPECT_LE(relative_difference(found[3], all[3]), 40 * epsilon(dtype));
      EXPECT_LE(relative_difference(found[0], all[0]), 40 * epsilon(dtype));
      const Inputs others = results_of(step_by_step, {without_row(query, row), key, value},
                                       {.blocked = without_row(blocked, row)}, without_row(dy, row));
      for (std::int64_t j = 0; j < T; ++j) {
        for (const std::size_t i : {1, 2}) {
          if (blocked.at({row, j}) == 0) {
            EXPECT_TRUE(std::isnan(found[i].at({j, 0}))) << "input " << i << ", key " << j;
          } else {
            EXPECT_LE(relative_difference(rows(found[i], j, j + 1), rows(others[i], j, j + 1)),
                      1000 * epsilon(dtype))
                << "input " << i << ", key " << j;
          }
        }
      }
    }
  });
}

// A score beyond the type that nobody sees changes nothing.
TEST(Attention, ABlockedScoreMayOverflow) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t Tk : {3, 131}) {
      for (const double score : {largest(dtype), -largest(dtype)}) {
        Tensor key = normal({Tk, 2}, dtype, 2);
        rows(key, 1, 2).copy_from(full({1, 2}, score, dtype));
        Tensor blocked = zeros({Tk}, boolean);
        blocked.set({1}, true);
        const Inputs inputs{full({2, 2}, 3, dtype), key, normal({Tk, 3}, dtype, 3)};
        const Tensor dy = normal({2, 3}, dtype, 4);
        const Inputs found = results_of(attention, inputs, {.blocked = blocked}, dy);
        const Inputs expected = results_of(step_by_step, inputs, {.blocked = blocked}, dy);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_TRUE(std::isfinite(expected[i].at({0, 0}))) << i;
          EXPECT_LE(relative_difference(found[i], expected[i]), 1000 * epsilon(dtype)) << i;
        }
        for (const std::size_t i : {1, 2}) {
          EXPECT_TRUE(same_bits(rows(found[i], 1, 2), zeros({1, inputs[i].size(1)}, dtype))) << i;
        }
      }
    }
  });
}

// The scale is applied to the product, as the step is, and to neither operand before it.
TEST(Attention, ScoresOverflowWhereTheStepDoes) {
  on_every_set_and_type([](DType dtype) {
    const Tensor value = normal({5, 3}, dtype, 3);
    const Tensor dy = scale(normal({2, 3}, dtype, 4), 0.01);
    // A product beyond the type stays there, though scaled it would be small.
    const double root = std::sqrt(largest(dtype));
    const Inputs large{full({2, 1}, 2 * root, dtype), full({5, 1}, 2 * root, dtype), value};
    for (const Tensor& result : results_of(attention, large, {.scale = 1 / largest(dtype)}, dy)) {
      for (const double number : result.to_vector<double>()) EXPECT_TRUE(std::isnan(number));
    }
    // An operand that scaled would be beyond the type does no harm where the product is small: scores 38
    // to 42.
    const AttentionOptions options{.scale = 1e20};
    const double most = largest(dtype) / *options.scale;
    const Tensor rising = reshape(arange(5).to(dtype) * 0.02 + 1.2, {5, 1});
    const Inputs large_keys{full({2, 1}, 8 * smallest(dtype), dtype), rising * most, value};
    const Inputs large_queries{full({2, 1}, 1.2 * most, dtype), rising * (8 * smallest(dtype)), value};
    for (const Inputs& in : {large_keys, large_queries}) {
      const Inputs found = results_of(attention, in, options, dy);
      const Inputs expected = results_of(step_by_step, in, options, dy);
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(std::isfinite(expected[i].at({0, 0}))) << i;
        EXPECT_LE(relative_difference(found[i], expected[i]), 1000 * epsilon(dtype)) << i;
      }
    }
  });
}

}  // namespace
}  // namespace wick
