#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/cross_entropy.h>
#include <wick/ops/expand.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(CrossEntropy, OfEqualLogitsIsTheLogOfTheirNumber) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t V : {1, 2, 24, 65, 1000}) {
      const Tensor loss = cross_entropy(full({3, V}, -7.5, dtype), zeros({3}, int64));
      EXPECT_EQ(loss.shape(), Shape{});
      EXPECT_EQ(loss.dtype(), dtype);
      EXPECT_NEAR(loss.item(), std::log(static_cast<double>(V)), 8 * epsilon(dtype)) << V;
    }
  });
}

TEST(CrossEntropy, IsStableWhereLogitsAreLarge) {
  on_every_set_and_type([](DType dtype) {
    const Tensor logits = tensor({{1e30, 0, -1e30}, {0, 1e30, 0}}, dtype);
    EXPECT_EQ(cross_entropy(logits, tensor({0, 1})).item(), 0);
    EXPECT_NEAR(cross_entropy(logits, tensor({1, 1})).item() / 5e29, 1, 8 * epsilon(dtype));
  });
}

/// Far below epsilon: 1 + e^-40 is 1, but e^-10 beside 1 is kept.
TEST(CrossEntropy, KeepsItsDigitsWhereTheModelIsSure) {
  on_every_set([] {
    const double loss = cross_entropy(tensor({{30, 20, -99}}, float64), tensor({0})).item();
    EXPECT_NEAR(loss, 4.5398899216870535e-05, 1e-15);
    EXPECT_EQ(cross_entropy(tensor({{40, 0, -99}}, float32), tensor({0})).item(), 0);
  });
}

TEST(CrossEntropy, LeavesOutTheIgnoredId) {
  on_every_set_and_type([](DType dtype) {
    const Tensor logits = normal({2, 3, 5}, dtype);
    for (const std::int64_t ignored : {-100, -1, 3, 77}) {
      const Tensor ids = tensor({{0, ignored, 4}, {ignored, ignored, 2}}, int64);
      double expected = 0;
      for (const auto& [row, id] : {std::pair{0, 0}, std::pair{2, 4}, std::pair{5, 2}}) {
        const Tensor one = slice(reshape(logits, {6, 5}), 0, row, row + 1);
        expected += cross_entropy(one, full({1}, id, int64)).item() / 3;
      }
      const double loss = cross_entropy(logits, ids, {.ignored_id = ignored}).item();
      EXPECT_NEAR(loss, expected, 20 * epsilon(dtype)) << ignored;
    }
  });
}

TEST(CrossEntropy, AnIgnoredRowMayHoldAnything) {
  on_every_set_and_type([](DType dtype) {
    const Tensor logits =
        tensor({{1, 2, 3}, {kNaN, kInfinity, 0}, {-kInfinity, -kInfinity, -kInfinity}}, dtype);
    Tensor leaf = logits.clone();
    leaf.set_requires_grad(true);
    const Tensor loss = cross_entropy(leaf, tensor({2, -1, -1}), {.ignored_id = -1});
    EXPECT_NEAR(loss.item(), 0.40760596444438013, 4 * epsilon(dtype));
    loss.backward();
    expect_values(leaf.grad(),
                  {{0.09003057317038046, 0.24472847105479764, -0.3347590442251782}, {0, 0, 0}, {0, 0, 0}},
                  2 * epsilon(dtype));
  });
}

TEST(CrossEntropy, TheMeanOfNothingIsNaNAndItsGradient0) {
  on_every_set_and_type([](DType dtype) {
    for (const Tensor& ids : {full({2, 3}, 7, int64), zeros({0, 3}, int64), zeros({2, 0}, int64)}) {
      for (const std::int64_t V : {4, 0}) {
        Shape shape = ids.shape();
        shape.push_back(V);
        Tensor logits = normal(shape, dtype).clone();
        logits.set_requires_grad(true);
        const Tensor loss = cross_entropy(logits, ids, {.ignored_id = 7});
        EXPECT_TRUE(std::isnan(loss.item()));
        loss.backward();
        expect_exactly(logits.grad(), Array(zeros(shape)));
      }
    }
  });
}

TEST(CrossEntropy, IsNotFiniteWhereTheFormulaIsNot) {
  on_every_set_and_type([](DType dtype) {
    const auto loss = [&](const NestedList& logits) {
      return cross_entropy(tensor(logits, dtype), tensor(1)).item();
    };
    EXPECT_TRUE(std::isnan(loss({0, 1, kNaN})));
    EXPECT_TRUE(std::isnan(loss({kNaN, 1, 2})));
    EXPECT_TRUE(std::isnan(loss({0, kInfinity, 0})));
    EXPECT_TRUE(std::isnan(loss({kInfinity, 0, 0})));
    EXPECT_TRUE(std::isnan(loss({-kInfinity, -kInfinity, -kInfinity})));
    EXPECT_EQ(loss({0, -kInfinity, 0}), kInfinity);
    EXPECT_EQ(loss({-kInfinity, 3, -kInfinity}), 0);
  });
}

