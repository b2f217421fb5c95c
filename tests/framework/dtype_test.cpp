#include <cstdint>

#include <gtest/gtest.h>

#include <wick/framework/dtype.h>

namespace wick {
namespace {

TEST(DType, HasAName) {
  EXPECT_EQ(name(float32), "float32");
  EXPECT_EQ(name(float64), "float64");
  EXPECT_EQ(name(int64), "int64");
  EXPECT_EQ(name(boolean), "boolean");
}

TEST(DType, StandsForACppTypeOfItsSize) {
  for (const DType dtype : {float32, float64, int64, boolean}) {
    visit_dtype(dtype, [&]<typename T>() {
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(sizeof(T), item_size(dtype));
    });
  }
  static_assert(dtype_of<float> == float32 && dtype_of<double> == float64);
  static_assert(dtype_of<std::int64_t> == int64 && dtype_of<bool> == boolean);
  static_assert(!Element<int> && !Element<char> && !Element<const float>);
}

TEST(DType, FloatsAreFloating) {
  EXPECT_TRUE(is_floating(float32));
  EXPECT_TRUE(is_floating(float64));
  EXPECT_FALSE(is_floating(int64));
  EXPECT_FALSE(is_floating(boolean));
}

TEST(VisitDType, ReturnsWhatTheVisitorReturns) {
  EXPECT_EQ(visit_dtype(float64, []<typename T>() { return sizeof(T); }), 8u);
}

}  // namespace
}  // namespace wick
