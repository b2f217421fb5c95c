// What mean's spec cannot say: its errors, and that it is sum over a count.

#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/observer.h>
#include <wick/ops/mean.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Mean, IsTheSumOverTheCount) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = normal({5, 7, 11}, dtype);
    const auto over = [&](const Tensor& sums, double count) { return sums / full({}, count, dtype); };
    EXPECT_TRUE(same_bits(mean(x), over(sum(x), 385)));
    EXPECT_TRUE(same_bits(mean(x, 1), over(sum(x, 1), 7)));
    EXPECT_TRUE(same_bits(mean(x, -1, true), over(sum(x, -1, true), 11)));
    EXPECT_TRUE(same_bits(mean(x, {0, 2}), over(sum(x, {0, 2}), 55)));
    EXPECT_TRUE(same_bits(mean(x, {-1, 0}, true), over(sum(x, {0, 2}, true), 55)));
    EXPECT_TRUE(same_bits(mean(x, {}), x));
    EXPECT_TRUE(same_bits(mean(transpose(x), {0, 1}), mean(transpose(x).clone(), {0, 1})));
  });
}

TEST(Mean, SmallExamples) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = tensor({{1, 2, 6}, {-4, 0, 1}}, dtype);
    expect_values(mean(x), 1);
    expect_values(mean(x, 0), {-1.5, 1, 3.5});
    expect_values(mean(x, 1, true), {{3}, {-1}});
    expect_values(mean(full({}, 3, dtype)), 3);
    expect_values(mean(zeros({2, 0}, dtype), 1), {kNaN, kNaN});
    expect_values(mean(zeros({0}, dtype)), kNaN);
    EXPECT_EQ(mean(zeros({2, 0}, dtype), 0).shape(), Shape({0}));
    expect_values(mean(tensor({{kInfinity, 1}, {-kInfinity, kInfinity}}, dtype), 1), {kInfinity, kNaN});
  });
}

TEST(Mean, OfMinusZeroIsZero) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = full({3, 5}, -0.0, dtype);
    EXPECT_TRUE(same_bits(mean(x, 0), zeros({5}, dtype)));
    EXPECT_TRUE(same_bits(mean(x, 1), zeros({3}, dtype)));
    EXPECT_TRUE(same_bits(mean(x, {}), zeros({3, 5}, dtype)));
    EXPECT_TRUE(same_bits(mean(slice(x, 0, 0, 1), 0), zeros({5}, dtype)));
    EXPECT_TRUE(same_bits(sum(x), zeros({}, dtype)));
  });
}

TEST(Mean, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(mean_shape({2, 3, 4}, {1}), Shape({2, 4}));
              EXPECT_EQ(mean_shape({2, 3, 4}, {0, -1}, true), Shape({1, 3, 1}));
            }),
            0);
}

TEST(Mean, SaysWhatIsWrongInItsOwnName) {
  EXPECT_EQ(error_of<IndexError>([] {
              mean(zeros({2, 3}), 2);
            }),
            "mean: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error_of<ShapeError>([] {
              mean(zeros({2, 3}), {1, -1});
            }),
            "mean: axis -1 is given twice in (1, -1)");
  EXPECT_EQ(error_of<ShapeError>([] {
              mean_shape({2, 3}, {0, 0});
            }),
            "mean: axis 0 is given twice in (0, 0)");
  EXPECT_EQ(error_of<TypeError>([] { mean(arange(3)); }), "mean: x is int64, expected float32 or float64");
}

TEST(Mean, HasItsGradient) {
  for (const bool keepdims : {false, true}) {
    for (const Dimensions& axes : {Dimensions{}, Dimensions{0}, Dimensions{1, -1}, Dimensions{0, 1, 2}}) {
      expect_gradients_everywhere([&](const Inputs& in) { return mean(in[0], axes, keepdims); },
                                  {normal({2, 3, 5})});
    }
  }
  Tensor x = zeros({0, 3});
  x.set_requires_grad(true);
  mean(x).backward();
  EXPECT_EQ(x.grad().shape(), Shape({0, 3}));
}

TEST(Mean, SavesNothingAndIsOneOp) {
  struct Names final : Observer {
    void on_op(const OpEvent& event) override { all.emplace_back(event.op); }
    std::vector<std::string> all;
  };
  Tensor x = normal({3, 4});
  x.set_requires_grad(true);
  const Names names;
  const Tensor y = mean(x, 0);
  EXPECT_EQ(names.all, std::vector<std::string>{"mean"});
  EXPECT_EQ(y.node()->op(), "mean");
  EXPECT_EQ(y.node()->saved_bytes(), 0);
}

}  // namespace
}  // namespace wick
