#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/ops/dropout.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

// The same stream in both types, in whatever layout x lies.
TEST(Dropout, DrawsOneNumberPerElementInRowMajorOrder) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape : {Shape{}, {1}, {0}, {3, 0}, {7}, {2, 5, 33}}) {
      const Tensor x = normal(shape, dtype);
      const auto stream = default_rng(5);
      Array expected(x);
      for (double& element : expected.values) element = stream->random() < 0.3 ? 0 : element / 0.7;
      const double next = stream->random();
      for (const Layout& layout : layouts_of(x)) {
        SCOPED_TRACE(to_string(shape) + " " + layout.name);
        const auto rng = default_rng(5);
        const Tensor y = dropout(layout.tensor, 0.3, *rng);
        EXPECT_EQ(y.dtype(), dtype);
        expect_near(y, expected,
                    [&](std::size_t i) { return 1.5 * epsilon(dtype) * std::abs(expected.values[i]); });
        EXPECT_EQ(rng->random(), next);
      }
    }
  });
}

TEST(Dropout, OfRate0IsXItselfAndDrawsNothing) {
  Tensor x = normal({3});
  x.set_requires_grad(true);
  const auto rng = default_rng(1);
  const Tensor y = dropout(x, 0, *rng);
  EXPECT_TRUE(y.is_same(x));
  EXPECT_EQ(y.node(), x.node());
  EXPECT_EQ(rng->random(), default_rng(1)->random());
}

TEST(Dropout, KeepsTheMean) {
  for (const double rate : {0.1, 0.5, 0.9}) {
    const auto rng = default_rng(2);
    const std::vector<double> y = dropout(ones({100000}, float64), rate, *rng).to_vector<double>();
    double sum = 0, zeros = 0;
    for (const double element : y) {
      sum += element;
      zeros += element == 0 ? 1 : 0;
    }
    // Four standard deviations.
    EXPECT_NEAR(zeros / 1e5, rate, 4 * std::sqrt(rate * (1 - rate) / 1e5));
    EXPECT_NEAR(sum / 1e5, 1, 4 * std::sqrt(rate / (1 - rate) / 1e5));
  }
}

TEST(Dropout, WhatIsDroppedDoesNotMatter) {
  on_every_set_and_type([](DType dtype) {
    const auto rng = default_rng(2);
    Tensor x = full({40}, kNaN, dtype);
    for (const double element : dropout(x, 0.5, *rng).to_vector<double>()) {
      EXPECT_TRUE(std::isnan(element) || element == 0);
    }
  });
}

TEST(Dropout, SaysWhatIsNoRate) {
  const auto rng = default_rng(1);
  for (const double rate : {1.0, -0.1, 2.5, kNaN, kInfinity}) {
    EXPECT_THROW(dropout(zeros({2}), rate, *rng), ValueError) << rate;
  }
  EXPECT_EQ(error_of<ValueError>([&] { dropout(zeros({2}), 1, *rng); }),
            "dropout: a rate of 1.0, expected one in [0, 1)");
  EXPECT_EQ(error_of<TypeError>([&] { dropout(zeros({2}, int64), 0.5, *rng); }),
            "dropout: x is int64, expected float32 or float64");
  EXPECT_EQ(rng->random(), default_rng(1)->random());
}

TEST(Dropout, HasItsGradient) {
  expect_gradients_everywhere(
      [](const Inputs& in) {
        const auto rng = default_rng(8);
        return transpose(dropout(transpose(in[0]), 0.4, *rng));
      },
      {normal({5, 7})});
}

TEST(Dropout, SavesAByteForEachElement) {
  Tensor x = normal({100}, float32);
  x.set_requires_grad(true);
  const auto rng = default_rng(1);
  EXPECT_EQ(dropout(x, 0.5, *rng).node()->saved_bytes(), 100);
}

}  // namespace
}  // namespace wick
