#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Transpose, WithoutAxesSwapsTheLastTwo) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    const Tensor y = transpose(tensor({{0, 1, 2}, {3, 0, 5}}, dtype));
    EXPECT_EQ(y.dtype(), dtype);
    EXPECT_EQ(y.shape(), Shape({3, 2}));
    EXPECT_EQ(y.at({2, 1}), dtype == boolean ? 1 : 5);
    EXPECT_EQ(y.at({1, 1}), 0);
  }
  EXPECT_EQ(transpose(zeros({4, 2, 3})).shape(), Shape({4, 3, 2}));
  EXPECT_EQ(transpose(zeros({2, 0})).shape(), Shape({0, 2}));
}

TEST(Transpose, PutsDimensionsInTheOrderOfTheAxes) {
  const std::vector<std::pair<Shape, Dimensions>> cases = {
      {{}, {}},
      {{4}, {0}},
      {{4}, {-1}},
      {{2, 3}, {0, 1}},
      {{2, 3}, {1, 0}},
      {{2, 3, 4}, {2, 0, 1}},
      {{2, 3, 4}, {0, -1, -2}},
      {{2, 0, 4}, {2, 0, 1}},
      {{1, 2, 1, 3, 1, 2, 1, 2}, {7, 0, 5, 2, 3, 4, 1, 6}}};
  for (const auto& [shape, axes] : cases) {
    SCOPED_TRACE(to_string(shape) + " by " + to_string(axes));
    const Tensor x = normal(shape);
    for (const Layout& layout : layouts_of(x)) {
      const Tensor y = transpose(layout.tensor, axes);
      EXPECT_EQ(y.shape(), transpose_shape(shape, axes));
      EXPECT_TRUE(y.shares_storage(layout.tensor));
      const Array in(x);
      Array expected(y.shape());
      for (const Index& index : positions(y.shape())) {
        Index source(index.size());
        for (int i = 0; i < axes.rank(); ++i) {
          const std::int64_t axis = axes[i] < 0 ? axes[i] + axes.rank() : axes[i];
          source[static_cast<std::size_t>(axis)] = index[static_cast<std::size_t>(i)];
        }
        expected[index] = in[source];
      }
      expect_exactly(y, expected);
    }
  }
}

TEST(Transpose, TwiceIsTheIdentity) {
  const Tensor x = normal({2, 3, 4});
  EXPECT_TRUE(transpose(transpose(x, {0, -1, -2}), {0, -1, -2}).is_same(x));
  EXPECT_TRUE(transpose(transpose(x)).is_same(x));
}

TEST(Transpose, OntoItselfAndOfATemporary) {
  Tensor x = tensor({{1, 2, 3}, {4, 5, 6}}, float64);
  x = transpose(x);
  expect_values(x, {{1, 4}, {2, 5}, {3, 6}});
  x = transpose(x, {1, 0});
  expect_values(x, {{1, 2, 3}, {4, 5, 6}});
  const Tensor view = transpose(slice(full({300, 200}, 7), 0, 100, 102));
  leave_nan({300, 200}, float32);
  expect_exactly(view, Array(full({200, 2}, 7)));
}

TEST(Transpose, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(transpose_shape({1 << 20, 1 << 20, 3}, {1, -1, 0}), Shape({1 << 20, 3, 1 << 20}));
            }),
            0);
}

TEST(Transpose, SaysWhatIsWrongWithTheAxes) {
  const auto error = [](const Dimensions& axes) {
    std::string of_rule = error_of<ShapeError>([&] { transpose_shape({2, 3, 4}, axes); });
    EXPECT_EQ(error_of<ShapeError>([&] { transpose(zeros({2, 3, 4}), axes); }), of_rule);
    return of_rule;
  };
  EXPECT_EQ(error({0, 1}), "transpose: axes (0, 1) for a tensor of rank 3: one for each dimension is needed");
  EXPECT_EQ(error({0, 1, 2, 3}),
            "transpose: axes (0, 1, 2, 3) for a tensor of rank 3: one for each dimension is needed");
  EXPECT_EQ(error({}), "transpose: axes () for a tensor of rank 3: one for each dimension is needed");
  EXPECT_EQ(error({0, 0, 1}), "transpose: axis 0 is given twice in (0, 0, 1)");
  EXPECT_EQ(error({-1, 0, 2}), "transpose: axis 2 is given twice in (-1, 0, 2)");
  EXPECT_EQ(error({2, 0, -1}), "transpose: axis -1 is given twice in (2, 0, -1)");
  EXPECT_EQ(error_of<IndexError>([] {
              transpose(zeros({2, 3, 4}), {0, -5, 1});
            }),
            "transpose: axis -5: axes of a tensor of rank 3 lie in [-3, 2]");
  EXPECT_EQ(error_of<IndexError>([] {
              transpose(zeros({2, 3, 4}), {0, 3, 1});
            }),
            "transpose: axis 3: axes of a tensor of rank 3 lie in [-3, 2]");
  EXPECT_EQ(error_of<ShapeError>([] { transpose(zeros({4})); }),
            "transpose: a tensor of shape (4,) has no two last dimensions to exchange");
  EXPECT_EQ(error_of<ShapeError>([] { transpose(zeros({})); }),
            "transpose: a tensor of shape () has no two last dimensions to exchange");
}

TEST(Transpose, HasItsGradient) {
  expect_gradients_everywhere([](const Inputs& in) { return transpose(in[0]); }, {normal({2, 3})});
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return transpose(in[0], {2, 0, 1});
      },
      {normal({2, 3, 4})});
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return transpose(in[0], {1, -1, 0});
      },
      {normal({2, 0, 4})});
  expect_gradients_everywhere([](const Inputs& in) { return transpose(in[0], {}); }, {normal({})});
}

TEST(Transpose, SavesNothing) {
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  EXPECT_EQ(transpose(x).node()->saved_bytes(), 0);
}

}  // namespace
}  // namespace wick
