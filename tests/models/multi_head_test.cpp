#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/graph_recorder.h>
#include <wick/framework/observer.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>
#include <wick/models/multi_head.h>
#include <wick/ops/ops.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using testing::same_bits;
using Words = std::vector<std::string>;

// A head by itself with the weights of one of several.
void copy_weights(const HeadView& view, Head& head) {
  std::vector<NamedTensor> state{{"query.weight", view.query_weight()},
                                 {"key.weight", view.key_weight()},
                                 {"value.weight", view.value_weight()}};
  if (view.has_bias()) {
    state.push_back({"query.bias", view.query_bias()});
    state.push_back({"key.bias", view.key_bias()});
    state.push_back({"value.bias", view.value_bias()});
  }
  head.load_state(state);
}

TEST(MultiHead, ItsHeadsAreViewsOfOneParameter) {
  MultiHead attention(6, 3, {}, *default_rng(1));
  randomize(attention);
  const Tensor weight = attention.parameter("query_key_value.weight");
  const Tensor bias = attention.parameter("query_key_value.bias");
  ASSERT_EQ(weight.shape(), (Shape{6, 18}));
  ASSERT_EQ(attention.heads().size(), 3u);
  const HeadView& head = attention.heads()[1];
  EXPECT_TRUE(head.query_weight().shares_storage(weight));
  EXPECT_TRUE(head.value_bias().shares_storage(bias));
  EXPECT_TRUE(same_bits(head.query_weight(), slice(weight, 1, 2, 4)));
  EXPECT_TRUE(same_bits(head.key_weight(), slice(weight, 1, 8, 10)));
  EXPECT_TRUE(same_bits(head.value_weight(), slice(weight, 1, 14, 16)));
  EXPECT_TRUE(same_bits(head.query_bias(), slice(bias, 0, 2, 4)));
  EXPECT_TRUE(same_bits(head.key_bias(), slice(bias, 0, 8, 10)));
  EXPECT_TRUE(same_bits(head.value_bias(), slice(bias, 0, 14, 16)));
  head.key_weight().detach().fill(7);
  EXPECT_EQ(weight.at({5, 9}), 7);
  EXPECT_NE(weight.at({5, 10}), 7);
  EXPECT_TRUE(head.named_parameters().empty());
}

// What is left once the output projection passes everything through.
TEST(MultiHead, AHeadByItselfFindsWhatItFindsAmongOthers) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      for (const bool bias : {false, true}) {
        MultiHead attention(12, 3, {.causal = causal, .bias = bias, .dtype = dtype}, *default_rng(1));
        randomize(attention);
        attention.parameter("output.weight").copy_from(zeros({12, 12}));
        for (std::int64_t i = 0; i < 12; ++i) attention.parameter("output.weight").set({i, i}, 1);
        if (bias) attention.parameter("output.bias").fill(0);
        const Tensor x = normal({2, 9, 12}, dtype);
        const Tensor out = attention.forward(x);
        for (std::int64_t h = 0; h < 3; ++h) {
          Head alone(12, 4, {.causal = causal, .bias = bias, .dtype = dtype}, *default_rng(1));
          copy_weights(attention.heads()[static_cast<std::size_t>(h)], alone);
          EXPECT_LE(testing::relative_difference(slice(out, 2, 4 * h, 4 * h + 4), alone.forward(x)),
                    dtype == float64 ? 1e-14 : 1e-6)
              << "head " << h << (causal ? ", causal" : "") << (bias ? ", bias" : "");
        }
      }
    }
  });
}

