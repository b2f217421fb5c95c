#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/tensor.h>

namespace wick {
namespace {

using Floats = std::vector<double>;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;

Tensor matrix() { return tensor({{1, 2, 3}, {4, 5, 6}}); }
Tensor transposed(const Tensor& x) {
  return x.strided_view({x.size(1), x.size(0)}, {x.strides()[1], x.strides()[0]});
}

TEST(Tensor, KnowsItsShapeAndType) {
  const Tensor x({2, 3, 4}, float64);
  EXPECT_TRUE(x.defined());
  EXPECT_EQ(x.shape(), Shape({2, 3, 4}));
  EXPECT_EQ(x.strides(), Strides({12, 4, 1}));
  EXPECT_EQ(x.dtype(), float64);
  EXPECT_EQ(x.rank(), 3);
  EXPECT_EQ(x.numel(), 24);
  EXPECT_TRUE(x.is_contiguous());
  EXPECT_FALSE(x.requires_grad());
}

TEST(Tensor, SizeCountsAxesFromBothEnds) {
  const Tensor x({2, 3, 4}, float32);
  EXPECT_EQ(x.size(0), 2);
  EXPECT_EQ(x.size(-1), 4);
  EXPECT_EQ(error_of<IndexError>([&] { return x.size(3); }),
            "size: axis 3: axes of a tensor of rank 3 lie in [-3, 2]");
  EXPECT_EQ(error_of<IndexError>([&] { return x.size(-4); }),
            "size: axis -4: axes of a tensor of rank 3 lie in [-3, 2]");
}

TEST(Tensor, TooManyElementsAreAnErrorBeforeAnyAllocation) {
  memory::reset_peak();
  const std::int64_t before = memory::counts().peak;
  EXPECT_EQ(error_of<ShapeError>([] {
              zeros({kTwoTo32, kTwoTo32});
            }),
            "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
  Shape grown;
  for (int i = 0; i < 3; ++i) grown.push_back(kTwoTo32);
  EXPECT_EQ(error_of<ShapeError>([&] { Tensor(grown, float32); }),
            "the number of elements of (4294967296, 4294967296, 4294967296) overflows a 64-bit integer");
  EXPECT_EQ(error_of<ShapeError>([] { zeros({std::int64_t{1} << 61}); }),
            "the bytes of a (2305843009213693952,) tensor of float32 overflow a 64-bit integer");
  EXPECT_EQ(error_of<ShapeError>([] { zeros({std::int64_t{1} << 60}, int64); }),
            "the bytes of a (1152921504606846976,) tensor of int64 overflow a 64-bit integer");
  EXPECT_EQ(error_of<Error>([] { zeros({kHighest}, boolean); }).substr(0, 58),
            "out of memory: a tensor asked for 9223372036854775807 byte");
  EXPECT_EQ(memory::counts().peak, before);
}

TEST(Tensor, ItemIsTheOnlyElement) {
  EXPECT_EQ(tensor(2.5).item(), 2.5);
  EXPECT_EQ(tensor({{{7}}}).item<std::int64_t>(), 7);
  EXPECT_EQ(tensor(2.9).item<std::int64_t>(), 2);
  EXPECT_TRUE(tensor(0.5).item<bool>());
  EXPECT_EQ(tensor(true).item<float>(), 1.0F);
  EXPECT_EQ(tensor(kLowest).item<std::int64_t>(), kLowest);
  EXPECT_EQ(error_of<ShapeError>([] { return matrix().item(); }),
            "item() of a tensor of shape (2, 3), which has 6 elements, not one");
  EXPECT_EQ(error_of<ShapeError>([] { return zeros({0}).item(); }),
            "item() of a tensor of shape (0,), which has 0 elements, not one");
}

TEST(Tensor, AtCountsFromBothEnds) {
  const Tensor x = matrix();
  EXPECT_EQ(x.at({0, 0}), 1);
  EXPECT_EQ(x.at({1, 2}), 6);
  EXPECT_EQ(x.at({-1, -3}), 4);
  EXPECT_EQ(x.at<std::int64_t>({0, -1}), 3);
  EXPECT_EQ(transposed(x).at({2, 0}), 3);
  EXPECT_EQ(tensor(5).at({}), 5);
}

TEST(Tensor, APositionOutsideNamesIndexAndDimension) {
  const Tensor x = matrix();
  EXPECT_EQ(error_of<IndexError>([&] {
              return x.at({0, 3});
            }),
            "position (0, 3) in a tensor of shape (2, 3): index 3 is outside dimension 1 of size 3");
  EXPECT_EQ(error_of<IndexError>([&] {
              return x.at({-3, 0});
            }),
            "position (-3, 0) in a tensor of shape (2, 3): index -3 is outside dimension 0 of size 2");
  EXPECT_EQ(error_of<IndexError>([&] {
              return x.at({kLowest, 0});
            }),
            "position (-9223372036854775808, 0) in a tensor of shape (2, 3): index -9223372036854775808 is "
            "outside dimension 0 of size 2");
  EXPECT_EQ(error_of<IndexError>([] { return zeros({0}).at({0}); }),
            "position (0,) in a tensor of shape (0,): index 0 is outside dimension 0 of size 0");
}

TEST(Tensor, APositionOfAnotherRankIsAnIndexError) {
  const Tensor x = matrix();
  EXPECT_EQ(error_of<IndexError>([&] { return x.at({1}); }),
            "a position of 1 indices in a tensor of shape (2, 3), which has rank 2");
  EXPECT_EQ(error_of<IndexError>([&] { return x.at({}); }),
            "a position of 0 indices in a tensor of shape (2, 3), which has rank 2");
  EXPECT_EQ(error_of<IndexError>([&] {
              return x.at({0, 0, 0, 0, 0, 0, 0, 0, 0});
            }),
            "a position of 9 indices in a tensor of shape (2, 3), which has rank 2");
}

TEST(Tensor, ToVectorReadsAnyLayoutInRowMajorOrder) {
  EXPECT_EQ(matrix().to_vector<double>(), Floats({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(transposed(matrix()).to_vector<double>(), Floats({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(matrix().to_vector<bool>(), std::vector<bool>(6, true));
  EXPECT_EQ(tensor(3).to_vector<std::int64_t>(), Integers({3}));
  EXPECT_TRUE(zeros({2, 0}).to_vector<double>().empty());
}

TEST(Tensor, SpansAreForTheTypeAndTheLayoutThatIsThere) {
  const Tensor x = matrix();
  EXPECT_EQ(x.span<std::int64_t>().size(), 6u);
  EXPECT_EQ(x.span<std::int64_t>()[5], 6);
  EXPECT_EQ(error_of<TypeError>([&] { return x.span<float>(); }),
            "elements of a tensor of int64 asked for as float32; to(float32) converts them");
  EXPECT_EQ(error_of<TypeError>([&] { return x.data<bool>(); }),
            "elements of a tensor of int64 asked for as boolean; to(boolean) converts them");
  EXPECT_EQ(error_of<ShapeError>([&] { return transposed(x).span<std::int64_t>(); }),
            "a span of a tensor of shape (3, 2) with strides (1, 3), which is not contiguous; contiguous() "
            "makes it so");
  EXPECT_TRUE(zeros({0, 3}).span<float>().empty());
}

TEST(Tensor, MutableSpansAreAsStrict) {
  Tensor x = matrix();
  Tensor turned = transposed(x);
  const std::uint32_t version = x.version();
  EXPECT_EQ(error_of<TypeError>([&] { return x.mutable_span<double>(); }),
            "elements of a tensor of int64 asked for as float64; to(float64) converts them");
  EXPECT_EQ(error_of<TypeError>([&] { return x.mutable_data<bool>(); }),
            "elements of a tensor of int64 asked for as boolean; to(boolean) converts them");
  EXPECT_THROW(turned.mutable_span<std::int64_t>(), ShapeError);
  EXPECT_EQ(x.version(), version) << "nobody got the right to write";
  x.mutable_span<std::int64_t>()[0] = 9;
  EXPECT_EQ(x.at({0, 0}), 9);
  EXPECT_EQ(x.version(), version + 1);
}

TEST(Tensor, SetConvertsToTheTypeOfTheTensor) {
  Tensor x = zeros({2}, int64);
  x.set({0}, 2.9);
  x.set({-1}, kHighest);
  EXPECT_EQ(x.to_vector<std::int64_t>(), Integers({2, kHighest}));
  x.set({0}, kLowest);
  EXPECT_EQ(x.at<std::int64_t>({0}), kLowest);
  Tensor mask = zeros({2}, boolean);
  mask.set({1}, 256);
  EXPECT_EQ(mask.to_vector<std::int64_t>(), Integers({0, 1}));
  Tensor scalar = zeros({});
  scalar.set({}, 0.1F);
  EXPECT_EQ(scalar.item<float>(), 0.1F);
  EXPECT_EQ(error_of<IndexError>([&] { x.set({2}, 1); }),
            "position (2,) in a tensor of shape (2,): index 2 is outside dimension 0 of size 2");
}

TEST(Tensor, FillReachesEveryElementOfAViewAndNoOther) {
  Tensor x = zeros({3, 4});
  Tensor column = x.strided_view({3}, {4}, 1);
  column.fill(7);
  EXPECT_EQ(x.to_vector<double>(), Floats({0, 7, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0}));
  Tensor empty_view = x.strided_view({0, 4}, {4, 1});
  empty_view.fill(9);
  EXPECT_EQ(x.at({0, 0}), 0);
}

TEST(Tensor, FillKeepsInt64Exact) {
  Tensor x = zeros({1}, int64);
  x.fill(9007199254740993);
  EXPECT_EQ(x.item<std::int64_t>(), 9007199254740993);
  x.fill(kHighest);
  EXPECT_EQ(x.item<std::int64_t>(), kHighest);
}

TEST(Tensor, BooleansAreBytesOf0And1) {
  Tensor mask({4}, boolean);
  mask.fill(42);
  mask.set({1}, 0);
  mask.strided_view({1}, {1}, 2).copy_from(tensor({-0.5}));
  const auto* bytes = reinterpret_cast<const unsigned char*>(mask.data<bool>());
  EXPECT_EQ(std::vector<int>(bytes, bytes + 4), std::vector<int>({1, 0, 1, 1}));
}

TEST(Tensor, ConvertsElementsToAnotherType) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor x = tensor({-1.5, 0.0, 2.5, std::nan(""), infinity, -infinity}, float64);
  EXPECT_EQ(x.to(int64).to_vector<std::int64_t>(), Integers({-1, 0, 2, kLowest, kHighest, kLowest}));
  EXPECT_EQ(x.to(boolean).to_vector<bool>(), std::vector<bool>({true, false, true, true, true, true}));
  EXPECT_EQ(x.to(float32).dtype(), float32);
  EXPECT_EQ(transposed(matrix()).to(float64).to_vector<double>(), Floats({1, 4, 2, 5, 3, 6}));
  EXPECT_TRUE(transposed(matrix()).to(float64).is_contiguous());
  EXPECT_EQ(tensor({9007199254740993}).to(float64).item(), 9007199254740992.0);
}

TEST(Tensor, ToItsOwnTypeIsTheTensorItself) {
  const Tensor x = transposed(matrix());
  EXPECT_TRUE(x.to(int64).is_same(x));
  EXPECT_FALSE(x.to(float32).shares_storage(x));
}

TEST(Tensor, OfRank0AndOfRank8) {
  EXPECT_EQ(zeros({}).numel(), 1);
  EXPECT_TRUE(zeros({}).is_contiguous());
  Tensor deep = zeros({1, 2, 1, 2, 1, 2, 1, 2}, int64);
  deep.set({0, 1, 0, 1, 0, 1, 0, 1}, 5);
  EXPECT_EQ(deep.to_vector<std::int64_t>().back(), 5);
  EXPECT_EQ(deep.clone().at({0, -1, 0, -1, 0, -1, 0, -1}), 5);
}

}  // namespace
}  // namespace wick
