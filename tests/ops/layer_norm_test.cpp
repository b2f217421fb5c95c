// What layer_norm's spec cannot say: its errors, what it keeps, and large sums over rows.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>
#include <wick/ops/expand.h>
#include <wick/ops/layer_norm.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::same_bits;

// Its formula in single ops, and so their gradients.
Tensor step_by_step(const Tensor& x, const Tensor& gain, const Tensor& bias, double epsilon) {
  const double n = static_cast<double>(x.size(-1));
  const Tensor deviations = x - scale(sum(x, -1, true), 1 / n);
  const Array variances(scale(sum(deviations * deviations, -1, true), 1 / n));
  std::vector<double> roots;
  for (const double variance : variances.values) roots.push_back(std::sqrt(variance + epsilon));
  return deviations / from_vector(roots, variances.shape).to(x.dtype()) * gain + bias;
}

TEST(LayerNorm, IsItsFormula) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape : {Shape{3, 1}, Shape{5, 7}, Shape{2, 3, 64}, Shape{4, 300}}) {
      const Tensor x = normal(shape, dtype);
      const Tensor gain = normal({shape.back()}, dtype, 2);
      const Tensor bias = normal({shape.back()}, dtype, 3);
      const Tensor nothing = zeros({shape.back()}, dtype);
      for (const double added : {1e-5, 0.5}) {
        const Tensor expected = step_by_step(x.to(float64), gain.to(float64), bias.to(float64), added);
        const Tensor y = layer_norm(x, gain, bias, added);
        EXPECT_EQ(y.dtype(), dtype);
        expect_near(y, Array(expected), [&](std::size_t) { return 100 * epsilon(dtype); });
        EXPECT_TRUE(same_bits(layer_norm(x, gain, {}, added), layer_norm(x, gain, nothing, added)));
      }
    }
  });
}

TEST(LayerNorm, SmallExamples) {
  on_every_set_and_type([](DType dtype) {
    const auto of = [&](const NestedList& x, double epsilon) {
      return layer_norm(tensor(x, dtype), tensor({2, 3}, dtype), tensor({10, 20}, dtype), epsilon);
    };
    expect_values(of({{1, 3}, {-4, 4}}, 0), {{8, 23}, {8, 23}});
    expect_values(of({7, 7}, 1e-5), {10, 20});
    expect_values(of({7, 7}, 0), {kNaN, kNaN});
    expect_values(of({3, -1}, 12), {11, 18.5});  // deviations of 2 over sqrt(4 + 12)
  });
}

// A row's mean is taken off before its squares are added.
TEST(LayerNorm, KeepsASmallDeviationBesideALargeMean) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {4, 64, 256, 1024}) {
      std::vector<double> values;
      for (std::int64_t i = 0; i < n; ++i) values.push_back(4096 + (i % 2 == 0 ? 0.25 : -0.25));
      const Tensor x = from_vector(values, {1, n}).to(dtype);
      const Tensor y = layer_norm(x, ones({n}, dtype), {}, 0);
      for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(y.at({0, i}), i % 2 == 0 ? 1 : -1) << n;
    }
  });
}

TEST(LayerNorm, ARowThatIsNotFiniteSpoilsItselfOnly) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 7, 64, 90, 300}) {
      for (const double value : {kNaN, kInfinity, -kInfinity}) {
        for (const std::int64_t place : {std::int64_t{0}, n / 2, n - 1}) {
          const Tensor clean = normal({6, n}, dtype);
          Tensor x = clean.clone();
          x.set({4, place}, value);
          const Tensor gain = ones({n}, dtype);
          Array expected(layer_norm(clean, gain));
          for (std::int64_t i = 0; i < n; ++i) expected.values[static_cast<std::size_t>(4 * n + i)] = kNaN;
          expect_exactly(layer_norm(x, gain), expected);
        }
      }
    }
  });
}