// The steps where they are looked at, all heads at once where not; the gradients of either.
TEST(MultiHead, ObservedOrNotAgrees) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      for (const bool bias : {false, true}) {
        MultiHead attention(12, 3, {.causal = causal, .bias = bias, .dtype = dtype}, *default_rng(1));
        randomize(attention);
        for (const std::int64_t T : {1, 6, 70}) {
          Tensor x = normal({2, T, 12}, dtype);
          const Tensor dy = normal({2, T, 12}, dtype, 2);
          const auto run = [&] {
            Tensor input = x.clone();
            input.set_requires_grad(true);
            std::vector<Tensor> results{attention.forward(input)};
            results[0].backward(dy);
            results.push_back(input.grad());
            for (const NamedTensor& parameter : attention.named_parameters()) {
              results.push_back(parameter.tensor.grad());
            }
            attention.zero_grad();
            return results;
          };
          const std::vector<Tensor> unobserved = run();
          const Trace trace;
          const std::vector<Tensor> observed = run();
          ASSERT_FALSE(trace.steps().empty());
          for (std::size_t i = 0; i < observed.size(); ++i) {
            EXPECT_LE(testing::relative_difference(unobserved[i], observed[i]),
                      (i == 0 ? 1 : 10) * (dtype == float64 ? 1e-14 : 2e-6))
                << "T " << T << ", result " << i;
          }
        }
      }
    }
  });
}

TEST(MultiHead, TellsTheStepsOfEveryHeadUnderItsOwnName) {
  const MultiHead attention(6, 2, {}, *default_rng(1));
  Trace trace;
  attention.forward(zeros({4, 5, 6}));
  Words names;
  for (const auto& [name, value] : trace.steps()) names.push_back(name);
  Words expected;
  for (const char* head : {"attention.heads.0.", "attention.heads.1."}) {
    for (const char* step : {"query", "key", "value", "scores", "weights", "out"}) {
      expected.push_back(std::string(head) + step);
    }
  }
  EXPECT_EQ(names, expected);
  EXPECT_EQ(trace["attention.heads.1.weights"].shape(), (Shape{4, 5, 5}));
  EXPECT_EQ(trace["attention.heads.1.query"].shape(), (Shape{4, 5, 3}));
}

TEST(MultiHead, UnobservedIsOneProductOneAttentionOneProduct) {
  const MultiHead attention(6, 2, {}, *default_rng(1));
  GraphRecorder graph(/*wants_steps=*/false);
  attention.forward(normal({1, 5, 6}, float32));
  Words computing;
  for (const auto& op : graph.ops()) {
    if (op.name == "linear" || op.name == "matmul" || op.name.ends_with("attention")) {
      computing.push_back(op.name);
    }
  }
  ASSERT_EQ(computing.size(), 3u);
  EXPECT_EQ(computing.front(), "linear");
  EXPECT_EQ(computing.back(), "linear");
}

TEST(MultiHead, ABatchOfOneAnswersAsItsPlaceInABatchOfSixteen) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t T : {1, 2, 7, 33}) {
      MultiHead attention(20, 4, {.causal = T % 2 == 1, .dtype = dtype}, *default_rng(1));
      randomize(attention);
      const Tensor x = normal({16, T, 20}, dtype);
      const Tensor all = attention.forward(x);
      for (std::int64_t b = 0; b < 16; ++b) {
        ASSERT_TRUE(same_bits(attention.forward(slice(x, 0, b, b + 1)), slice(all, 0, b, b + 1)))
            << T << " " << b;
      }
    }
  });
}

TEST(MultiHead, CausalOutputsDoNotKnowWhatComesLater) {
  on_every_set_and_type([](DType dtype) {
    MultiHead attention(10, 2, {.dtype = dtype}, *default_rng(1));
    randomize(attention);
    const Tensor x = normal({1, 9, 10}, dtype);
    Tensor other = x.clone();
    slice(other, 1, 4, 9).copy_from(normal({1, 5, 10}, dtype, 9));
    EXPECT_TRUE(same_bits(slice(attention.forward(x), 1, 0, 4), slice(attention.forward(other), 1, 0, 4)));
    EXPECT_FALSE(same_bits(slice(attention.forward(x), 1, 4, 5), slice(attention.forward(other), 1, 4, 5)));
  });
}

TEST(MultiHead, ReadsAnyLayout) {
  MultiHead attention(6, 2, {}, *default_rng(1));
  randomize(attention);
  const Tensor x = normal({2, 5, 6}, float32);
  const Tensor expected = attention.forward(x);
  for (const Layout& layout : layouts_of(x)) {
    EXPECT_TRUE(same_bits(attention.forward(layout.tensor), expected)) << layout.name;
  }
}

