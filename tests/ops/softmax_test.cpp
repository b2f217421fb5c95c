#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/expand.h>
#include <wick/ops/slice.h>
#include <wick/ops/softmax.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

struct Reference {
  Array weights;
  Array tolerances;
};

// Along an axis counted from the front.
Reference reference(const Tensor& x, int axis) {
  const Array in(x);
  Reference result{Array(x.shape()), Array(x.shape())};
  const std::int64_t n = x.size(axis);
  const double smallest =
      x.dtype() == float32 ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min();
  for (const Index& index : positions(x.shape())) {
    Index other = index;
    double largest = -kInfinity;
    for (auto& i = other[static_cast<std::size_t>(axis)] = 0; i < n; ++i)
      largest = std::max(largest, in[other]);
    long double total = 0;
    for (auto& i = other[static_cast<std::size_t>(axis)] = 0; i < n; ++i) {
      total += std::exp(static_cast<long double>(in[other]) - largest);
    }
    const double weight =
        static_cast<double>(std::exp(static_cast<long double>(in[index]) - largest) / total);
    result.weights[index] = weight;
    result.tolerances[index] =
        (largest - in[index] + static_cast<double>(n) + 4) * epsilon(x.dtype()) * weight + 2 * smallest;
  }
  return result;
}

TEST(Softmax, IsAccurateAlongEveryAxisInEveryLayout) {
  const std::vector<Shape> shapes = {{1},    {5},     {16},      {67},           {300},
                                     {3, 7}, {9, 33}, {2, 3, 4}, {2, 1, 5, 1, 2}};
  for (const Shape& shape : shapes) {
    for (const double spread : {1.0, 30.0}) {
      on_every_set_and_type([&](DType dtype) {
        Array scores(normal(shape));
        for (double& score : scores.values) score *= spread;
        const Tensor x = from_vector(scores.values, shape).to(dtype);
        for (int axis = 0; axis < shape.rank(); ++axis) {
          SCOPED_TRACE(to_string(shape) + " along " + std::to_string(axis));
          const Reference expected = reference(x, axis);
          const Tensor weights = softmax(x, axis);
          EXPECT_EQ(weights.dtype(), dtype);
          EXPECT_TRUE(weights.is_contiguous());
          expect_near(weights, expected.weights,
                      [&](std::size_t i) { return expected.tolerances.values[i]; });
          EXPECT_TRUE(testing::same_bits(softmax(x, axis - shape.rank()), weights));
          for (const Layout& layout : layouts_of(x)) {
            EXPECT_TRUE(testing::same_bits(softmax(layout.tensor, axis), weights)) << layout.name;
          }
        }
      });
    }
  }
}

TEST(Softmax, RowsThatAreNotFinite) {
  on_every_set_and_type([](DType dtype) {
    const auto of = [&](const NestedList& row) { return softmax(tensor(row, dtype)); };
    expect_values(of({-kInfinity, -kInfinity, -kInfinity}), {kNaN, kNaN, kNaN});
    expect_values(of({0, kInfinity}), {kNaN, kNaN});
    expect_values(of({-kInfinity, 0, -kInfinity}), {0, 1, 0});
    expect_values(of({-kInfinity}), {kNaN});
    expect_values(of({kInfinity}), {kNaN});
    expect_values(of({kInfinity, kInfinity}), {kNaN, kNaN});
    expect_values(of({-kInfinity, kInfinity}), {kNaN, kNaN});
    expect_values(of({{1, 1}, {kNaN, 1}, {-kInfinity, 1}}), {{.5, .5}, {kNaN, kNaN}, {0, 1}});
  });
}

TEST(Softmax, OneSpecialValueAnywhereInALongRow) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {3, 16, 37}) {
      for (std::int64_t place = 0; place < n; ++place) {
        for (const double value : {kNaN, kInfinity}) {
          Tensor x = zeros({n}, dtype);
          x.set({place}, value);
          expect_exactly(softmax(x), Array(full({n}, kNaN, dtype)));
        }
        Tensor x = full({n}, -kInfinity, dtype);
        x.set({place}, -3.0);
        Tensor one_hot = zeros({n}, dtype);
        one_hot.set({place}, 1.0);
        expect_exactly(softmax(x), Array(one_hot));
      }
    }
  });
}

