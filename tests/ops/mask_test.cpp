#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/expand.h>
#include <wick/ops/mask.h>
#include <wick/ops/matmul.h>
#include <wick/ops/mul.h>
#include <wick/ops/slice.h>
#include <wick/ops/softmax.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

// About a third is blocked, in no pattern that a row or a vector repeats.
Tensor some_blocked(const Shape& shape) {
  std::vector<bool> blocked;
  for (std::int64_t i = 0; i < shape.numel(); ++i) blocked.push_back((i * i + i / 5) % 3 == 1);
  return from_vector(blocked, shape);
}

TEST(Mask, ReplacesWhatIsBlockedInEveryLayout) {
  const std::vector<std::pair<Shape, Shape>> shapes = {{{}, {}},
                                                       {{1}, {}},
                                                       {{37}, {37}},
                                                       {{3, 4}, {3, 4}},
                                                       {{3, 4}, {4}},
                                                       {{3, 4}, {3, 1}},
                                                       {{2, 3, 4}, {3, 4}},
                                                       {{2, 3, 4}, {2, 1, 4}},
                                                       {{0, 3}, {3}},
                                                       {{0, 3}, {1, 3}},
                                                       {{3, 0}, {3, 1}},
                                                       {{3, 700}, {700}},
                                                       {{300, 2}, {2}},
                                                       {{300, 2}, {300, 1}},
                                                       {{1, 2, 1, 2, 1, 2, 2, 3}, {2, 1, 3}}};
  for (const auto& [scores_shape, blocked_shape] : shapes) {
    SCOPED_TRACE(to_string(scores_shape) + " blocked by " + to_string(blocked_shape));
    on_every_set_and_type([&, scores_shape = scores_shape, blocked_shape = blocked_shape](DType dtype) {
      const Tensor scores = normal(scores_shape, dtype);
      const Tensor blocked = some_blocked(blocked_shape);
      for (const double fill : {kMaskFill, 0.0, -kInfinity, kNaN}) {
        Array expected(scores);
        const Array hides(blocked);
        for (const Index& index : positions(scores_shape)) {
          if (hides[index] != 0) expected[index] = fill;
        }
        for (const Layout& left : layouts_of(scores)) {
          for (const Layout& right : layouts_of(blocked)) {
            SCOPED_TRACE(left.name + " blocked by " + right.name);
            leave_nan(scores_shape, dtype);
            expect_exactly(mask(left.tensor, right.tensor, fill), expected);
          }
        }
      }
    });
  }
}

TEST(Mask, BlocksWithMinusABillion) {
  on_every_set_and_type([](DType dtype) {
    const Tensor masked = mask(tensor({kNaN, kInfinity, 3}, dtype), tensor({true, true, false}));
    EXPECT_EQ(masked.dtype(), dtype);
    expect_values(masked, {-1e9, -1e9, 3});
  });
}

TEST(Mask, ReadsAnExpandedMask) {
  on_every_set_and_type([](DType dtype) {
    const Tensor scores = normal({4, 3, 5}, dtype);
    for (const Tensor& blocked :
         {expand(some_blocked({3, 5}), {4, 3, 5}), expand(some_blocked({3, 1}), {4, 3, 5}),
          expand(some_blocked({5}), {3, 5})}) {
      EXPECT_TRUE(testing::same_bits(mask(scores, blocked), mask(scores, blocked.clone())));
    }
  });
}

TEST(Mask, TwiceIsReplacedAndNotAdded) {
  on_every_set_and_type([](DType dtype) {
    const Tensor all = full({3}, 1, boolean);
    const Tensor twice = mask(mask(tensor({1, 2, 3}, dtype), all), all);
    expect_values(twice, {-1e9, -1e9, -1e9});
    const double third = dtype == float32 ? 1.0F / 3 : 1.0 / 3;
    expect_values(softmax(twice), {third, third, third});
    // As the causal and the padding mask do on one cell.
    const Tensor both = causal_mask(mask(tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, dtype), all));
    expect_values(softmax(both), {{third, third, third}, {third, third, third}, {third, third, third}});
  });
}

