#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/strided.h>

namespace wick {
namespace {

using Integers = std::vector<std::int64_t>;

// The offsets that for_each_row visits, in its order.
Integers visited_offsets(const Shape& shape, const Strides& strides) {
  Integers offsets;
  for_each_row<1>(shape, {strides}, [&](auto starts, std::int64_t n, auto steps) {
    for (std::int64_t i = 0; i < n; ++i) offsets.push_back(starts[0] + i * steps[0]);
  });
  return offsets;
}

// The same by counting positions up, one by one.
Integers reference(const Shape& shape, const Strides& strides) {
  Integers offsets;
  for (std::int64_t i = 0; i < shape.numel(); ++i) {
    std::int64_t rest = i;
    std::int64_t offset = 0;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      offset += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    offsets.push_back(offset);
  }
  return offsets;
}

int rows_of(const Shape& shape, const Strides& strides) {
  int rows = 0;
  for_each_row<1>(shape, {strides}, [&](auto, std::int64_t, auto) { ++rows; });
  return rows;
}

TEST(ForEachRow, VisitsEveryElementOnceInRowMajorOrder) {
  const std::vector<std::pair<Shape, Strides>> layouts = {
      {{}, {}},
      {{5}, {1}},
      {{5}, {-1}},
      {{1, 1, 1}, {7, 7, 7}},
      {{2, 3}, {3, 1}},
      {{3, 2}, {1, 3}},
      {{2, 3}, {0, 0}},
      {{2, 3, 4}, {12, 4, 1}},
      {{2, 3, 4}, {4, 8, 1}},
      {{4, 1, 3}, {1, 99, 4}},
      {{2, 3, 4}, {0, 4, 1}},
      {{2, 3, 4}, {4, 0, 1}},
      {{2, 2, 2}, {-4, 2, -1}},
      {{2, 1, 2, 1, 2, 1, 2, 3}, {24, 5, 12, 5, 6, 5, 3, 1}},
      {{2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32, 64, 128}},
  };
  for (const auto& [shape, strides] : layouts) {
    EXPECT_EQ(visited_offsets(shape, strides), reference(shape, strides)) << shape << " " << strides;
  }
}

TEST(ForEachRow, DoesNotCallForAnEmptyShape) {
  EXPECT_EQ(rows_of({0}, {1}), 0);
  EXPECT_EQ(rows_of({3, 0, 2}, {0, 2, 1}), 0);
  EXPECT_EQ(rows_of({2, 0}, {INT64_MAX, INT64_MIN}), 0);
}

TEST(ForEachRow, JoinsWhatLiesInARow) {
  EXPECT_EQ(rows_of({2, 3, 4}, {12, 4, 1}), 1);
  EXPECT_EQ(rows_of({2, 1, 12}, {12, 5, 1}), 1);
  EXPECT_EQ(rows_of({2, 3, 4}, {0, 0, 0}), 1);
  EXPECT_EQ(rows_of({2, 3, 4}, {24, 4, 1}), 2);
  EXPECT_EQ(rows_of({3, 2}, {1, 3}), 3);
}

TEST(ForEachRow, WalksSeveralOperandsInStep) {
  // A matrix, its transpose, and an expanded row.
  std::vector<std::array<std::int64_t, 3>> visited;
  const std::array<Strides, 3> strides{Strides{3, 1}, Strides{1, 2}, Strides{0, 1}};
  for_each_row<3>({2, 3}, strides, [&](auto starts, std::int64_t n, auto steps) {
    for (std::int64_t i = 0; i < n; ++i) {
      visited.push_back({starts[0] + i * steps[0], starts[1] + i * steps[1], starts[2] + i * steps[2]});
    }
  });
  const std::vector<std::array<std::int64_t, 3>> expected = {{0, 0, 0}, {1, 2, 1}, {2, 4, 2},
                                                             {3, 1, 0}, {4, 3, 1}, {5, 5, 2}};
  EXPECT_EQ(visited, expected);
}

TEST(ForEachRow, VisitsAPart) {
  for (const auto& [shape, strides] : std::vector<std::pair<Shape, Strides>>{{{2, 3, 4}, {12, 4, 1}},
                                                                             {{2, 3, 4}, {1, 2, 6}},
                                                                             {{3, 1, 5}, {-5, 9, 2}},
                                                                             {{2, 2, 3}, {100, 0, 7}}}) {
    const std::vector<std::int64_t> all = visited_offsets(shape, strides);
    for (std::int64_t begin = 0; begin <= shape.numel(); ++begin) {
      for (std::int64_t end = begin; end <= shape.numel(); ++end) {
        std::vector<std::int64_t> visited;
        for_each_row<1>(shape, {strides}, begin, end, [&](auto offsets, std::int64_t n, auto steps) {
          for (std::int64_t i = 0; i < n; ++i) visited.push_back(offsets[0] + i * steps[0]);
        });
        EXPECT_EQ(visited, std::vector<std::int64_t>(all.begin() + begin, all.begin() + end))
            << shape << " " << strides << ", elements " << begin << " to " << end;
      }
    }
  }
}

TEST(OffsetsOf, AreWhereTheElementStandsInEachOperand) {
  const std::array<Strides, 2> strides{Strides{12, 4, 1}, Strides{-1, 0, 2}};
  const Shape shape{2, 3, 4};
  std::int64_t index = 0;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k, ++index) {
        const std::array<std::int64_t, 2> expected{index, -i + 2 * k};
        EXPECT_EQ(offsets_of(index, shape, strides), expected);
      }
    }
  }
  EXPECT_EQ(offsets_of<1>(0, {}, {Strides{}}), (std::array<std::int64_t, 1>{0}));
}