TEST(Softmax, TakesTheLargestOffFirst) {
  on_every_set_and_type([](DType dtype) {
    const Tensor weights = softmax(tensor({1000, 1001, 1002}, dtype));
    expect_values(weights, {.0900305733, .244728476, .665240943}, 6e-8);
    EXPECT_TRUE(testing::same_bits(weights, softmax(tensor({1, 2, 3}, dtype))));
    expect_values(softmax(tensor({1e30, 0, -1e30}, dtype)), {1, 0, 0});
    const double largest =
        dtype == float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    expect_values(softmax(tensor({largest, -largest}, dtype)), {1, 0});
  });
}

TEST(Softmax, EqualScoresGetEqualWeightsToTheBit) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 3, 6, 24, 41}) {
      const double weight = dtype == float32 ? 1.0F / static_cast<float>(n) : 1.0 / static_cast<double>(n);
      expect_exactly(softmax(full({n}, -1e9, dtype)), Array(full({n}, weight, dtype)));
      Tensor x = normal({n}, dtype);
      x.set({n - 1}, x.at({0}));
      const Tensor weights = softmax(x);
      EXPECT_EQ(weights.at({0}), weights.at({n - 1}));
    }
  });
}

TEST(Softmax, EmptyShapes) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape : {Shape{0}, Shape{10, 0}, Shape{0, 10}, Shape{2, 0, 3}}) {
      for (int axis = 0; axis < shape.rank(); ++axis) {
        Tensor x = zeros(shape, dtype);
        x.set_requires_grad(true);
        const Tensor y = softmax(x, axis);
        EXPECT_EQ(y.shape(), shape);
        y.backward(zeros(shape, dtype));
        EXPECT_EQ(x.grad().shape(), shape);
      }
    }
  });
}

TEST(Softmax, RefusesAnAxisThatIsNotThere) {
  EXPECT_EQ(error_of<IndexError>([] {
              softmax(zeros({2, 3}), 2);
            }),
            "softmax: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] {
              softmax(zeros({2, 3}), -3);
            }),
            "softmax: axis -3: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] { softmax(zeros({})); }),
            "softmax: axis -1: a tensor of rank 0 has no axes");
}

TEST(Softmax, HasItsGradient) {
  for (const Shape& shape : {Shape{1}, Shape{5}, Shape{2, 3}, Shape{2, 3, 4}, Shape{3, 1}}) {
    for (int axis = -shape.rank(); axis < shape.rank(); ++axis) {
      SCOPED_TRACE(to_string(shape) + " along " + std::to_string(axis));
      expect_gradients_everywhere([&](const Inputs& in) { return softmax(in[0], axis); }, {normal(shape)});
    }
  }
}

TEST(Softmax, HasItsGradientThroughViews) {
  expect_gradients_everywhere(
      [](const Inputs& in) { return transpose(softmax(slice(transpose(in[0]), 0, 1, 4, 2), 0)); },
      {normal({3, 5})});
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return softmax(expand(in[0], {4, 3}), 0);
      },
      {normal({3})});
}

TEST(Softmax, SavesItsOutputAlone) {
  Tensor x = normal({3, 4}, float32);
  x.set_requires_grad(true);
  EXPECT_EQ(softmax(x).node()->saved_bytes(), 48);
  Tensor y = softmax(x);
  x.fill(7);
  y.backward(ones({3, 4}));
}

TEST(Softmax, FindsOutThatItsOutputWasWrittenTo) {
  Tensor x = normal({2, 3}, float32);
  x.set_requires_grad(true);
  Tensor y = softmax(x);
  transpose(y.detach()).set({0, 0}, 7.0);
  EXPECT_EQ(error_of<GraphError>([&] {
              y.backward(ones({2, 3}));
            }),
            "softmax: a value of shape (2, 3) that backward needs was written to after the op had used it "
            "(version 2, saved at 1)");
}

}  // namespace
}  // namespace wick
