#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/graph_recorder.h>
#include <wick/framework/observer.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Head, NamesItsParameters) {
  const Head head(64, 16, {}, *default_rng(1));
  std::vector<std::string> names;
  for (const NamedTensor& parameter : head.named_parameters()) {
    names.push_back(parameter.name);
    EXPECT_EQ(parameter.tensor.shape(), (Shape{64, 16}));
    EXPECT_EQ(parameter.tensor.dtype(), float32);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"query.weight", "key.weight", "value.weight"}));
  EXPECT_EQ(head.parameter_count(), 3 * 64 * 16);
  EXPECT_EQ(head.path(), "head");
}

TEST(Head, PrintsItsTree) {
  EXPECT_EQ(to_string(Head(64, 16, {}, *default_rng(1))),
            "head: Head(64 -> 16), 3072 numbers, 12288 bytes\n"
            "  query: Linear(64 -> 16, no bias), 1024 numbers, 4096 bytes\n"
            "    weight: (64, 16) float32\n"
            "  key: Linear(64 -> 16, no bias), 1024 numbers, 4096 bytes\n"
            "    weight: (64, 16) float32\n"
            "  value: Linear(64 -> 16, no bias), 1024 numbers, 4096 bytes\n"
            "    weight: (64, 16) float32\n");
  EXPECT_EQ(to_string(Head(2, 3, {.causal = true, .bias = true, .dtype = float64, .name = "attention"},
                           *default_rng(1))),
            "attention: Head(2 -> 3, causal), 27 numbers, 216 bytes\n"
            "  query: Linear(2 -> 3), 9 numbers, 72 bytes\n"
            "    weight: (2, 3) float64\n"
            "    bias: (3,) float64\n"
            "  key: Linear(2 -> 3), 9 numbers, 72 bytes\n"
            "    weight: (2, 3) float64\n"
            "    bias: (3,) float64\n"
            "  value: Linear(2 -> 3), 9 numbers, 72 bytes\n"
            "    weight: (2, 3) float64\n"
            "    bias: (3,) float64\n");
}

TEST(Head, DrawsQueryThenKeyThenValue) {
  for (const DType dtype : {float32, float64}) {
    const Head head(5, 3, {.bias = true, .weight_scale = 0.25, .dtype = dtype}, *random_state(42));
    const std::unique_ptr<Rng> rng = random_state(42);
    for (const char* name : {"query.weight", "key.weight", "value.weight"}) {
      EXPECT_TRUE(same_bits(head.parameter(name), scaled_normal({5, 3}, 0.25, dtype, *rng))) << name;
    }
  }
}

// What the head does, written out.
Tensor expected_out(const Head& head, const Tensor& x, bool causal, bool bias) {
  const auto project = [&](const std::string& name) {
    const Tensor y = matmul(x, head.parameter(name + ".weight"));
    return bias ? y + head.parameter(name + ".bias") : y;
  };
  const Tensor q = project("query");
  const Tensor scores = scale(matmul(q, transpose(project("key"))), 1 / std::sqrt(q.size(-1)));
  return matmul(softmax(causal ? causal_mask(scores) : scores), project("value"));
}

TEST(Head, IsSoftmaxOfQueryTimesKeyTimesValue) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      for (const bool bias : {false, true}) {
        Head head(12, 7, {.causal = causal, .bias = bias, .weight_scale = 0.5, .dtype = dtype},
                  *default_rng(1));
        std::vector<NamedTensor> state = head.state();
        for (NamedTensor& entry : state) entry.tensor = normal(entry.tensor.shape());
        head.load_state(state);
        const Tensor x = normal({3, 9, 12}, dtype, 5);
        EXPECT_LE(testing::relative_difference(head.forward(x), expected_out(head, x, causal, bias)),
                  dtype == float64 ? 1e-14 : 1e-6);
      }
    }
  });
}

TEST(Head, ABatchOfOneAnswersAsItsPlaceInABatchOfSixteen) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t T : {1, 2, 7, 12, 33}) {
      const Head head(33, 17, {.causal = T % 2 == 1, .weight_scale = 0.3, .dtype = dtype}, *default_rng(1));
      const Tensor x = normal({16, T, 33}, dtype);
      const Tensor all = head.forward(x);
      for (std::int64_t b = 0; b < 16; ++b) {
        ASSERT_TRUE(same_bits(head.forward(slice(x, 0, b, b + 1)), slice(all, 0, b, b + 1))) << T << " " << b;
      }
    }
  });
}