TEST(LayerNorm, EmptyShapes) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{0, 5}, Shape{2, 0, 3}}) {
      Tensor x = zeros(shape, dtype);
      Tensor gain = ones({shape.back()}, dtype);
      Tensor bias = ones({shape.back()}, dtype);
      for (Tensor* leaf : {&x, &gain, &bias}) leaf->set_requires_grad(true);
      leave_nan({shape.back()}, dtype);
      const Tensor y = layer_norm(x, gain, bias);
      EXPECT_EQ(y.shape(), shape);
      y.backward(zeros(shape, dtype));
      EXPECT_EQ(x.grad().shape(), shape);
      expect_exactly(gain.grad(), Array(zeros({shape.back()})));
      expect_exactly(bias.grad(), Array(zeros({shape.back()})));
    }
  });
}

TEST(LayerNorm, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& x, const Shape& gain, const Shape& bias) {
    return error_of<ShapeError>([&] { layer_norm(zeros(x), zeros(gain), zeros(bias)); });
  };
  EXPECT_EQ(error({4, 32}, {16}, {32}), "layer_norm: x (4, 32) and gain (16,): the gain should be (32,)");
  EXPECT_EQ(error({4, 32}, {4, 32}, {32}),
            "layer_norm: x (4, 32) and gain (4, 32): the gain should be (32,)");
  EXPECT_EQ(error({4, 32}, {32}, {1}), "layer_norm: x (4, 32) and bias (1,): the bias should be (32,)");
  EXPECT_EQ(error({}, {1}, {1}), "layer_norm: x () has no axis to normalize along");
  const Tensor x = zeros({2, 3});
  const Tensor gain = ones({3});
  EXPECT_EQ(error_of<TypeError>([&] { layer_norm(arange(3), gain); }),
            "layer_norm: x is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([&] { layer_norm(x, ones({3}, float64)); }),
            "layer_norm: gain is float64, expected float32");
  EXPECT_EQ(error_of<TypeError>([&] { layer_norm(x, gain, ones({3}, float64)); }),
            "layer_norm: bias is float64, expected float32");
  EXPECT_EQ(error_of<TypeError>([&] { layer_norm(x, {}); }),
            "layer_norm: gain is an undefined tensor, expected float32");
}

// Rounded to float32, 1e-50 would be 0 and 1e39 infinite; the one makes NaN of a row of equal values.
TEST(LayerNorm, RefusesAnEpsilonThatItsTypeDoesNotHold) {
  const auto error = [](double epsilon, DType dtype) {
    return error_of<ValueError>([&] {
      layer_norm(full({2, 3}, 7, dtype), ones({3}, dtype), zeros({3}, dtype), epsilon);
    });
  };
  const std::string of_float32 =
      ", expected 0 or a normal number of float32, from 1.1754943508222875e-38 to 3.4028234663852886e+38";
  EXPECT_EQ(error(-1e-5, float32), "layer_norm: epsilon is -1e-05" + of_float32);
  EXPECT_EQ(error(1e-50, float32), "layer_norm: epsilon is 1e-50" + of_float32);
  EXPECT_EQ(error(1e-40, float32), "layer_norm: epsilon is 1e-40" + of_float32);
  EXPECT_EQ(error(1e39, float32), "layer_norm: epsilon is 1e+39" + of_float32);
  for (const auto& [epsilon, written] : {std::pair{-1e-5, "-1e-05"}, std::pair{1e-310, "1e-310"},
                                         std::pair{kNaN, "nan"}, std::pair{kInfinity, "inf"}}) {
    EXPECT_EQ(error(epsilon, float64), std::string("layer_norm: epsilon is ") + written +
                                           ", expected 0 or a normal number of float64, from "
                                           "2.2250738585072014e-308 to 1.7976931348623157e+308");
  }
}

TEST(LayerNorm, TheSmallestEpsilonKeepsEqualValuesFromNaN) {
  on_every_set_and_type([](DType dtype) {
    const double least =
        dtype == float32 ? double{std::numeric_limits<float>::min()} : std::numeric_limits<double>::min();
    for (const std::int64_t n : {2, 64, 256}) {
      const Tensor y = layer_norm(full({1, n}, 7, dtype), ones({n}, dtype), full({n}, 10, dtype), least);
      EXPECT_TRUE(same_bits(y, full({1, n}, 10, dtype))) << n;
    }
  });
}