TEST(Mask, ABlockedWeightIsExactlyZero) {
  on_every_set_and_type([](DType dtype) {
    const Tensor weights = softmax(mask(tensor({{-50, 3, 50}}, dtype), tensor({{false, true, true}})));
    expect_values(weights, {{1, 0, 0}});
  });
}

TEST(Mask, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& scores, const Shape& blocked) {
    return error_of<ShapeError>([&] { mask(zeros(scores), zeros(blocked, boolean)); });
  };
  EXPECT_EQ(error({2, 3}, {4}), "mask: (2, 3) and (4,) do not broadcast: dimension -1 is 3 and 4");
  EXPECT_EQ(error({3}, {2, 3}), "mask: blocked (2, 3) does not broadcast to the scores' shape (3,)");
  EXPECT_EQ(error({1, 3}, {2, 3}), "mask: blocked (2, 3) does not broadcast to the scores' shape (1, 3)");
  EXPECT_EQ(error({3}, {1, 3}), "mask: blocked (1, 3) does not broadcast to the scores' shape (3,)");
  EXPECT_EQ(error({1}, {0}), "mask: blocked (0,) does not broadcast to the scores' shape (1,)");
}

TEST(Mask, GradientPassesByWhatIsBlocked) {
  on_every_set_and_type([](DType dtype) {
    Tensor scores = zeros({1, 5}, dtype);
    scores.set_requires_grad(true);
    const Tensor weights = softmax(mask(scores, tensor({{false, true, false, false, false}})));
    expect_values(weights, {{.25, 0, .25, .25, .25}});
    sum(slice(weights, 1, 2, 3)).backward();
    expect_values(scores.grad(), {{-.0625, 0, .1875, -.0625, -.0625}});
  });
}

TEST(Mask, AFullyBlockedRowIsTheAverageWithFiniteGradients) {
  on_every_set_and_type([](DType dtype) {
    const Tensor blocked = tensor({{true, true, true, true}, {false, false, true, false}});
    const Tensor values = normal({2, 4}, dtype);
    const auto gradient = [&](bool leaves_it_out) {
      Tensor scores = values.clone();
      scores.set_requires_grad(true);
      const Tensor weights = softmax(mask(scores, blocked));
      expect_values(slice(weights, 0, 0, 1), {{.25, .25, .25, .25}});
      if (leaves_it_out) {
        slice(weights, 0, 1, 2).backward(tensor({{1, -2, 3, 4}}, dtype));
      } else {
        weights.backward(tensor({{0, 0, 0, 0}, {1, -2, 3, 4}}, dtype));
      }
      return scores.grad();
    };
    const Tensor left_out = gradient(true);
    for (const double number : left_out.to_vector<double>()) EXPECT_TRUE(std::isfinite(number));
    expect_values(slice(left_out, 0, 0, 1), {{0, 0, 0, 0}});
    EXPECT_TRUE(testing::allclose(left_out, gradient(false), 0, 0));
  });
}

// Queries, keys and values, whose gradients all pass by the row that is blocked.
TEST(Mask, AFullyBlockedRowThatTheLossLeavesOutIsAsIfItWereNotThere) {
  on_every_set_and_type([](DType dtype) {
    const Tensor blocked = tensor({{true, true, true, true}, {false, true, false, false}});
    const auto gradients = [&](bool leaves_it_out) {
      const Inputs in =
          leaves_of({normal({2, 3}, dtype, 1), normal({4, 3}, dtype, 2), normal({4, 5}, dtype, 3)});
      const Tensor y = matmul(softmax(mask(matmul(in[0], transpose(in[1])), blocked)), in[2]);
      const Tensor dy = normal({1, 5}, dtype, 4);
      if (leaves_it_out) {
        slice(y, 0, 1, 2).backward(dy);
      } else {
        y.backward(mul(expand(dy, {2, 5}), tensor({{0}, {1}}, dtype)));
      }
      return Inputs{in[0].grad(), in[1].grad(), in[2].grad()};
    };
    const Inputs left_out = gradients(true);
    const Inputs zero = gradients(false);
    for (std::size_t i = 0; i < left_out.size(); ++i) {
      for (const double number : left_out[i].to_vector<double>()) EXPECT_TRUE(std::isfinite(number)) << i;
      EXPECT_TRUE(testing::allclose(left_out[i], zero[i], 0, 0)) << i;
    }
    expect_values(slice(left_out[0], 0, 0, 1), {{0, 0, 0}});
  });
}

