#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/expand.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

TEST(Reshape, KeepsTheElementsInRowMajorOrder) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    const Tensor y = reshape(tensor({{0, 1, 2}, {3, 0, 5}}, dtype), {3, 2});
    EXPECT_EQ(y.dtype(), dtype);
    if (dtype != boolean) expect_values(y, {{0, 1}, {2, 3}, {0, 5}});
  }
  expect_values(reshape(transpose(tensor({{0, 1, 2}, {3, 4, 5}})), {2, 3}), {{0, 3, 1}, {4, 2, 5}});
}

// A random tensor of `rank` dimensions, small sizes, ones among them, in a random layout: permuted, cut with
// steps, expanded.
Tensor random_view(Rng& rng) {
  const int rank = static_cast<int>(rng.integers(0, 6));
  Shape sizes;
  for (int axis = 0; axis < rank; ++axis) sizes.push_back(rng.integers(1, 5));
  Dimensions order;
  for (const std::int64_t axis : rng.permutation(rank)) order.push_back(axis);
  Tensor x = transpose(reshape(arange(sizes.numel()), sizes), order);
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t kind = rng.integers(0, 6);
    if (kind == 0) {
      x = slice(x, axis, rng.integers(0, x.size(axis)), x.size(axis), rng.integers(1, 3));
    } else if (kind == 1) {
      Shape larger = slice(x, axis, 0, 1).shape();
      larger[axis] = rng.integers(1, 5);
      x = expand(slice(x, axis, 0, 1), larger);
    }
  }
  return x;
}

// The same number of elements, split at random, with ones strewn in.
Dimensions random_split(Rng& rng, std::int64_t count) {
  Dimensions shape;
  while (shape.rank() < 6) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t divisor = 1; divisor <= count; ++divisor) {
      if (count % divisor == 0) divisors.push_back(divisor);
    }
    const auto last = static_cast<std::int64_t>(divisors.size());
    const std::int64_t size = divisors[static_cast<std::size_t>(rng.integers(0, last))];
    shape.push_back(size);
    count /= size;
    if (count == 1 && rng.integers(0, 2) == 0) return shape;
  }
  shape.push_back(count);
  return shape;
}

// Whether some strides show x's memory, in x's order, in this shape. Each stride is what a step along its
// dimension would have to be; every element then decides.
bool can_be_a_view(const Tensor& x, const Dimensions& shape) {
  std::vector<std::int64_t> offsets;  // in the order of x
  for (const Index& index : positions(x.shape())) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < x.rank(); ++axis)
      offset += index[static_cast<std::size_t>(axis)] * x.strides()[axis];
    offsets.push_back(offset);
  }
  const Shape target(std::span(shape.begin(), shape.end()));
  const Strides steps = row_major(target);
  std::size_t place = 0;
  for (const Index& index : positions(target)) {
    std::int64_t offset = 0;
    for (int axis = 0; axis < target.rank(); ++axis) {
      const auto i = index[static_cast<std::size_t>(axis)];
      if (i != 0) offset += i * offsets[static_cast<std::size_t>(steps[axis])];
    }
    if (offset != offsets[place++]) return false;
  }
  return true;
}

TEST(Reshape, IsAViewExactlyWhereTheLayoutAllowsIt) {
  const auto rng = default_rng(17);
  int views = 0;
  constexpr int kTrials = 3000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Tensor x = random_view(*rng);
    const Dimensions shape = random_split(*rng, x.numel());
    SCOPED_TRACE(to_string(x.shape()) + " with strides " + to_string(x.strides()) + " to " +
                 to_string(shape));
    const Tensor y = reshape(x, shape);
    ASSERT_EQ(to_string(y.shape()), to_string(shape));
    ASSERT_EQ(y.to_vector<std::int64_t>(), x.to_vector<std::int64_t>());
    ASSERT_EQ(y.shares_storage(x), can_be_a_view(x, shape));
    views += y.shares_storage(x) ? 1 : 0;
  }
  EXPECT_GT(views, kTrials / 10);
  EXPECT_LT(views, kTrials * 9 / 10);
}