TEST(ForEachGroup, CutsARangeWhereGroupsEnd) {
  for (std::int64_t size = 1; size <= 4; ++size) {
    for (std::int64_t begin = 0; begin <= 9; ++begin) {
      for (std::int64_t end = begin; end <= 9; ++end) {
        std::int64_t next = begin;
        for_each_group(begin, end, size, [&](std::int64_t group, std::int64_t first, std::int64_t count) {
          EXPECT_EQ(group * size + first, next);
          EXPECT_GE(count, 1);
          next += count;
          EXPECT_LE(first + count, size);
          EXPECT_TRUE(next == end || first + count == size) << "cut where no group ends";
        });
        EXPECT_EQ(next, end);
      }
    }
  }
}

TEST(Coalesce, JoinsOnlyWhatAllOperandsWalkWithOneStep) {
  Shape shape{2, 3, 4};
  std::array<Strides, 2> strides{Strides{12, 4, 1}, Strides{0, 4, 1}};
  coalesce(shape, strides);
  EXPECT_EQ(shape, Shape({2, 12}));
  EXPECT_EQ(strides[0], Strides({12, 1}));
  EXPECT_EQ(strides[1], Strides({0, 1}));
}

TEST(Coalesce, DropsSizesOf1AndLeavesAtLeastOneDimension) {
  Shape shape{1, 1};
  std::array<Strides, 1> strides{Strides{INT64_MAX, -5}};
  coalesce(shape, strides);
  EXPECT_EQ(shape, Shape({1}));
  EXPECT_EQ(strides[0], Strides({0}));
}

TEST(BroadcastStrides, StepByNothingAlongExpandedDimensions) {
  EXPECT_EQ(broadcast_strides({3}, {1}, {2, 3}), Strides({0, 1}));
  EXPECT_EQ(broadcast_strides({2, 1}, {1, 1}, {2, 3}), Strides({1, 0}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 3}), Strides({0, 0}));
  EXPECT_EQ(broadcast_strides({2, 3}, {1, 2}, {2, 3}), Strides({1, 2}));
  EXPECT_EQ(broadcast_strides({1, 3}, {9, 1}, {5, 1, 3}), Strides({0, 9, 1}));
  EXPECT_EQ(broadcast_strides({1}, {1}, {0}), Strides({0}));
}

}  // namespace
}  // namespace wick
