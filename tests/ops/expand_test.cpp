#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/expand.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

const std::vector<std::pair<Shape, Shape>> kCases = {
    {{}, {}},
    {{}, {3}},
    {{}, {2, 0}},
    {{1}, {1}},
    {{1}, {4}},
    {{1}, {0}},
    {{0}, {2, 0}},
    {{3}, {2, 3}},
    {{3, 1}, {3, 4}},
    {{1, 4}, {3, 4}},
    {{3, 1}, {2, 3, 4}},
    {{2, 1, 3, 1}, {2, 5, 3, 4}},
    {{1, 1}, {1, 1}},
    {{2, 1, 1}, {1, 1, 1, 2, 2, 2, 3, 2}},
};

TEST(Expand, RepeatsWithoutACopyInEveryLayout) {
  for (const auto& [shape, larger] : kCases) {
    for (const DType dtype : {float32, float64, int64, boolean}) {
      const Tensor x = default_rng(1)->integers(0, 2, shape).to(dtype);
      Array expected(larger);
      const Array in(x);
      for (const Index& index : positions(larger)) expected[index] = in[index];
      for (const Layout& layout : layouts_of(x)) {
        SCOPED_TRACE(to_string(shape) + " to " + to_string(larger) + " " + layout.name);
        const Tensor y = expand(layout.tensor, larger);
        EXPECT_EQ(y.dtype(), dtype);
        EXPECT_TRUE(y.shares_storage(layout.tensor));
        expect_exactly(y, expected);
        expect_exactly(y.clone(), expected);
      }
    }
  }
}

TEST(Expand, ToAnyNumberOfElementsCostsNothing) {
  EXPECT_EQ(bytes_taken([] {
              const Tensor y = expand(zeros({1}, boolean), {1 << 30, 1 << 30});
              EXPECT_EQ(y.at({-1, -1}), 0);
            }),
            1);
}

TEST(Expand, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& x, const Shape& shape) {
    return error_of<ShapeError>([&] { expand(zeros(x), shape); });
  };
  EXPECT_EQ(error({3}, {4}), "expand: (3,) and (4,) do not broadcast: dimension -1 is 3 and 4");
  EXPECT_EQ(error({3}, {1}), "expand: (3,) does not broadcast to (1,)");
  EXPECT_EQ(error({2, 3}, {3}), "expand: (2, 3) does not broadcast to (3,)");
  EXPECT_EQ(error({2, 3}, {4}), "expand: (2, 3) and (4,) do not broadcast: dimension -1 is 3 and 4");
  EXPECT_EQ(error({1, 3}, {3}), "expand: (1, 3) does not broadcast to (3,)");
  EXPECT_EQ(error({0}, {1}), "expand: (0,) does not broadcast to (1,)");
  EXPECT_EQ(error({2, 3}, {}), "expand: (2, 3) does not broadcast to ()");
}

TEST(Expand, HasItsGradient) {
  for (const auto& [shape, larger] : kCases) {
    SCOPED_TRACE(to_string(shape) + " to " + to_string(larger));
    expect_gradients_everywhere([larger = larger](const Inputs& in) { return expand(in[0], larger); },
                                {normal(shape)});
  }
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return transpose(expand(slice(in[0], 1, 1, 2), {2, 3, 4}));
      },
      {normal({3, 5})});
}

TEST(Expand, SavesNothing) {
  Tensor x = normal({3, 1});
  x.set_requires_grad(true);
  EXPECT_EQ(expand(x, {3, 4}).node()->saved_bytes(), 0);
}

TEST(SumToShape, UndoesABroadcast) {
  on_every_set_and_type([](DType dtype) {
    for (const auto& [shape, larger] : kCases) {
      SCOPED_TRACE(to_string(larger) + " to " + to_string(shape));
      const Tensor gradient = normal(larger, dtype);
      Array expected(shape);
      const Array all(gradient);
      for (const Index& index : positions(larger)) expected[index] += all[index];
      for (const Layout& layout : layouts_of(gradient)) {
        expect_near(sum_to_shape(layout.tensor, shape), expected,
                    [&](std::size_t) { return 100 * epsilon(dtype); });
      }
    }
  });
  const Tensor same = normal({2, 3});
  EXPECT_TRUE(sum_to_shape(same, {2, 3}).is_same(same));
}

}  // namespace
}  // namespace wick