TEST(LayerNorm, ShapeRuleStandsAlone) {
  EXPECT_EQ(bytes_taken([] {
              EXPECT_EQ(layer_norm_shape({1 << 20, 1 << 20, 7}, {7}, Shape{7}), Shape({1 << 20, 1 << 20, 7}));
              EXPECT_EQ(layer_norm_shape({2, 3}, {3}), Shape({2, 3}));
            }),
            0);
  EXPECT_EQ(error_of<ShapeError>([] {
              layer_norm_shape({2, 3}, {2});
            }),
            "layer_norm: x (2, 3) and gain (2,): the gain should be (3,)");
}

TEST(LayerNorm, HasItsGradients) {
  for (const Shape& shape : {Shape{2, 3}, Shape{5}, Shape{2, 3, 9}, Shape{3, 70}}) {
    SCOPED_TRACE(to_string(shape));
    expect_gradients_everywhere(
        [](const Inputs& in) { return layer_norm(in[0], in[1], in[2]); },
        {normal(shape), normal({shape.back()}, float64, 2), normal({shape.back()}, float64, 3)});
  }
  expect_gradients_everywhere([](const Inputs& in) { return layer_norm(in[0], in[1], {}, 0.1); },
                              {normal({2, 3}), normal({3}, float64, 2)});
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return layer_norm(transpose(in[0]), expand(in[1], {3}), in[0].size(1) == 2 ? in[2] : Tensor());
      },
      {normal({3, 2}), normal({1}, float64, 2), normal({3}, float64, 3)});
}

// Over so many rows that they are added in chunks, of which the last is not full.
TEST(LayerNorm, GradientsOfGainAndBiasAreSumsOverAllRows) {
  on_every_set_and_type([](DType dtype) {
    for (const Shape& shape :
         {Shape{1000, 3}, Shape{5, 201, 64}, Shape{77, 300}, Shape{16, 5}, Shape{17, 5000}}) {
      const std::int64_t n = shape.back();
      const Tensor x = normal(shape, dtype);
      Tensor gain = normal({n}, dtype, 2);
      Tensor bias = normal({n}, dtype, 3);
      gain.set_requires_grad(true);
      bias.set_requires_grad(true);
      const Tensor dy = normal(shape, dtype, 4);
      layer_norm(x, gain, bias).backward(dy);

      const Tensor exact = layer_norm(x.to(float64), ones({n}, float64));
      const std::vector<double> normalized = exact.to_vector<double>();
      const std::vector<double> weights = dy.to_vector<double>();
      Array of_gain({n});
      Array of_bias({n});
      Array magnitude({n});
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t column = i % static_cast<std::size_t>(n);
        of_gain.values[column] += weights[i] * normalized[i];
        of_bias.values[column] += weights[i];
        magnitude.values[column] += std::abs(weights[i]) * (1 + std::abs(normalized[i]));
      }
      const auto tolerance = [&](std::size_t i) { return 100 * epsilon(dtype) * magnitude.values[i]; };
      expect_near(gain.grad(), of_gain, tolerance);
      expect_near(bias.grad(), of_bias, tolerance);
    }
  });
}

TEST(LayerNorm, KeepsXAndTwoNumbersARow) {
  Tensor x = normal({6, 10}, float32);
  x.set_requires_grad(true);
  const Tensor y = layer_norm(x, ones({10}), zeros({10}));
  EXPECT_EQ(y.node()->saved_bytes(), (60 + 10 + 2 * 6) * 4);
  x.detach().set({0, 0}, 7.0);
  EXPECT_EQ(
      error_of<GraphError>([&] {
        y.backward(ones({6, 10}));
      }),
      "layer_norm: a value of shape (6, 10) that backward needs was written to after the op had used it "
      "(version 2, saved at 1)");
}

TEST(LayerNorm, TakesNoStatisticsWithoutGradients) {
  const Tensor x = normal({1000, 8}, float32);
  const Tensor gain = ones({8});
  EXPECT_EQ(bytes_taken([&] { layer_norm(x, gain); }), 1000 * 8 * 4);
}

}  // namespace
}  // namespace wick
