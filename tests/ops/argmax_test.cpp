#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/argmax.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

Array reference(const Tensor& x, int axis) {
  const Array in(x);
  Array result(argmax_shape(x.shape(), axis));
  for (const Index& index : positions(result.shape)) {
    Index place = index;
    place.insert(place.begin() + axis, 0);
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < x.size(axis); ++i) {
      place[static_cast<std::size_t>(axis)] = best;
      const double largest = in[place];
      place[static_cast<std::size_t>(axis)] = i;
      if (!std::isnan(largest) && (std::isnan(in[place]) || in[place] > largest)) best = i;
    }
    result[index] = static_cast<double>(best);
  }
  return result;
}

TEST(Argmax, FindsTheFirstLargestInEveryLayout) {
  for (const Shape& shape :
       {Shape{1}, {37}, {1000}, {3, 7}, {9, 33}, {2, 3, 4}, {0, 3}, {1, 2, 1, 2, 3, 1, 2, 3}}) {
    on_every_set_and_type([&](DType dtype) {
      // Few different numbers, so that there are ties; and some NaN.
      const Tensor ties = default_rng(5)->integers(0, 6, shape).to(dtype);
      std::vector<double> some_nan = normal(shape).to_vector<double>();
      for (std::size_t i = 3; i < some_nan.size(); i += 11) some_nan[i] = kNaN;
      const Tensor with_nan = from_vector(some_nan, shape).to(dtype);
      for (int axis = 0; axis < shape.rank(); ++axis) {
        if (shape[axis] == 0) continue;
        SCOPED_TRACE(to_string(shape) + " along " + std::to_string(axis));
        for (const Tensor& values : {ties, with_nan}) {
          for (const Layout& layout : layouts_of(values)) {
            SCOPED_TRACE(layout.name);
            const Tensor places = argmax(layout.tensor, axis);
            EXPECT_EQ(places.dtype(), int64);
            expect_exactly(places, reference(values, axis));
            expect_exactly(argmax(layout.tensor, axis - shape.rank()), reference(values, axis));
          }
        }
      }
    });
  }
}

TEST(Argmax, TakesTheFirstOfTies) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {2, 8, 19, 64, 100}) {
      EXPECT_EQ(argmax(zeros({n}, dtype)).item<std::int64_t>(), 0);
      for (std::int64_t first = 0; first + 1 < n; ++first) {
        Tensor x = zeros({n}, dtype);
        x.set({first}, 1.0);
        x.set({n - 1}, 1.0);
        EXPECT_EQ(argmax(x).item<std::int64_t>(), first) << n;
      }
    }
    EXPECT_EQ(argmax(tensor({-0., 0.}, dtype)).item<std::int64_t>(), 0);
  });
}

TEST(Argmax, TakesTheFirstNaN) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 5, 16, 37}) {
      for (std::int64_t place = 0; place < n; ++place) {
        Tensor x = full({n}, kInfinity, dtype);
        x.set({place}, kNaN);
        x.set({n - 1}, kNaN);
        EXPECT_EQ(argmax(x).item<std::int64_t>(), place) << n;
      }
    }
  });
}

TEST(Argmax, OfInfinities) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 5, 16, 37}) {
      Tensor x = full({n}, -kInfinity, dtype);
      EXPECT_EQ(argmax(x).item<std::int64_t>(), 0);
      x.set({n - 1}, -1.0);
      EXPECT_EQ(argmax(x).item<std::int64_t>(), n - 1);
      x.set({n / 2}, kInfinity);
      EXPECT_EQ(argmax(x).item<std::int64_t>(), n / 2);
    }
  });
}

TEST(Argmax, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(argmax_shape({2, 3, 4}), Shape({2, 3}));
              EXPECT_EQ(argmax_shape({2, 3, 4}, 0), Shape({3, 4}));
              EXPECT_EQ(argmax_shape({2, 3, 4}, -2), Shape({2, 4}));
              EXPECT_EQ(argmax_shape({5}), Shape());
              EXPECT_EQ(argmax_shape({0, 5}), Shape({0}));
              EXPECT_EQ(argmax_shape({1 << 30, 1 << 30, 2}), Shape({1 << 30, 1 << 30}));
            }),
            0);
}

TEST(Argmax, AnEmptyAxisHasNoLargest) {
  EXPECT_EQ(error_of<ValueError>([] {
              argmax(zeros({5, 0}));
            }),
            "argmax: axis -1 of (5, 0) is empty: nothing is largest");
  EXPECT_EQ(error_of<ValueError>([] {
              argmax_shape({0, 0}, 0);
            }),
            "argmax: axis 0 of (0, 0) is empty: nothing is largest");
  EXPECT_EQ(argmax(zeros({0, 5})).shape(), Shape({0}));
}

TEST(Argmax, RefusesAnAxisThatIsNotThere) {
  EXPECT_EQ(error_of<IndexError>([] {
              argmax(zeros({2, 3}), 2);
            }),
            "argmax: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] { argmax(zeros({})); }),
            "argmax: axis -1: a tensor of rank 0 has no axes");
}

TEST(Argmax, HasNoGradient) {
  Tensor x = normal({2, 3});
  x.set_requires_grad(true);
  EXPECT_FALSE(argmax(x).requires_grad());
}

}  // namespace
}  // namespace wick