TEST(Reshape, FillsInWhatIsLeft) {
  EXPECT_EQ(reshape_shape({2, 3, 4}, {-1}), Shape({24}));
  EXPECT_EQ(reshape_shape({2, 3, 4}, {4, -1}), Shape({4, 6}));
  EXPECT_EQ(reshape_shape({2, 3, 4}, {-1, 24}), Shape({1, 24}));
  EXPECT_EQ(reshape_shape({}, {-1}), Shape({1}));
  EXPECT_EQ(reshape_shape({0, 3}, {-1}), Shape({0}));
  EXPECT_EQ(reshape_shape({0, 3}, {-1, 5}), Shape({0, 5}));
  EXPECT_EQ(reshape(arange(6), {2, -1}).shape(), Shape({2, 3}));
}

TEST(Reshape, OfEmptyAndOfSingleElements) {
  EXPECT_EQ(reshape(zeros({0, 3}), {2, 0, 5}).shape(), Shape({2, 0, 5}));
  EXPECT_EQ(reshape(zeros({2, 0}), {0}).shape(), Shape({0}));
  EXPECT_EQ(reshape(transpose(zeros({2, 0})), {0, 7}).shape(), Shape({0, 7}));
  EXPECT_EQ(reshape(full({}, 3), {1, 1, 1}).at({0, 0, 0}), 3);
  EXPECT_EQ(reshape(full({1, 1}, 3), {}).item(), 3);
  EXPECT_EQ(reshape(full({1}, 3), {1, 1, 1, 1, 1, 1, 1, 1}).rank(), 8);
}

TEST(Reshape, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(reshape_shape({1 << 30, 1 << 30}, {1 << 15, -1, 1 << 15}),
                        Shape({1 << 15, 1 << 30, 1 << 15}));
            }),
            0);
}

TEST(Reshape, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& x, const Dimensions& shape) {
    std::string of_rule = error_of<ShapeError>([&] { reshape_shape(x, shape); });
    EXPECT_EQ(error_of<ShapeError>([&] { reshape(zeros(x), shape); }), of_rule);
    return of_rule;
  };
  EXPECT_EQ(error({2, 3}, {4}), "reshape: (2, 3) has 6 elements, which do not fill (4,)");
  EXPECT_EQ(error({2, 3}, {-1, 4}), "reshape: (2, 3) has 6 elements, which do not fill (-1, 4)");
  EXPECT_EQ(error({2, 3}, {}), "reshape: (2, 3) has 6 elements, which do not fill ()");
  EXPECT_EQ(error({2, 3}, {0, -1}), "reshape: (2, 3) has 6 elements, which do not fill (0, -1)");
  EXPECT_EQ(error({0}, {0, -1}), "reshape: (0,) has 0 elements, which do not fill (0, -1)");
  EXPECT_EQ(error({0}, {1}), "reshape: (0,) has 0 elements, which do not fill (1,)");
  EXPECT_EQ(error({2, 3}, {-1, -1}),
            "reshape: size -1 in (-1, -1): sizes are not negative, and -1, for what is left, stands once");
  EXPECT_EQ(error({2, 3}, {2, -3}),
            "reshape: size -3 in (2, -3): sizes are not negative, and -1, for what is left, stands once");
  EXPECT_EQ(error({2, 3}, {std::int64_t{1} << 32, std::int64_t{1} << 32}),
            "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
}

TEST(Reshape, CopiesOnceWhereItMust) {
  const Tensor x = normal({3, 4});
  EXPECT_EQ(bytes_taken([&] { reshape(x, {12}); }), 0);
  EXPECT_EQ(bytes_taken([&] { reshape(transpose(x), {12}); }), 12 * 8);
}

TEST(Reshape, WritingThroughAViewShowsInBoth) {
  Tensor x = zeros({2, 3});
  reshape(x, {6}).set({4}, 7);
  EXPECT_EQ(x.at({1, 1}), 7);
}

TEST(Reshape, HasItsGradient) {
  const std::vector<std::pair<Shape, Dimensions>> cases = {
      {{2, 3}, {3, 2}}, {{2, 3, 4}, {-1, 6}}, {{}, {1, 1}}, {{1}, {}}, {{0, 3}, {2, 0}}, {{6}, {1, 2, 1, 3}}};
  for (const auto& [shape, target] : cases) {
    expect_gradients_everywhere([target = target](const Inputs& in) { return reshape(in[0], target); },
                                {normal(shape)});
  }
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return transpose(reshape(transpose(in[0]), {2, 6}));
      },
      {normal({3, 4})});
}

TEST(Reshape, SavesNothing) {
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  EXPECT_EQ(reshape(x, {12}).node()->saved_bytes(), 0);
  EXPECT_EQ(reshape(transpose(x), {12}).node()->saved_bytes(), 0);
}

}  // namespace
}  // namespace wick