TEST(MultiHead, NothingInGivesNothingOut) {
  const MultiHead attention(8, 2, {}, *default_rng(1));
  EXPECT_EQ(attention.forward(zeros({0, 5, 8})).shape(), (Shape{0, 5, 8}));
  EXPECT_EQ(attention.forward(zeros({2, 0, 8})).shape(), (Shape{2, 0, 8}));
}

TEST(MultiHead, DrawsTheProjectionsInTheirOrder) {
  const MultiHead attention(6, 2, {.weight_scale = 0.5, .output_scale = 0.25}, *default_rng(4));
  const std::unique_ptr<Rng> rng = default_rng(4);
  EXPECT_TRUE(
      same_bits(attention.parameter("query_key_value.weight"), scaled_normal({6, 18}, 0.5, float32, *rng)));
  EXPECT_TRUE(same_bits(attention.parameter("output.weight"), scaled_normal({6, 6}, 0.25, float32, *rng)));
}

TEST(MultiHead, DropsWhatComesOutInTrainingOnly) {
  MultiHead attention(8, 2, {.dropout = {.rate = 0.5, .rng = default_rng(5)}}, *default_rng(1));
  randomize(attention);
  const Tensor x = normal({1, 6, 8}, float32);
  const Tensor trained = attention.forward(x);
  attention.eval();
  EXPECT_LE(testing::relative_difference(trained, dropout(attention.forward(x), 0.5, *default_rng(5))), 1e-6);
}

TEST(MultiHead, PrintsItsTree) {
  EXPECT_EQ(to_string(MultiHead(4, 2, {}, *default_rng(1))),
            "attention: MultiHead(4, 2 heads of 2, causal), 80 numbers, 320 bytes\n"
            "  query_key_value: Linear(4 -> 12), 60 numbers, 240 bytes\n"
            "    weight: (4, 12) float32\n"
            "    bias: (12,) float32\n"
            "  heads: list of 2\n"
            "    0: HeadView(4 -> 2, columns from 0, causal)\n"
            "    1: HeadView(4 -> 2, columns from 2, causal)\n"
            "  output: Linear(4 -> 4), 20 numbers, 80 bytes\n"
            "    weight: (4, 4) float32\n"
            "    bias: (4,) float32\n"
            "  dropout: Dropout(0.0)\n");
}

TEST(MultiHead, RefusesWhatDoesNotFit) {
  const MultiHead attention(8, 2, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              attention.forward(zeros({4, 8, 16}));
            }),
            "attention: x is (4, 8, 16), expected (B, T, C=8): dimension 2 (C) is 16, not 8");
  EXPECT_EQ(error_of<ShapeError>([&] {
              attention.heads()[1].forward(zeros({4, 8, 8}));
            }),
            "attention.heads.1: query_key_value is (4, 8, 8), expected (B, T, 3C=24): dimension 2 (3C) is 8, "
            "not 24");
}

TEST(MultiHead, RefusesSizesThatCannotBe) {
  const std::unique_ptr<Rng> rng = default_rng(1);
  EXPECT_EQ(error_of<ValueError>([&] { MultiHead(30, 4, {}, *rng); }),
            "MultiHead: n_embd=30 is not divisible by n_head=4");
  EXPECT_EQ(error_of<ValueError>([&] { MultiHead(2, 4, {}, *rng); }),
            "MultiHead: n_embd=2 is not divisible by n_head=4");
  EXPECT_EQ(error_of<ValueError>([&] { MultiHead(0, 4, {}, *rng); }),
            "MultiHead: n_embd is 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([&] { MultiHead(8, 0, {}, *rng); }),
            "MultiHead: n_head is 0, expected 1 or more");
  EXPECT_EQ(rng->standard_normal(), default_rng(1)->standard_normal()) << "a refusal draws nothing";
}

}  // namespace
}  // namespace wick