TEST(Head, EqualInputsGetEqualOutputsWhereverTheyStand) {
  on_every_set_and_type([](DType dtype) {
    const Head head(20, 9, {.weight_scale = 0.3, .dtype = dtype}, *default_rng(1));
    const Tensor one = normal({1, 1, 20}, dtype);
    Tensor x = normal({1, 31, 20}, dtype, 2);
    for (const std::int64_t t : {0, 13, 30}) slice(x, 1, t, t + 1).copy_from(one);
    const Tensor out = head.forward(x);
    EXPECT_TRUE(same_bits(slice(out, 1, 0, 1), slice(out, 1, 13, 14)));
    EXPECT_TRUE(same_bits(slice(out, 1, 0, 1), slice(out, 1, 30, 31)));
  });
}

TEST(Head, ReadsAnyLayout) {
  on_every_set_and_type([](DType dtype) {
    const Head head(6, 4, {.weight_scale = 0.3, .dtype = dtype}, *default_rng(1));
    const Tensor x = normal({2, 5, 6}, dtype);
    const Tensor expected = head.forward(x);
    for (const Layout& layout : layouts_of(x)) {
      EXPECT_TRUE(same_bits(head.forward(layout.tensor), expected)) << layout.name;
    }
  });
}

TEST(Head, CausalOutputsDoNotKnowWhatComesLater) {
  on_every_set_and_type([](DType dtype) {
    const Head head(10, 6, {.causal = true, .weight_scale = 0.5, .dtype = dtype}, *default_rng(1));
    const Tensor x = normal({1, 9, 10}, dtype);
    Tensor other = x.clone();
    slice(other, 1, 4, 9).copy_from(normal({1, 5, 10}, dtype, 9));
    EXPECT_TRUE(same_bits(slice(head.forward(x), 1, 0, 4), slice(head.forward(other), 1, 0, 4)));
  });
}

TEST(Head, OnePositionGetsItsOwnValue) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      const Head head(8, 4, {.causal = causal, .dtype = dtype}, *default_rng(1));
      Trace trace;
      const Tensor out = head.forward(normal({3, 1, 8}, dtype));
      EXPECT_TRUE(same_bits(trace["head.weights"], ones({3, 1, 1}, dtype)));
      EXPECT_TRUE(same_bits(out, trace["head.value"]));
    }
  });
}

TEST(Head, NothingInGivesNothingOut) {
  const Head head(8, 4, {.causal = true}, *default_rng(1));
  EXPECT_EQ(head.forward(zeros({0, 5, 8})).shape(), (Shape{0, 5, 4}));
  EXPECT_EQ(head.forward(zeros({2, 0, 8})).shape(), (Shape{2, 0, 4}));
}

TEST(Head, TellsObserversEveryStep) {
  const Head head(64, 16, {}, *default_rng(1));
  Trace trace;
  head.forward(zeros({2, 6, 64}));
  const std::vector<std::pair<std::string, Shape>> expected{
      {"head.query", {2, 6, 16}}, {"head.key", {2, 6, 16}},    {"head.value", {2, 6, 16}},
      {"head.scores", {2, 6, 6}}, {"head.weights", {2, 6, 6}}, {"head.out", {2, 6, 16}}};
  ASSERT_EQ(trace.steps().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(trace.steps()[i].first, expected[i].first);
    EXPECT_EQ(trace.steps()[i].second.shape(), expected[i].second) << expected[i].first;
    EXPECT_FALSE(trace.steps()[i].second.requires_grad());
  }
}

// The steps where they are looked at, all at once where not; the gradients of either.
TEST(Head, ObservedOrNotAgrees) {
  on_every_set_and_type([](DType dtype) {
    const double tolerance = dtype == float64 ? 1e-14 : 1e-6;
    for (const bool causal : {false, true}) {
      Head head(64, 16, {.causal = causal, .weight_scale = 0.3, .dtype = dtype}, *default_rng(1));
      for (const std::int64_t T : {1, 6, 11, 140}) {
        const Tensor x = normal({2, T, 64}, dtype);
        const Tensor dy = normal({2, T, 16}, dtype, 2);
        const auto run = [&] {
          std::vector<Tensor> results{head.forward(x)};
          results[0].backward(dy);
          for (const NamedTensor& parameter : head.named_parameters())
            results.push_back(parameter.tensor.grad());
          head.zero_grad();
          return results;
        };
        const std::vector<Tensor> unobserved = run();
        const Trace trace;
        const std::vector<Tensor> observed = run();
        for (std::size_t i = 0; i < observed.size(); ++i) {
          if (T == 1 && (i == 1 || i == 2)) {  // one key has the weight 1, whatever the query
            EXPECT_TRUE(same_bits(unobserved[i], zeros({64, 16}, dtype))) << i;
            continue;
          }
          EXPECT_LE(testing::relative_difference(unobserved[i], observed[i]), (i == 0 ? 1 : 10) * tolerance)
              << "T " << T << ", result " << i;
        }
      }
    }
  });
}

