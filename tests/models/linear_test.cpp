#include <sstream>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/models/initial.h>
#include <wick/models/linear.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Linear, MultipliesAndAdds) {
  on_every_set_and_type([](DType dtype) {
    Linear linear(3, 2, {.dtype = dtype}, *default_rng(1));
    linear.load_state({{"weight", tensor({{1, 2}, {3, 4}, {5, 6}})}, {"bias", tensor({10, 20})}});
    expect_values(linear.forward(tensor({{1, 0, 2}}, dtype)), {{21, 34}});
  });
}

TEST(Linear, WithoutBiasIsTheProduct) {
  on_every_set_and_type([](DType dtype) {
    const Linear linear(5, 7, {.bias = false, .dtype = dtype}, *default_rng(1));
    const Tensor x = normal({2, 3, 5}, dtype);
    EXPECT_TRUE(same_bits(linear.forward(x), matmul(x, linear.parameter("weight"))));
  });
}

TEST(Linear, ARowIsTheSameInEveryBatch) {
  on_every_set_and_type([](DType dtype) {
    const Linear linear(33, 17, {.dtype = dtype}, *default_rng(1));
    const Tensor x = normal({16, 5, 33}, dtype);
    const Tensor all = linear.forward(x);
    for (std::int64_t b = 0; b < 16; ++b) {
      EXPECT_TRUE(same_bits(linear.forward(slice(x, 0, b, b + 1)), slice(all, 0, b, b + 1))) << b;
    }
  });
}

TEST(Linear, TakesAnyBatchShapeAndNoneAtAll) {
  const Linear linear(4, 3, {}, *default_rng(1));
  EXPECT_EQ(linear.forward(zeros({5, 4})).shape(), (Shape{5, 3}));
  EXPECT_EQ(linear.forward(zeros({2, 3, 5, 4})).shape(), (Shape{2, 3, 5, 3}));
  EXPECT_EQ(linear.forward(zeros({0, 4})).shape(), (Shape{0, 3}));
}

TEST(Linear, DrawsItsWeightRowByRowAndStartsItsBiasAtZero) {
  for (const DType dtype : {float32, float64}) {
    const Linear linear(4, 3, {.weight_scale = 0.5, .dtype = dtype}, *default_rng(7));
    const std::unique_ptr<Rng> rng = default_rng(7);
    for (std::int64_t i = 0; i < 12; ++i) {
      const double drawn = rng->standard_normal() * 0.5;
      EXPECT_EQ(linear.parameter("weight").at({i / 3, i % 3}),
                dtype == float32 ? static_cast<float>(drawn) : drawn);
    }
    EXPECT_TRUE(same_bits(linear.parameter("bias"), zeros({3}, dtype)));
  }
}

TEST(Linear, ScalesDrawsInFloat64AndRoundsOnce) {
  const Tensor weight = scaled_normal({1000}, 0.1, float32, *default_rng(3));
  EXPECT_TRUE(same_bits(weight, scale(default_rng(3)->standard_normal({1000}, float64), 0.1).to(float32)));
}

TEST(Linear, PrintsItself) {
  std::ostringstream tree;
  tree << Linear(64, 16, {}, *default_rng(1));
  EXPECT_EQ(tree.str(),
            "linear: Linear(64 -> 16), 1040 numbers, 4160 bytes\n"
            "  weight: (64, 16) float32\n"
            "  bias: (16,) float32\n");
  EXPECT_EQ(to_string(Linear(64, 16, {.bias = false, .dtype = float64, .name = "head"}, *default_rng(1))),
            "head: Linear(64 -> 16, no bias), 1024 numbers, 8192 bytes\n"
            "  weight: (64, 16) float64\n");
}

TEST(Linear, NamesTheDimensionThatDoesNotFit) {
  const Linear linear(64, 16, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              linear.forward(zeros({2, 6, 32}));
            }),
            "linear: x is (2, 6, 32), expected (..., in_features=64): dimension 2 (in_features) is 32, not "
            "64");
  EXPECT_EQ(error_of<ShapeError>([&] { linear.forward(zeros({})); }),
            "linear: x is (), expected (..., in_features=64): rank 0, not 1 or more");
}

TEST(Linear, RefusesARowWithoutABatch) {
  const Linear linear(4, 3, {}, *default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] { linear.forward(zeros({4})); }),
            "linear: linear: (4,) @ (4, 3): x needs rank 2 or more");
}

TEST(Linear, RefusesAnotherType) {
  const Linear linear(4, 3, {}, *default_rng(1));
  EXPECT_EQ(error_of<TypeError>([&] {
              linear.forward(zeros({2, 4}, float64));
            }),
            "linear: linear: float64 and float32: one type is needed; to() converts");
}

TEST(Linear, RefusesSizesAndTypesThatCannotBe) {
  const std::unique_ptr<Rng> rng = default_rng(1);
  EXPECT_EQ(error_of<ValueError>([&] { Linear(0, 3, {}, *rng); }),
            "Linear: in_features is 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([&] { Linear(3, -1, {}, *rng); }),
            "Linear: out_features is -1, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([&] { Linear(3, 3, {.dtype = int64}, *rng); }),
            "parameters are float32 or float64, not int64");
  EXPECT_EQ(error_of<ValueError>([&] { Linear(3, 3, {.name = "a.b"}, *rng); }).substr(0, 5), "\"a.b\"");
  EXPECT_EQ(rng->standard_normal(), default_rng(1)->standard_normal()) << "a refusal draws nothing";
}

TEST(Linear, LearnsWeightAndBias) {
  const Linear linear(3, 2, {.dtype = float64}, *default_rng(1));
  const Tensor x = normal({4, 3});
  const Tensor g = normal({4, 2}, float64, 2);
  linear.forward(x).backward(g);
  EXPECT_LE(testing::relative_difference(linear.parameter("weight").grad(), matmul(transpose(x), g)), 1e-15);
  EXPECT_LE(testing::relative_difference(linear.parameter("bias").grad(), sum(g, 0)), 1e-15);
}

}  // namespace
}  // namespace wick
