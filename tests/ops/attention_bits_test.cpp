// Attention's bits: they depend on what a query sees, and on nothing else.

#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/threads.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/attention_steps.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Attention, ReadsSlicesAndTransposesOfOneProjection) {
  on_every_set_and_type([](DType dtype) {
    constexpr std::int64_t B = 2, T = 9, H = 3, hs = 4;
    const Tensor packed = normal({B, T, 3 * H * hs}, dtype);
    const auto part = [&](std::int64_t i) {
      return transpose(reshape(slice(packed, 2, i * H * hs, (i + 1) * H * hs), {B, T, H, hs}), {0, 2, 1, 3});
    };
    const Tensor expected = attention(part(0).clone(), part(1).clone(), part(2).clone(), {.causal = true});
    EXPECT_EQ(expected.shape(), (Shape{B, H, T, hs}));
    EXPECT_TRUE(same_bits(attention(part(0), part(1), part(2), {.causal = true}), expected));
  });
}

TEST(Attention, ReadsAMaskWhereItLies) {
  on_every_set_and_type([](DType dtype) {
    const Tensor q = normal({2, 7, 3}, dtype, 1);
    const Tensor k = normal({2, 11, 3}, dtype, 2);
    const Tensor v = normal({2, 11, 3}, dtype, 3);
    for (const Shape& shape : {Shape{7, 11}, {2, 7, 11}, {7, 1}, {11}, {2, 1, 11}, {}}) {
      const Tensor blocked = some_blocked(shape);
      const Tensor whole = expand(blocked, {2, 7, 11}).clone();
      const Tensor expected = attention(q, k, v, {.blocked = whole});
      for (const Layout& layout : layouts_of(blocked)) {
        EXPECT_TRUE(same_bits(attention(q, k, v, {.blocked = layout.tensor}), expected))
            << to_string(shape) << " " << layout.name;
      }
    }
  });
}

// Lengths on both sides of a vector, and of a tile of keys.
constexpr std::int64_t kLengths[] = {1, 2, 16, 33, 127, 128, 129, 256, 300};

TEST(Attention, AQueryAloneGetsWhatItGetsAmongOthers) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t T : kLengths) {
      for (const bool causal : {false, true}) {
        const Tensor q = normal({T, 17}, dtype, 1);
        const Tensor k = normal({T, 17}, dtype, 2);
        const Tensor v = normal({T, 33}, dtype, 3);
        const Tensor all = attention(q, k, v, {.causal = causal});
        // With its own keys, as sampling with cached ones does, and with all of them.
        for (std::int64_t i = 0; i < T; i += T < 40 ? 1 : 7) {
          const std::int64_t seen = causal ? i + 1 : T;
          const Tensor alone =
              attention(rows(q, i, i + 1), rows(k, 0, seen), rows(v, 0, seen), {.causal = causal});
          ASSERT_TRUE(same_bits(alone, rows(all, i, i + 1))) << i << " of " << T;
        }
        const std::int64_t from = T / 3;
        EXPECT_TRUE(same_bits(attention(rows(q, from, T), k, v, {.causal = causal}), rows(all, from, T)))
            << T;
      }
    }
  });
}

TEST(Attention, HiddenKeysBehindChangeNothing) {
  on_every_set_and_type([](DType dtype) {
    constexpr std::int64_t longest = 300;
    const Tensor q = normal({longest, 5}, dtype, 1);
    const Tensor k = normal({longest, 5}, dtype, 2);
    const Tensor v = normal({longest, 7}, dtype, 3);
    const Tensor all = attention(q, k, v, {.causal = true});
    for (const std::int64_t T : kLengths) {
      const Tensor fewer = attention(rows(q, 0, T), rows(k, 0, T), rows(v, 0, T), {.causal = true});
      EXPECT_TRUE(same_bits(fewer, rows(all, 0, T))) << T;
      // The same by a mask.
      std::vector<bool> behind(longest);
      for (std::int64_t j = T; j < longest; ++j) behind[static_cast<std::size_t>(j)] = true;
      const Tensor masked = attention(rows(q, 0, 9), k, v, {.blocked = from_vector(behind)});
      EXPECT_TRUE(same_bits(masked, attention(rows(q, 0, 9), rows(k, 0, T), rows(v, 0, T)))) << T;
    }
  });
}

TEST(Attention, EqualQueriesGetEqualRows) {
  on_every_set_and_type([](DType dtype) {
    const Tensor k = normal({200, 8}, dtype, 2);
    const Tensor v = normal({200, 8}, dtype, 3);
    const Tensor one = attention(normal({1, 8}, dtype, 1), k, v);
    const Tensor many = attention(expand(normal({1, 8}, dtype, 1), {150, 8}), k, v);
    EXPECT_TRUE(same_bits(many, expand(one, {150, 8}).clone()));
  });
}

TEST(Attention, TheSameBitsOnOneTwoAndThreeThreads) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      const Inputs in{normal({3, 301, 17}, dtype, 1), normal({3, 333, 17}, dtype, 2),
                      normal({3, 333, 9}, dtype, 3)};
      const Tensor weights = normal({3, 301, 9}, dtype, 4);
      const AttentionOptions options{.causal = causal, .blocked = some_blocked({301, 333})};
      const auto run = [&](int threads) {
        const ThreadCount count(threads);
        Inputs results =
            gradients_of([&](const Inputs& x) { return attention(x[0], x[1], x[2], options); }, in, weights);
        results.push_back(attention(in[0], in[1], in[2], options));
        return results;
      };
      const Inputs expected = run(1);
      for (const int threads : {2, 3}) {
        const Inputs found = run(threads);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_TRUE(same_bits(found[i], expected[i])) << i << " on " << threads << " threads";
        }
      }
    }
  });
}

}  // namespace
}  // namespace wick
