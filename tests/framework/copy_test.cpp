#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/copy.h>
#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>
#include <wick/framework/threads.h>

namespace wick {
namespace {

// The permutation of x's axes.
Tensor permuted(const Tensor& x, const Dimensions& axes) {
  Shape shape;
  Strides strides;
  for (const std::int64_t axis : axes) {
    shape.push_back(x.shape()[static_cast<int>(axis)]);
    strides.push_back(x.strides()[static_cast<int>(axis)]);
  }
  return x.strided_view(shape, strides);
}

// Numbers that differ from their neighbours in every direction.
Tensor numbered(const Shape& shape, DType dtype) {
  Tensor x(shape, dtype);
  visit_dtype(dtype, [&]<typename T>() {
    T* out = x.mutable_data<T>();
    for (std::int64_t i = 0; i < x.numel(); ++i) {
      if constexpr (std::is_same_v<T, bool>) {
        out[i] = i * 7 % 3 == 1;
      } else {
        out[i] = static_cast<T>(i);
      }
    }
  });
  return x;
}

// Copies into the middle of a larger tensor: what is around it stays.
template <typename T>
void expect_copied(const Tensor& view, const std::string& what) {
  const std::int64_t margin = 64;
  Tensor around(Shape({view.numel() + 2 * margin}), view.dtype());
  around.fill(1);
  Tensor target = around.strided_view(view.shape(), row_major(view.shape()), view.numel() == 0 ? 0 : margin);
  copy_strided(view.shape(), target.mutable_data<T>(), target.strides(), view.data<T>(), view.strides());
  ASSERT_EQ(target.to_vector<T>(), view.to_vector<T>()) << what;
  const std::vector<T> all = around.to_vector<T>();
  for (std::int64_t i = 0; i < margin; ++i) {
    ASSERT_EQ(all[static_cast<std::size_t>(i)], T(1)) << what;
    ASSERT_EQ(all[all.size() - 1 - static_cast<std::size_t>(i)], T(1)) << what;
  }
}

void expect_copied(const Tensor& view) {
  const std::string what = to_string(view.shape()) + " with strides " + to_string(view.strides()) + ", " +
                           std::string(name(view.dtype()));
  visit_dtype(view.dtype(), [&]<typename T>() { expect_copied<T>(view, what); });
}

const std::vector<DType>& all_types() {
  static const std::vector<DType> types{float32, float64, int64, boolean};
  return types;
}

TEST(Copy, TransposesOfEverySizeAroundASquare) {
  for (const DType dtype : all_types()) {
    for (const std::int64_t rows : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 65}) {
      for (const std::int64_t columns : {1, 3, 8, 15, 16, 17, 32, 63, 64, 65, 130}) {
        expect_copied(permuted(numbered({rows, columns}, dtype), {1, 0}));
      }
    }
  }
}

TEST(Copy, PermutationsOfFourAxes) {
  for (const DType dtype : all_types()) {
    const Tensor x = numbered({3, 17, 2, 16}, dtype);
    std::vector<std::int64_t> axes{0, 1, 2, 3};
    do {
      expect_copied(permuted(x, {axes[0], axes[1], axes[2], axes[3]}));
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
}

TEST(Copy, StepsBackAndStepsOfNoneAndWideOnes) {
  for (const DType dtype : all_types()) {
    const Tensor x = numbered({40, 50}, dtype);
    expect_copied(x.strided_view({40, 50}, {50, -1}, 49));             // each row from its end
    expect_copied(x.strided_view({50, 40}, {-1, -50}, 39 * 50 + 49));  // a transpose from the end
    expect_copied(x.strided_view({25, 20}, {2, 100}));                 // every second of both
    expect_copied(x.strided_view({20, 25}, {100, 2}));
    expect_copied(x.strided_view({6, 33}, {0, 1}));  // one row, repeated
    expect_copied(x.strided_view({33, 6}, {1, 0}));  // each element, repeated
    expect_copied(x.strided_view({4, 33, 20}, {0, 1, 50}));
    expect_copied(x.strided_view({7, 9}, {0, 0}, 3));
    expect_copied(x.strided_view({0, 9}, {1, 7}));
    expect_copied(x.strided_view({}, {}, 5));
  }
}

TEST(Copy, IntoATransposedTarget) {
  for (const DType dtype : all_types()) {
    const Tensor x = numbered({37, 50}, dtype);
    for (const bool from_transposed : {false, true}) {
      const Tensor source = from_transposed ? permuted(numbered({50, 37}, dtype), {1, 0}) : x;
      Tensor target = permuted(zeros({50, 37}, dtype), {1, 0});
      target.copy_from(source);
      EXPECT_EQ(target.to_vector<double>(), source.to_vector<double>());
    }
  }
}

// Large enough to be stored past the caches where lines can be written whole, and in places where they
// cannot.
TEST(Copy, LargeTransposes) {
  for (const DType dtype : {float32, float64}) {
    for (const Shape& shape :
         {Shape({1024, 656}), Shape({1031, 640}), Shape({640, 1031}), Shape({1031, 653})}) {
      expect_copied(permuted(numbered(shape, dtype), {1, 0}));
      const Tensor turned = permuted(numbered(shape, dtype), {1, 0});
      for (const int threads : {1, 2, 3}) {
        const ThreadCount setting(threads);
        EXPECT_EQ(turned.clone().to_vector<double>(), turned.to_vector<double>())
            << to_string(shape) << " on " << threads;
      }
    }
  }
}

TEST(Copy, IsTheSameOnSeveralThreads) {
  for (const DType dtype : all_types()) {
    const Tensor x = numbered({5, 301, 4, 127}, dtype);
    for (const Dimensions& axes :
         {Dimensions({3, 0, 1, 2}), Dimensions({0, 2, 1, 3}), Dimensions({1, 3, 2, 0})}) {
      const Tensor view = permuted(x, axes);
      const std::vector<double> expected = view.to_vector<double>();
      for (const int threads : {1, 2, 3}) {
        const ThreadCount setting(threads);
        EXPECT_EQ(view.clone().to_vector<double>(), expected) << threads << " " << to_string(axes);
      }
    }
  }
}

}  // namespace
}  // namespace wick
