#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

TEST(Slice, TakesEveryStepOfARange) {
  // Every slice of axes of size 0 to 5, from both ends, against counting.
  for (std::int64_t size = 0; size <= 5; ++size) {
    const Tensor x = arange(size);
    for (std::int64_t start = -size; start <= size; ++start) {
      for (std::int64_t stop = -size; stop <= size; ++stop) {
        for (const std::int64_t step :
             {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, kLargest}) {
          SCOPED_TRACE(std::to_string(start) + ":" + std::to_string(stop) + ":" + std::to_string(step) +
                       " of " + std::to_string(size));
          std::vector<std::int64_t> expected;
          const std::int64_t end = stop < 0 ? stop + size : stop;
          for (std::int64_t i = start < 0 ? start + size : start; i < end; i += step) {
            expected.push_back(i);
            if (step > size) break;
          }
          const Tensor y = slice(x, 0, start, stop, step);
          EXPECT_EQ(y.to_vector<std::int64_t>(), expected);
          EXPECT_EQ(slice_shape({size}, 0, start, stop, step), y.shape());
          EXPECT_TRUE(y.shares_storage(x));
        }
      }
    }
  }
}

TEST(Slice, CutsOneAxisInEveryLayout) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    const Tensor x = default_rng(1)->integers(0, 2, {4, 5, 6}).to(dtype);
    for (const Layout& layout : layouts_of(x)) {
      for (int axis = 0; axis < 3; ++axis) {
        SCOPED_TRACE(layout.name + " along " + std::to_string(axis));
        const Tensor y = slice(layout.tensor, axis, 1, -1, 2);
        EXPECT_EQ(y.dtype(), dtype);
        const Array in(x);
        Array expected(slice_shape(x.shape(), axis, 1, -1, 2));
        for (const Index& index : positions(expected.shape)) {
          Index source = index;
          auto& place = source[static_cast<std::size_t>(axis)];
          place = 1 + 2 * place;
          expected[index] = in[source];
        }
        expect_exactly(y, expected);
        expect_exactly(slice(layout.tensor, axis - 3, 1, -1, 2), expected);
      }
    }
  }
}

TEST(Slice, OfASlice) {
  const Tensor x = arange(20);
  expect_values(slice(slice(x, 0, 3, 18, 2), 0, 1, -1, 3), {5, 11});
  EXPECT_EQ(slice(transpose(slice(normal({2, 9}), 1, 4, 4)), 0, 0, 0).shape(), Shape({0, 2}));
}

TEST(Slice, ShapeRuleStandsAlone) {
  EXPECT_EQ(
      bytes_taken([] {
        EXPECT_EQ(slice_shape({1 << 30, 1 << 30}, 1, 0, 1 << 30, 3), Shape({1 << 30, (1 << 30) / 3 + 1}));
      }),
      0);
}

TEST(Slice, SaysWhatReachesOutside) {
  const auto error = [](int axis, std::int64_t start, std::int64_t stop) {
    std::string of_rule = error_of<IndexError>([&] { slice_shape({2, 5}, axis, start, stop); });
    EXPECT_EQ(error_of<IndexError>([&] { slice(zeros({2, 5}), axis, start, stop); }), of_rule);
    return of_rule;
  };
  EXPECT_EQ(error(1, 0, 6), "slice: [0:6] reaches outside axis 1 of size 5 of (2, 5)");
  EXPECT_EQ(error(-1, -6, 5), "slice: [-6:5] reaches outside axis 1 of size 5 of (2, 5)");
  EXPECT_EQ(error(0, 3, 3), "slice: [3:3] reaches outside axis 0 of size 2 of (2, 5)");
  EXPECT_EQ(error(1, kSmallest, kLargest),
            "slice: [-9223372036854775808:9223372036854775807] reaches outside axis 1 of size 5 of (2, 5)");
  EXPECT_EQ(error(2, 0, 1), "slice: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<IndexError>([] { slice(zeros({}), 0, 0, 0); }),
            "slice: axis 0: a tensor of rank 0 has no axes");
}

TEST(Slice, RefusesAStepBelowOne) {
  EXPECT_EQ(error_of<ValueError>([] { slice(zeros({5}), 0, 0, 5, 0); }),
            "slice: a step of 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([] { slice_shape({5}, 0, 4, 0, -1); }),
            "slice: a step of -1, expected 1 or more");
}

TEST(Slice, HasItsGradient) {
  for (int axis = -2; axis < 2; ++axis) {
    for (const auto& [start, stop, step] : std::vector<std::array<std::int64_t, 3>>{
             {0, 4, 1}, {1, 4, 2}, {0, -1, 3}, {-3, 4, 1}, {2, 2, 1}, {3, 1, 1}, {1, 2, kLargest}}) {
      expect_gradients_everywhere([=, start = start, stop = stop, step = step](
                                      const Inputs& in) { return slice(in[0], axis, start, stop, step); },
                                  {normal({4, 4})});
    }
  }
  expect_gradients_everywhere(
      [](const Inputs& in) { return slice(slice(transpose(in[0]), 0, 1, 5, 2), 1, 1, 3); }, {normal({3, 5})});
}

TEST(Slice, SavesNothing) {
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  EXPECT_EQ(slice(x, 0, 1, 2).node()->saved_bytes(), 0);
}

}  // namespace
}  // namespace wick