TEST(CrossEntropy, NamesTheIdThatIsOutside) {
  const Tensor logits = zeros({2, 3, 24});
  const auto error = [&](const NestedList& ids, const CrossEntropyOptions& options = {}) {
    return error_of<IndexError>([&] { cross_entropy(logits, tensor(ids, int64), options); });
  };
  EXPECT_EQ(error({{0, 1, 2}, {3, 24, 5}}),
            "cross_entropy: the id at position (1, 1) is 24, outside [0, 24)");
  EXPECT_EQ(error({{0, 1, -1}, {3, 24, 5}}),
            "cross_entropy: the id at position (0, 2) is -1, outside [0, 24)");
  EXPECT_EQ(error({{0, 1, -1}, {3, -2, 5}}, {.ignored_id = -1}),
            "cross_entropy: the id at position (1, 1) is -2, outside [0, 24) and not the ignored -1");
  EXPECT_EQ(error_of<IndexError>([] {
              cross_entropy(zeros({1, 0}), zeros({1}, int64));
            }),
            "cross_entropy: the id at position (0,) is 0, outside [0, 0)");
}

TEST(CrossEntropy, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(cross_entropy_shape({16, 64, 24}, {16, 64}), Shape{});
              EXPECT_EQ(cross_entropy_shape({24}, {}), Shape{});
              EXPECT_EQ(cross_entropy_shape({1 << 30, 1 << 20}, {1 << 30}), Shape{});
            }),
            0);
}

TEST(CrossEntropy, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of<ShapeError>([] {
              cross_entropy_shape({2, 3, 24}, {3, 2});
            }),
            "cross_entropy: logits (2, 3, 24) and ids (3, 2), expected (..., V) and (...)");
  EXPECT_EQ(error_of<ShapeError>([] {
              cross_entropy_shape({6, 24}, {2, 3});
            }),
            "cross_entropy: logits (6, 24) and ids (2, 3), expected (..., V) and (...)");
  EXPECT_EQ(error_of<ShapeError>([] { cross_entropy_shape({}, {}); }),
            "cross_entropy: logits () and ids (), expected (..., V) and (...)");
  EXPECT_EQ(error_of<TypeError>([] { cross_entropy(zeros({3}, int64), zeros({}, int64)); }),
            "cross_entropy: logits is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([] { cross_entropy(zeros({3}), zeros({})); }),
            "cross_entropy: ids is float32, expected int64");
  EXPECT_EQ(error_of<TypeError>([] { cross_entropy(Tensor(), zeros({}, int64)); }),
            "cross_entropy: logits is an undefined tensor, expected float32 or float64");
}

TEST(CrossEntropy, HasItsGradient) {
  for (const std::int64_t V : {1, 5, 24, 70}) {
    const Tensor ids = default_rng(4)->integers(0, V, {2, 3});
    expect_gradients_everywhere([&](const Inputs& in) { return cross_entropy(in[0], ids); },
                                {normal({2, 3, V})});
    expect_gradients_everywhere([&](const Inputs& in) { return cross_entropy(transpose(in[0]), ids); },
                                {normal({2, V, 3})});
    if (V == 1) continue;  // nothing would be left
    expect_gradients_everywhere(
        [&](const Inputs& in) {
          return cross_entropy(in[0], ids, {.ignored_id = ids.at<std::int64_t>({0, 0})});
        },
        {normal({2, 3, V})});
  }
}

/// What backward keeps: the logits and ids as they are, and two numbers a row. No softmax, no one-hot array.
TEST(CrossEntropy, SavesTwoNumbersARow) {
  Tensor logits = normal({100, 24}, float32);
  logits.set_requires_grad(true);
  const Tensor ids = zeros({100}, int64);
  const Tensor y = cross_entropy(logits, ids);
  EXPECT_EQ(y.node()->saved_bytes(), 100 * 24 * 4 + 100 * 8 + 2 * 100 * 4);
  EXPECT_EQ(y.node()->inputs()[1], nullptr);
  EXPECT_EQ(bytes_taken([&] { cross_entropy(logits.detach(), ids); }), 4 + 100 * 4 + 2 * 100 * 4);
}

TEST(CrossEntropy, FindsOutThatItsInputsWereWrittenTo) {
  Tensor leaf = normal({3, 2}, float32);
  leaf.set_requires_grad(true);
  Tensor ids = tensor({1, 0, 1});
  const Tensor y = cross_entropy(leaf, ids);
  ids.set({0}, 0);
  EXPECT_EQ(
      error_of<GraphError>([&] { y.backward(); }),
      "cross_entropy: a value of shape (3,) that backward needs was written to after the op had used it "
      "(version 2, saved at 1)");
}

/// A row's gradient depends on the row and the number of rows, not on the others or where it stands.
TEST(CrossEntropy, RowsDoNotKnowOfEachOther) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t V : {3, 24, 100}) {
      const Tensor row = normal({1, V}, dtype);
      const auto gradient = [&](Tensor logits) {
        logits.set_requires_grad(true);
        cross_entropy(logits, full({logits.size(0)}, 2, int64)).backward(full({}, 8, dtype));
        return logits.grad();
      };
      const Tensor alone = gradient(expand(row, {8, V}).clone());
      Tensor among_others = normal({8, V}, dtype, 5);
      slice(among_others, 0, 5, 6).copy_from(row);
      EXPECT_TRUE(
          testing::same_bits(slice(gradient(among_others), 0, 5, 6).clone(), slice(alone, 0, 0, 1).clone()))
          << V;
    }
  });
}

}  // namespace
}  // namespace wick
