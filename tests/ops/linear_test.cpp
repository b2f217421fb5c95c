// What linear's spec cannot say: its errors, and that it is the two ops it stands for.

#include <gtest/gtest.h>

#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(LinearOp, HasTheBitsOfAProductAndASum) {
  for (const DType dtype : {float32, float64}) {
    for (const Shape& x_shape : {Shape{5, 7}, Shape{2, 3, 300}, Shape{2, 1, 4, 17}}) {
      const Tensor x = normal(x_shape, dtype);
      const Tensor weight = normal({x_shape.back(), 19}, dtype, 2);
      const Tensor bias = normal({19}, dtype, 3);
      EXPECT_TRUE(same_bits(linear(x, weight, bias), add(matmul(x, weight), bias))) << x_shape;
    }
  }
}

TEST(LinearOp, TakesViews) {
  const Tensor x = transpose(normal({6, 5}));
  const Tensor weight = transpose(normal({9, 6}, float64, 2));
  const Tensor every_other = normal({18}, float64, 3).strided_view({9}, {2});
  EXPECT_TRUE(same_bits(linear(x, weight, every_other),
                        linear(x.contiguous(), weight.contiguous(), every_other.contiguous())));
}

TEST(LinearOp, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& x, const Shape& weight, const Shape& bias) {
    return error_of<ShapeError>([&] { linear(zeros(x), zeros(weight), zeros(bias)); });
  };
  EXPECT_EQ(error({4, 32}, {16, 8}, {8}), "linear: (4, 32) @ (16, 8): inner dimensions 32 and 16 differ");
  EXPECT_EQ(error({32}, {32, 8}, {8}), "linear: (32,) @ (32, 8): x needs rank 2 or more");
  EXPECT_EQ(error({4, 32}, {2, 32, 8}, {8}), "linear: (4, 32) @ (2, 32, 8): the weight needs rank 2");
  EXPECT_EQ(error({4, 32}, {32, 8}, {4, 8}), "linear: (4, 32) @ (32, 8) + (4, 8): the bias should be (8,)");
  EXPECT_EQ(error_of<TypeError>([] {
              linear(zeros({2, 3}), zeros({3, 4}), zeros({4}, float64));
            }),
            "linear: bias is float64, expected float32");
}

}  // namespace
}  // namespace wick