TEST(Head, AnObserverThatLeavesThePathAsItIsSeesOneOp) {
  const Head head(8, 4, {.causal = true}, *default_rng(1));
  GraphRecorder graph(/*wants_steps=*/false);
  head.forward(normal({1, 5, 8}, float32));
  ASSERT_EQ(graph.ops().size(), 4);
  EXPECT_EQ(graph.ops().back().name, "attention");
  EXPECT_EQ(graph.ops().back().step, "head.out");
}

TEST(Head, NamesTheDimensionThatDoesNotFit) {
  const Head head(64, 16, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              head.forward(zeros({1, 6, 32}));
            }),
            "head: x is (1, 6, 32), expected (B, T, C=64): dimension 2 (C) is 32, not 64");
  EXPECT_EQ(error_of<ShapeError>([&] {
              head.forward(zeros({6, 64}));
            }),
            "head: x is (6, 64), expected (B, T, C=64): rank 2, not 3");
  EXPECT_EQ(error_of<ShapeError>([&] {
              head.forward(zeros({1, 2, 6, 64}));
            }),
            "head: x is (1, 2, 6, 64), expected (B, T, C=64): rank 4, not 3");
}

TEST(Head, RefusesAnotherType) {
  const Head head(4, 2, {}, *default_rng(1));
  EXPECT_EQ(error_of<TypeError>([&] {
              head.forward(zeros({1, 2, 4}, float64));
            }),
            "head.query: matmul: float64 and float32: one type is needed; to() converts");
  EXPECT_EQ(error_of<TypeError>([&] {
              head.forward(zeros({1, 2, 4}, int64));
            }),
            "head.query: matmul: the first input is int64, expected float32 or float64");
}

TEST(Head, RefusesSizesThatCannotBe) {
  const std::unique_ptr<Rng> rng = default_rng(1);
  EXPECT_EQ(error_of<ValueError>([&] { Head(0, 16, {}, *rng); }), "Head: n_embd is 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([&] { Head(64, -16, {}, *rng); }),
            "Head: head_size is -16, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([&] { Head(4, 4, {.dtype = int64}, *rng); }),
            "parameters are float32 or float64, not int64");
  EXPECT_EQ(rng->standard_normal(), default_rng(1)->standard_normal()) << "a refusal draws nothing";
}

TEST(Head, LearnsWhatFiniteDifferencesSay) {
  for (const bool causal : {false, true}) {
    const Head head(5, 3, {.causal = causal, .bias = true, .weight_scale = 0.7, .dtype = float64},
                    *default_rng(1));
    const Tensor x = normal({2, 4, 5});
    const Tensor weighing = normal({2, 4, 3}, float64, 2);
    const auto loss = [&] { return sum(head.forward(x) * weighing); };
    loss().backward();
    for (const NamedTensor& parameter : head.named_parameters()) {
      Tensor numeric(parameter.tensor.shape(), float64);
      Tensor values = parameter.tensor;
      for (std::int64_t i = 0; i < values.numel(); ++i) {
        constexpr double step = 1e-6;
        const NoGrad no_grad;
        double& value = values.mutable_span<double>()[static_cast<std::size_t>(i)];
        const double before = value;
        value = before + step;
        const double above = loss().item();
        value = before - step;
        const double below = loss().item();
        value = before;
        numeric.mutable_span<double>()[static_cast<std::size_t>(i)] = (above - below) / (2 * step);
      }
      // A key's bias moves all scores of a row alike: its gradient is 0.
      const Tensor gradient = parameter.tensor.grad();
      EXPECT_TRUE(testing::allclose(gradient, numeric, 1e-7, 1e-8)) << parameter.name;
    }
  }
}

}  // namespace
}  // namespace wick
