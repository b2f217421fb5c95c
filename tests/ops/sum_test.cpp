#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/expand.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

struct Case {
  Shape x;
  Dimensions axes;
  Shape kept;     ///< the result with keepdims
  Shape reduced;  ///< and without
};

const std::vector<Case> kCases = {
    {{}, {}, {}, {}},
    {{5}, {0}, {1}, {}},
    {{5}, {}, {5}, {5}},
    {{1}, {-1}, {1}, {}},
    {{0}, {0}, {1}, {}},
    {{2, 3}, {0}, {1, 3}, {3}},
    {{2, 3}, {1}, {2, 1}, {2}},
    {{2, 3}, {0, 1}, {1, 1}, {}},
    {{2, 3}, {}, {2, 3}, {2, 3}},
    {{2, 3, 4}, {-2}, {2, 1, 4}, {2, 4}},
    {{2, 3, 4}, {2, 0}, {1, 3, 1}, {3}},
    {{2, 3, 4}, {0, -1, 1}, {1, 1, 1}, {}},
    {{0, 3}, {0}, {1, 3}, {3}},
    {{0, 3}, {1}, {0, 1}, {0}},
    {{3, 0}, {1}, {3, 1}, {3}},
    {{3, 0}, {0}, {1, 0}, {0}},
    {{2, 0, 4}, {0, 2}, {1, 0, 1}, {0}},
    {{7, 1000}, {1}, {7, 1}, {7}},
    {{1000, 7}, {0}, {1, 7}, {7}},
    {{1, 2, 3, 1, 2, 1, 2, 3}, {7, 2, 4}, {1, 2, 1, 1, 1, 1, 2, 1}, {1, 2, 1, 1, 2}},
};

struct Reference {
  Array sums;
  Array magnitudes;
};

Reference reference(const Tensor& x, const Shape& kept) {
  const Array in(x);
  std::vector<long double> sums(static_cast<std::size_t>(kept.numel()));
  Reference result{Array(kept), Array(kept)};
  for (const Index& index : positions(x.shape())) {
    sums[result.sums.place(index)] += in[index];
    result.magnitudes[index] += std::abs(in[index]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) result.sums.values[i] = static_cast<double>(sums[i]);
  return result;
}

TEST(Sum, AddsOverTheAxesInEveryLayout) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(to_string(one.x) + " over " + to_string(one.axes));
    on_every_set_and_type([&](DType dtype) {
      const Tensor x = normal(one.x, dtype);
      Reference expected = reference(x, one.kept);
      leave_nan(one.kept, dtype);
      const Tensor kept = sum(x, one.axes, /*keepdims=*/true);
      EXPECT_EQ(kept.dtype(), dtype);
      // Rows of a thousand pass through chains of at most some thirty additions.
      expect_near(kept, expected.sums,
                  [&](std::size_t i) { return 32 * epsilon(dtype) * expected.magnitudes.values[i]; });
      leave_nan(one.reduced, dtype);
      const Tensor reduced = sum(x, one.axes);
      EXPECT_EQ(reduced.shape(), one.reduced);
      EXPECT_EQ(reduced.to_vector<double>(), kept.to_vector<double>());
      if (one.axes.rank() == 1) {
        EXPECT_TRUE(testing::same_bits(sum(x, static_cast<int>(one.axes[0])), reduced));
        EXPECT_TRUE(testing::same_bits(sum(x, static_cast<int>(one.axes[0]), true), kept));
      }
      for (const Layout& layout : layouts_of(x)) {
        EXPECT_TRUE(testing::same_bits(sum(layout.tensor, one.axes), reduced)) << layout.name;
      }
    });
  }
}

TEST(Sum, OverEverything) {
  on_every_set_and_type([](DType dtype) {
    EXPECT_EQ(sum(tensor({{1, 2}, {3, 4}}, dtype)).shape(), Shape());
    EXPECT_EQ(sum(tensor({{1, 2}, {3, 4}}, dtype)).item(), 10);
    EXPECT_EQ(sum(tensor({1, 2}, dtype)).dtype(), dtype);
    EXPECT_EQ(sum(full({}, 3, dtype)).item(), 3);
    leave_nan({}, dtype);
    EXPECT_EQ(sum(zeros({3, 0, 2}, dtype)).item(), 0);
    EXPECT_EQ(sum(expand(full({}, 1, dtype), {100, 100})).item(), 10000);
  });
}

TEST(Sum, OverNoAxesIsACopy) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = normal({3, 4}, dtype);
    const Tensor y = sum(x, Dimensions{});
    EXPECT_TRUE(testing::same_bits(y, x));
    EXPECT_FALSE(y.shares_storage(x));
  });
}

TEST(Sum, OfNonFiniteNumbers) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 7, 64, 1000}) {
      for (const double value : {kNaN, kInfinity, -kInfinity}) {
        Tensor x = ones({n}, dtype);
        x.set({n - 1}, value);
        EXPECT_TRUE(is_near(sum(x).item(), value, 0)) << n << " " << value;
      }
    }
    expect_values(sum(tensor({{kInfinity, 1, -kInfinity}, {1, 2, 3}}, dtype), 1), {kNaN, 6});
  });
}

TEST(Sum, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              for (const Case& one : kCases) {
                EXPECT_EQ(sum_shape(one.x, one.axes, true), one.kept);
                EXPECT_EQ(sum_shape(one.x, one.axes), one.reduced);
              }
              EXPECT_EQ(sum_shape({1 << 30, 1 << 30, 2}, {2}), Shape({1 << 30, 1 << 30}));
            }),
            0);
}

TEST(Sum, SaysWhatIsWrongWithTheAxes) {
  EXPECT_EQ(error_of<IndexError>([] {
              sum(zeros({2, 3}), 2);
            }),
            "sum: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] {
              sum_shape({2, 3}, {0, -3});
            }),
            "sum: axis -3: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] { sum(zeros({}), 0); }), "sum: axis 0: a tensor of rank 0 has no axes");
  EXPECT_EQ(error_of<ShapeError>([] {
              sum(zeros({2, 3}), {1, -1});
            }),
            "sum: axis -1 is given twice in (1, -1)");
  EXPECT_EQ(error_of<ShapeError>([] { sum_shape({2, 3}, {0, 0}); }), "sum: axis 0 is given twice in (0, 0)");
}

TEST(Sum, HasItsGradient) {
  for (const Case& one : kCases) {
    if (one.x.numel() > 100) continue;
    SCOPED_TRACE(to_string(one.x) + " over " + to_string(one.axes));
    for (const bool keepdims : {false, true}) {
      expect_gradients_everywhere([&](const Inputs& in) { return sum(in[0], one.axes, keepdims); },
                                  {normal(one.x)});
    }
  }
  expect_gradients_everywhere([](const Inputs& in) { return sum(transpose(in[0])); }, {normal({2, 3})});
}

TEST(Sum, BracesWithNothingInThemAreNoAxes) {
  EXPECT_EQ(sum(ones({2, 3}), {}).shape(), (Shape{2, 3}));
  EXPECT_EQ(sum(ones({2, 3}), {0}).shape(), (Shape{3}));
  EXPECT_EQ(sum(ones({2, 3}), std::int64_t{1}).shape(), (Shape{2}));
}

TEST(Sum, SavesNothing) {
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  EXPECT_EQ(sum(x).node()->saved_bytes(), 0);
  const Tensor y = sum(x, 0);
  EXPECT_EQ(bytes_taken([&] { y.backward(ones({4}, float64)); }), (4 + 12) * 8);  // no copy but the leaf's
}

}  // namespace
}  // namespace wick
