#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>

namespace wick {
namespace {

using Floats = std::vector<double>;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Tensor matrix() { return arange(6, float64).strided_view({2, 3}, {3, 1}); }
Tensor transposed(const Tensor& x) {
  return x.strided_view({x.size(1), x.size(0)}, {x.strides()[1], x.strides()[0]});
}

TEST(ByteCount, CountsRepeatedElementsOnce) {
  EXPECT_EQ(byte_count(zeros({2, 3}, float64)), 48);
  EXPECT_EQ(byte_count(zeros({2, 3}, boolean)), 6);
  EXPECT_EQ(byte_count(zeros({}, float32)), 4);
  EXPECT_EQ(byte_count(zeros({0, 3}, float32)), 0);
  EXPECT_EQ(byte_count(zeros({3}, float32).strided_view({5, 3}, {0, 1})), 12);
  EXPECT_EQ(byte_count(zeros({3}, float32).strided_view({0, 3}, {0, 1})), 0);
  EXPECT_EQ(byte_count(Tensor()), 0);
}

TEST(TensorHandles, ACopySeesWhatIsWrittenThroughTheOther) {
  Tensor x = zeros({2});
  const Tensor copy = x;
  x.set({0}, 3);
  EXPECT_EQ(copy.at({0}), 3);
  EXPECT_TRUE(copy.is_same(x));
  EXPECT_TRUE(copy.shares_storage(x));
  EXPECT_EQ(copy.version(), x.version());
}

TEST(TensorHandles, ShowOneMemoryAndOneVersionThroughEveryView) {
  Tensor x = matrix();
  Tensor turned = transposed(x);
  const std::uint32_t before = x.version();
  turned.set({2, 0}, 9);
  EXPECT_EQ(x.at({0, 2}), 9);
  EXPECT_GT(x.version(), before);
  EXPECT_EQ(x.version(), turned.version());
  EXPECT_TRUE(turned.shares_storage(x));
  EXPECT_FALSE(turned.is_same(x));
  EXPECT_TRUE(transposed(turned).is_same(x));
}

TEST(TensorHandles, ReadingIsNoNewVersion) {
  const Tensor x = matrix();
  const std::uint32_t before = x.version();
  static_cast<void>(x.at({0, 0}));
  static_cast<void>(x.to_vector<double>());
  static_cast<void>(x.span<double>());
  static_cast<void>(x.clone());
  static_cast<void>(x.to(float32));
  EXPECT_EQ(x.version(), before);
}

TEST(TensorHandles, AViewKeepsTheStorageAlive) {
  const Tensor turned = transposed(matrix());
  EXPECT_EQ(turned.to_vector<double>(), Floats({0, 3, 1, 4, 2, 5}));
}

TEST(TensorHandles, AMovedFromTensorIsUndefined) {
  Tensor x = matrix();
  const Tensor y = std::move(x);
  EXPECT_FALSE(x.defined());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(error_of<TypeError>([&] {
              return x.at({0, 0});
            }),
            "an undefined tensor has no elements to read or write");
  EXPECT_THROW(x.fill(1), TypeError);
  EXPECT_THROW(static_cast<void>(x.to_vector<double>()), TypeError);
  EXPECT_THROW(x.clone(), TypeError);
  EXPECT_EQ(x.version(), 0u);
  x = y;
  EXPECT_EQ(x.at({1, 2}), 5);
}

TEST(TensorClone, HasMemoryOfItsOwnInRowMajorOrder) {
  const Tensor x = transposed(matrix());
  Tensor copy = x.clone();
  EXPECT_FALSE(copy.shares_storage(x));
  EXPECT_EQ(copy.strides(), Strides({2, 1}));
  EXPECT_EQ(copy.to_vector<double>(), x.to_vector<double>());
  copy.fill(0);
  EXPECT_EQ(x.at({2, 1}), 5);
  EXPECT_EQ(zeros({2, 0}).clone().shape(), Shape({2, 0}));
}

TEST(TensorContiguous, CopiesOnlyWhatIsNot) {
  const Tensor x = matrix();
  EXPECT_TRUE(x.contiguous().is_same(x));
  const Tensor turned = transposed(x);
  EXPECT_FALSE(turned.is_contiguous());
  EXPECT_TRUE(turned.contiguous().is_contiguous());
  EXPECT_FALSE(turned.contiguous().shares_storage(x));
  EXPECT_EQ(turned.contiguous().to_vector<double>(), turned.to_vector<double>());
}

TEST(TensorContiguous, StridesOfSizes1DoNotMatter) {
  const Tensor x = zeros({6});
  EXPECT_TRUE(x.strided_view({1, 6}, {99, 1}).is_contiguous());
  EXPECT_TRUE(x.strided_view({3, 1, 2}, {2, 99, 1}).is_contiguous());
  EXPECT_TRUE(x.strided_view({0, 3}, {1, 5}).is_contiguous());
  EXPECT_FALSE(x.strided_view({2, 2}, {3, 1}).is_contiguous());
  EXPECT_FALSE(x.strided_view({2, 2}, {0, 1}).is_contiguous());
}

TEST(StridedView, CountsItsOffsetFromThisTensorsFirstElement) {
  const Tensor x = arange(10);
  const Tensor tail = x.strided_view({8}, {1}, 2);
  EXPECT_EQ(tail.strided_view({3}, {2}, 1).to_vector<double>(), Floats({3, 5, 7}));
  EXPECT_EQ(tail.strided_view({2}, {1}, -2).to_vector<double>(), Floats({0, 1}));
  EXPECT_EQ(x.strided_view({3}, {-4}, 9).to_vector<double>(), Floats({9, 5, 1}));
  EXPECT_EQ(x.strided_view({2, 3}, {0, 0}, 4).to_vector<double>(), Floats(6, 4));
}

TEST(StridedView, ReachesItsStorageToTheLastElementButNotBeyond) {
  const Tensor x = arange(6);
  EXPECT_EQ(x.strided_view({2, 3}, {3, 1}).at({1, 2}), 5);
  EXPECT_EQ(
      error_of<IndexError>([&] {
        x.strided_view({2, 3}, {3, 1}, 1);
      }),
      "a view of shape (2, 3) with strides (3, 1), from element 1 on, reaches outside of a storage of 6");
  EXPECT_EQ(error_of<IndexError>([&] { x.strided_view({2}, {-1}); }),
            "a view of shape (2,) with strides (-1,), from element 0 on, reaches outside of a storage of 6");
  EXPECT_THROW(x.strided_view({}, {}, 6), IndexError);
  EXPECT_THROW(x.strided_view({}, {}, -1), IndexError);
  EXPECT_THROW(x.strided_view({7}, {1}), IndexError);
}

TEST(StridedView, ArithmeticThatOverflowsIsOutside) {
  const Tensor x = arange(6);
  EXPECT_THROW(x.strided_view({std::int64_t{1} << 33}, {std::int64_t{1} << 31}), IndexError);
  EXPECT_THROW(x.strided_view({3}, {std::int64_t{1} << 63}), IndexError);
  EXPECT_THROW(x.strided_view({2, 2}, {kHighest, kHighest}), IndexError);
  EXPECT_THROW(x.strided_view({2, 2}, {kLowest, kLowest}), IndexError);
  EXPECT_THROW(x.strided_view({2, 2}, {kHighest, kLowest}), IndexError);
  EXPECT_THROW(x.strided_view({5}, {1}, 1).strided_view({1}, {1}, kHighest), IndexError);
  EXPECT_THROW(x.strided_view({1}, {1}, kLowest), IndexError);
}

TEST(StridedView, WithoutElementsReachesNothing) {
  const Tensor x = arange(6);
  for (const std::int64_t far : {kLowest, std::int64_t{0}, std::int64_t{99}, kHighest}) {
    const Tensor none = x.strided_view({0, 3}, {far, far}, far);
    EXPECT_EQ(none.numel(), 0);
    EXPECT_TRUE(none.to_vector<double>().empty());
    EXPECT_TRUE(none.clone().defined());
  }
}

TEST(StridedView, NeedsOneStrideForEachDimension) {
  EXPECT_EQ(error_of<ShapeError>([] {
              arange(6).strided_view({2, 3}, {1});
            }),
            "a view of shape (2, 3) with strides (1,): one stride for each dimension is needed");
  EXPECT_THROW(arange(6).strided_view({6}, {1, 1}), ShapeError);
}

TEST(CopyFrom, ConvertsAndWalksAnyLayout) {
  Tensor x = zeros({3, 2}, int64);
  x.copy_from(transposed(tensor({{1.9, -2.9, 3.0}, {4.0, 5.0, 6.0}})));
  EXPECT_EQ(x.to_vector<double>(), Floats({1, 4, -2, 5, 3, 6}));
  Tensor target = zeros({2, 3});
  transposed(target).copy_from(x);
  EXPECT_EQ(target.to_vector<double>(), Floats({1, -2, 3, 4, 5, 6}));
}

TEST(CopyFrom, RefusesAnotherShapeAndChangesNothing) {
  Tensor x = ones({2, 3});
  const std::uint32_t before = x.version();
  EXPECT_EQ(error_of<ShapeError>([&] {
              x.copy_from(zeros({3, 2}));
            }),
            "copy_from: a source of shape (3, 2) into a tensor of shape (2, 3)");
  EXPECT_THROW(x.copy_from(zeros({3})), ShapeError);
  EXPECT_THROW(x.copy_from(Tensor()), TypeError);
  EXPECT_EQ(x.version(), before);
  EXPECT_EQ(x.to_vector<double>(), Floats(6, 1));
}

TEST(CopyFrom, RefusesATargetThatRepeatsItsElements) {
  const Tensor row = arange(3);
  Tensor expanded = row.strided_view({2, 3}, {0, 1});
  EXPECT_EQ(error_of<ShapeError>([&] {
              expanded.copy_from(zeros({2, 3}));
            }),
            "copy_from: into a tensor of shape (2, 3) with strides (0, 1), which repeats its elements");
  EXPECT_EQ(row.to_vector<double>(), Floats({0, 1, 2}));
  row.strided_view({1, 3}, {0, 1}).copy_from(ones({1, 3}));
  EXPECT_EQ(row.to_vector<double>(), Floats({1, 1, 1}));
  row.strided_view({2, 0}, {0, 1}).copy_from(zeros({2, 0}));
}

TEST(CopyFrom, WorksBetweenViewsThatOverlap) {
  Tensor x = arange(6, float32);
  Tensor(x.strided_view({4}, {1}, 2)).copy_from(x.strided_view({4}, {1}));
  EXPECT_EQ(x.to_vector<double>(), Floats({0, 1, 0, 1, 2, 3}));

  Tensor square = arange(9).strided_view({3, 3}, {3, 1});
  square.copy_from(transposed(square));
  EXPECT_EQ(square.to_vector<double>(), Floats({0, 3, 6, 1, 4, 7, 2, 5, 8}));

  Tensor line = arange(4);
  line.copy_from(line.strided_view({4}, {-1}, 3));
  EXPECT_EQ(line.to_vector<double>(), Floats({3, 2, 1, 0}));
}

TEST(CopyFrom, FromItselfChangesNothing) {
  Tensor x = arange(4);
  x.copy_from(x);
  EXPECT_EQ(x.to_vector<double>(), Floats({0, 1, 2, 3}));
}

TEST(IsSame, MeansTheSameElementsInTheSameLayout) {
  const Tensor x = zeros({4});
  EXPECT_TRUE(x.is_same(x.detach()));
  EXPECT_FALSE(x.is_same(x.clone()));
  EXPECT_FALSE(x.is_same(x.strided_view({2, 2}, {2, 1})));
  EXPECT_FALSE(x.strided_view({2}, {1}, 0).is_same(x.strided_view({2}, {1}, 1)));
  EXPECT_FALSE(x.strided_view({2}, {1}).is_same(x.strided_view({2}, {2})));
}

TEST(SoleOwner, SeesAllOfAStorageThatNobodyElseSees) {
  Tensor x = zeros({2, 3});
  EXPECT_TRUE(x.is_sole_owner());
  {
    const Tensor other = x;
    EXPECT_FALSE(x.is_sole_owner());
  }
  EXPECT_TRUE(x.is_sole_owner());
  x = x.strided_view({3, 2}, {2, 1});
  EXPECT_TRUE(x.is_sole_owner()) << "another shape of the same elements";
  Tensor moved = std::move(x);
  EXPECT_TRUE(moved.is_sole_owner());
  moved = moved.strided_view({2, 3}, {1, 2});
  EXPECT_FALSE(moved.is_sole_owner()) << "transposed";
  moved = moved.strided_view({2, 2}, {2, 1});
  EXPECT_FALSE(moved.is_sole_owner()) << "a part";
  EXPECT_FALSE(Tensor().is_sole_owner());
}

TEST(Contiguous, OfATensorThatIsGivenAwayHandsItsMemoryOn) {
  Tensor x = zeros({2, 3});
  const float* memory = x.data<float>();
  const Tensor y = std::move(x).contiguous();
  EXPECT_EQ(y.data<float>(), memory);
  EXPECT_TRUE(y.is_sole_owner());
}

}  // namespace
}  // namespace wick
