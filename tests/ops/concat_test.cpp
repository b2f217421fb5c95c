#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/graph_recorder.h>
#include <wick/ops/concat.h>
#include <wick/ops/expand.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Concat, PutsTensorsEndToEnd) {
  const Tensor a = tensor({{1, 2}, {3, 4}});
  const Tensor b = tensor({{5, 6}});
  expect_values(concat({a, b}), {{1, 2}, {3, 4}, {5, 6}});
  expect_values(concat({b, a, b}, -2), {{5, 6}, {1, 2}, {3, 4}, {5, 6}});
  expect_values(concat({a, transpose(a), a}, 1), {{1, 2, 1, 3, 1, 2}, {3, 4, 2, 4, 3, 4}});
  expect_values(concat({a, expand(full({}, 9, int64), {2, 1})}, 1), {{1, 2, 9}, {3, 4, 9}});
  expect_values(concat({zeros({0}), tensor({1.5F}), zeros({0}), tensor({2.5F, 3.5F})}), {1.5, 2.5, 3.5});
}

TEST(Concat, TakesEveryType) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    const Tensor y = concat({ones({2, 1}, dtype), zeros({2, 2}, dtype)}, 1);
    EXPECT_EQ(y.dtype(), dtype);
    expect_values(y, {{1, 0, 0}, {1, 0, 0}});
  }
}

// A small result is written tensor by tensor, a large one row by row.
TEST(Concat, IsWhatSlicesUndo) {
  for (const Shape& common : {Shape{2, 4, 3}, Shape{300, 60, 70}}) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<Tensor> parts;
      for (const std::int64_t size : {3, 1, 0, 5}) {
        Shape shape = common;
        shape[axis] = size;
        parts.push_back(normal(shape, float64, static_cast<std::uint64_t>(size)));
      }
      Shape joined = common;
      joined[axis] = 9;
      leave_nan(joined, float64);
      const Tensor whole = concat(parts, axis);
      std::int64_t start = 0;
      for (const Tensor& part : parts) {
        const Tensor found = slice(whole, axis, start, start + part.size(axis));
        EXPECT_TRUE(testing::same_bits(found.clone(), part)) << axis;
        start += part.size(axis);
      }
      EXPECT_EQ(start, whole.size(axis));
    }
  }
}

TEST(Concat, OfLargeTensorsTakesEveryTypeAndView) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    const Tensor x = normal({1200, 700}).to(int64).to(dtype);
    const Tensor y = normal({1200, 300}, float64, 2).to(int64).to(dtype);
    const Tensor whole = concat({x, y}, 1);
    EXPECT_TRUE(testing::same_bits(slice(whole, 1, 0, 700).clone(), x));
    EXPECT_TRUE(testing::same_bits(slice(whole, 1, 700, 1000).clone(), y));
    const Tensor of_views = concat({slice(x, 1, 100, 700), transpose(transpose(y).contiguous())}, 1);
    EXPECT_TRUE(testing::same_bits(of_views, slice(whole, 1, 100, 1000).clone()));
    const Tensor narrow = concat({reshape(x, {840000, 1}), reshape(x, {840000, 1})}, 1);
    EXPECT_TRUE(testing::same_bits(slice(narrow, 1, 1, 2).clone(), reshape(x, {840000, 1})));
  }
}

TEST(Concat, OfOneIsACopy) {
  const Tensor x = normal({2, 3});
  const Tensor y = concat({x});
  EXPECT_TRUE(testing::same_bits(x, y));
  EXPECT_FALSE(y.shares_storage(x));
}

TEST(Concat, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(concat_shape({{2, 3}, {5, 3}}), Shape({7, 3}));
              EXPECT_EQ(concat_shape({{2, 3}, {2, 0}, {2, 1}}, -1), Shape({2, 4}));
              EXPECT_EQ(concat_shape({{1 << 30, 4}, {1 << 30, 4}}), Shape({std::int64_t{1} << 31, 4}));
            }),
            0);
}

TEST(Concat, SaysWhatDoesNotFit) {
  EXPECT_EQ(error_of<ValueError>([] { concat({}); }), "concat: no tensors, expected at least one");
  EXPECT_EQ(error_of<ShapeError>([] {
              concat_shape({{2, 3}, {2, 3}, {4, 3, 1}});
            }),
            "concat: tensor 2 is (4, 3, 1), the first (2, 3): their ranks differ");
  EXPECT_EQ(error_of<ShapeError>([] {
              concat_shape({{2, 3, 5}, {2, 4, 5}}, -1);
            }),
            "concat: tensor 1 is (2, 4, 5), the first (2, 3, 5): dimension 1 differs, and the axis is 2");
  EXPECT_EQ(error_of<IndexError>([] {
              concat({zeros({}), zeros({})});
            }),
            "concat: axis 0: a tensor of rank 0 has no axes");
  EXPECT_EQ(error_of<TypeError>([] {
              concat({zeros({2}), zeros({2}, int64)});
            }),
            "concat: tensor 1 is int64, the first is float32");
  EXPECT_EQ(error_of<TypeError>([] {
              concat({zeros({2}), Tensor()});
            }),
            "concat: tensor 1 is an undefined tensor");
  EXPECT_EQ(error_of<ShapeError>([] {
              concat_shape({{std::int64_t{1} << 62}, {std::int64_t{1} << 62}});
            }),
            "concat: the sizes along axis 0 overflow a 64-bit integer");
}

TEST(Concat, HasItsGradient) {
  for (int axis = -2; axis < 2; ++axis) {
    const auto function = [=](const Inputs& in) { return concat({in[0], in[1], in[0], in[2]}, axis); };
    expect_gradients_everywhere(function,
                                {normal({3, 3}), normal({3, 3}, float64, 2), normal({3, 3}, float64, 3)});
  }
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return transpose(concat({transpose(in[0]), in[1]}));
      },
      {normal({2, 3}), normal({1, 2})});
}

TEST(Concat, GradientsAreNotOneMemory) {
  Tensor a = zeros({2}), b = zeros({2});
  a.set_requires_grad(true);
  b.set_requires_grad(true);
  for (int round = 0; round < 2; ++round) concat({a, b, a}).backward(tensor({1.F, 2.F, 3.F, 4.F, 5.F, 6.F}));
  expect_values(a.grad(), {12, 16});
  expect_values(b.grad(), {6, 8});
}

TEST(Concat, SavesNothing) {
  Tensor x = zeros({2});
  x.set_requires_grad(true);
  const Tensor y = concat({x, zeros({3}), x});
  EXPECT_EQ(y.node()->saved_bytes(), 0);
  ASSERT_EQ(y.node()->inputs().size(), 3U);
  EXPECT_EQ(y.node()->inputs()[1], nullptr);
}

TEST(Concat, ObserversSeeAllInputs) {
  GraphRecorder graph;
  std::vector<Tensor> many(7, zeros({1}));
  concat(many);
  ASSERT_EQ(graph.ops().size(), 1U);
  EXPECT_EQ(graph.ops()[0].sources.size(), 7U);
}

}  // namespace
}  // namespace wick