TEST(Mask, HasItsGradient) {
  const std::vector<std::pair<Shape, Shape>> shapes = {
      {{}, {}}, {{5}, {5}}, {{3, 4}, {4}}, {{2, 3, 4}, {3, 1}}, {{0, 3}, {3}}};
  for (const auto& [scores, blocked] : shapes) {
    expect_gradients_everywhere(
        [blocked = some_blocked(blocked)](const Inputs& in) { return mask(in[0], blocked); },
        {normal(scores)});
  }
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return mask(transpose(in[0]), transpose(some_blocked({2, 3})));
      },
      {normal({2, 3})});
}

TEST(Mask, SavesTheMaskAlone) {
  Tensor scores = normal({3, 4});
  scores.set_requires_grad(true);
  EXPECT_EQ(mask(scores, some_blocked({4})).node()->saved_bytes(), 4);
  EXPECT_EQ(causal_mask(scores).node()->saved_bytes(), 0);
}

TEST(CausalMask, BlocksTheKeysAfterEachQuery) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape : {Shape{1, 1},
                               {3, 3},
                               {2, 5},
                               {1, 4},
                               {2, 3, 3, 20},
                               {0, 0},
                               {0, 4},
                               {0, 2, 2},
                               {2, 0, 0},
                               {1, 1, 1, 1, 1, 2, 3, 4}}) {
      const Tensor scores = normal(shape, dtype);
      for (const double fill : {kMaskFill, -kInfinity, 0.0}) {
        Array expected(scores);
        for (const Index& index : positions(shape)) {
          const std::int64_t key = index.back();
          const std::int64_t query = index[index.size() - 2];
          if (key > query + shape[shape.rank() - 1] - shape[shape.rank() - 2]) expected[index] = fill;
        }
        for (const Layout& layout : layouts_of(scores)) {
          SCOPED_TRACE(to_string(shape) + " " + layout.name);
          expect_exactly(causal_mask(layout.tensor, fill), expected);
        }
      }
    }
  });
}

TEST(CausalMask, LeavesItsInputAlone) {
  const Tensor scores = zeros({3, 3});
  causal_mask(scores);
  expect_values(scores, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
}

TEST(CausalMask, WeightsOfZeroScores) {
  on_every_set_and_type([](DType dtype) {
    const double third = dtype == float32 ? 1.0F / 3 : 1.0 / 3;
    const double fifth = dtype == float32 ? .2F : .2;
    expect_values(softmax(causal_mask(zeros({3, 3}, dtype))),
                  {{1, 0, 0}, {.5, .5, 0}, {third, third, third}});
    expect_values(softmax(causal_mask(zeros({2, 5}, dtype))),
                  {{.25, .25, .25, .25, 0}, {fifth, fifth, fifth, fifth, fifth}});
  });
}

TEST(CausalMask, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of<ShapeError>([] {
              causal_mask(zeros({5, 2}));
            }),
            "causal_mask: scores (5, 2): Tq=5 queries are more than Tk=2 keys, so the first would see none");
  EXPECT_EQ(
      error_of<ShapeError>([] {
        causal_mask(zeros({3, 1, 0}));
      }),
      "causal_mask: scores (3, 1, 0): Tq=1 queries are more than Tk=0 keys, so the first would see none");
  EXPECT_EQ(error_of<ShapeError>([] { causal_mask(zeros({4})); }),
            "causal_mask: scores (4,) of rank 1, expected (..., Tq, Tk)");
  EXPECT_EQ(error_of<ShapeError>([] { causal_mask(zeros({})); }),
            "causal_mask: scores () of rank 0, expected (..., Tq, Tk)");
}

TEST(CausalMask, HasItsGradient) {
  for (const Shape& shape : {Shape{3, 3}, {2, 2, 4}, {0, 3}}) {
    expect_gradients_everywhere([](const Inputs& in) { return causal_mask(in[0]); }, {normal(shape)});
  }
  expect_gradients_everywhere(
      [](const Inputs& in) { return softmax(causal_mask(transpose(in[0]), -kInfinity)); }, {normal({4, 3})});
}

}  // namespace
}  // namespace wick
