#include <cmath>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/npy.h>
#include <wick/framework/threads.h>
#include <wick/ops/expand.h>
#include <wick/ops/optimizer_steps.h>
#include <wick/ops/slice.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::relative_difference;
using testing::same_bits;

AdamWStep how_at(std::int64_t step) {
  return {.learning_rate = 3e-3,
          .beta1 = 0.9,
          .beta2 = 0.95,
          .epsilon = 1e-8,
          .weight_decay = 0.1,
          .step = step,
          .gradient_scale = 0.75};
}

Tensor golden(const std::string& name) {
  return load_npy(std::filesystem::path(WICK_GOLDENS) / "optimizer" / (name + ".npy"));
}

Tensor row(const Tensor& x, std::int64_t i) {
  return x.strided_view({x.size(1)}, {1}, i * x.size(1)).clone();
}

double tolerance(DType dtype) { return 4 * epsilon(dtype); }

TEST(AdamWStep, IsPyTorchs) {
  on_every_set_and_type([](DType dtype) {
    const Tensor gradients = golden("gradients").to(dtype);
    const Tensor expected = golden("adamw_" + std::string(name(dtype)));
    Tensor parameter = golden("start").to(dtype).clone();
    Tensor first = zeros(parameter.shape(), dtype), second = zeros(parameter.shape(), dtype);
    for (std::int64_t i = 0; i < gradients.size(0); ++i) {
      AdamWStep how = how_at(i + 1);
      how.gradient_scale = 1;
      adamw_step(parameter, row(gradients, i), first, second, how);
      EXPECT_LE(relative_difference(parameter, row(expected, i)), tolerance(dtype)) << "step " << i + 1;
    }
  });
}

TEST(SgdStep, IsPyTorchs) {
  on_every_set_and_type([](DType dtype) {
    const Tensor gradients = golden("gradients").to(dtype);
    const Tensor expected = golden("sgd_" + std::string(name(dtype)));
    Tensor parameter = golden("start").to(dtype).clone();
    for (std::int64_t i = 0; i < gradients.size(0); ++i) {
      sgd_step(parameter, row(gradients, i), 0.1);
      EXPECT_LE(relative_difference(parameter, row(expected, i)), tolerance(dtype)) << "step " << i + 1;
    }
  });
}

// The formula of the header, in long double.
TEST(AdamWStep, IsItsFormula) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {0, 1, 3, 8, 17, 33, 100}) {
      for (const std::int64_t step : {1, 2, 1000}) {
        const AdamWStep how = how_at(step);
        Tensor parameter = normal({n}, dtype, 1), first = normal({n}, dtype, 3),
               second = normal({n}, dtype, 4);
        for (std::int64_t i = 0; i < n; ++i) second.set({i}, std::abs(second.at({i})));
        const Tensor gradient = normal({n}, dtype, 2);
        Array p(parameter), m(first), v(second);
        const Array g(gradient);
        for (std::size_t i = 0; i < p.values.size(); ++i) {
          const long double scaled = g.values[i] * 0.75L;
          const long double mean = m.values[i] * 0.9L + 0.1L * scaled;
          const long double square = v.values[i] * 0.95L + 0.05L * scaled * scaled;
          const long double correction = std::sqrt(1 - std::pow(0.95L, static_cast<long double>(step)));
          const long double size = 3e-3L / (1 - std::pow(0.9L, static_cast<long double>(step)));
          p.values[i] = static_cast<double>(p.values[i] * (1 - 3e-4L) -
                                            size * mean / (std::sqrt(square) / correction + 1e-8L));
          m.values[i] = static_cast<double>(mean);
          v.values[i] = static_cast<double>(square);
        }
        adamw_step(parameter, gradient, first, second, how);
        const auto near = [&](const Tensor& got, const Array& expected) {
          expect_near(got, expected, [&](std::size_t) { return 4 * epsilon(dtype); });
        };
        near(parameter, p);
        near(first, m);
        near(second, v);
      }
    }
  });
}

TEST(AdamWStep, ManyParametersAtOnceHaveTheSameBits) {
  on_every_set([] {
    for (const int threads : {1, 2, 3}) {
      const ThreadCount setting(threads);
      std::vector<AdamWTensors> all;
      std::vector<Tensor> expected;
      std::uint64_t seed = 10;
      for (const std::int64_t n : {5, 0, 4096, 1, 16385, 70, 8191}) {
        for (const DType dtype : {float32, float64}) {
          AdamWTensors one{normal({n}, dtype, seed), normal({n}, dtype, seed + 1),
                           normal({n}, dtype, seed + 2), normal({n}, dtype, seed + 3)};
          for (std::int64_t i = 0; i < n; ++i)
            one.second_moment.set({i}, std::abs(one.second_moment.at({i})));
          seed += 4;
          all.push_back(one);
          Tensor parameter = one.parameter.clone(), first = one.first_moment.clone(),
                 second = one.second_moment.clone();
          const ThreadCount single(1);
          adamw_step(parameter, one.gradient, first, second, how_at(3));
          for (const Tensor& result : {parameter, first, second}) expected.push_back(result);
        }
      }
      adamw_step(all, how_at(3));
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(same_bits(all[i].parameter, expected[3 * i])) << i;
        EXPECT_TRUE(same_bits(all[i].first_moment, expected[3 * i + 1])) << i;
        EXPECT_TRUE(same_bits(all[i].second_moment, expected[3 * i + 2])) << i;
      }
    }
  });
}

TEST(AdamWStep, AnElementKnowsNothingOfItsPlace) {
  on_every_set_and_type([](DType dtype) {
    for (std::int64_t n = 1; n < 40; ++n) {
      Tensor parameter = full({n}, 0.7, dtype), first = full({n}, 0.1, dtype), second = full({n}, 0.2, dtype);
      adamw_step(parameter, full({n}, -0.3, dtype), first, second, how_at(2));
      for (const Tensor& result : {parameter, first, second}) {
        EXPECT_TRUE(same_bits(result, full({n}, result.at({0}), dtype))) << n;
      }
    }
  });
}

TEST(OptimizerSteps, TakeGradientsOfAnyLayout) {
  on_every_set_and_type([](DType dtype) {
    const Tensor gradient = normal({3, 5}, dtype, 2);
    const auto stepped = [&](const Tensor& in) {
      Tensor parameter = normal({3, 5}, dtype), first = zeros({3, 5}, dtype), second = zeros({3, 5}, dtype);
      adamw_step(parameter, in, first, second, how_at(1));
      sgd_step(parameter, in, 0.1, 0.5);
      return parameter;
    };
    for (const Layout& layout : layouts_of(gradient)) {
      EXPECT_TRUE(same_bits(stepped(layout.tensor), stepped(gradient))) << layout.name;
    }
  });
}

TEST(OptimizerSteps, CountAsWrites) {
  Tensor parameter = ones({3}), first = zeros({3}), second = zeros({3});
  parameter.set_requires_grad(true);
  const std::uint32_t before = parameter.version();
  adamw_step(parameter, ones({3}), first, second, how_at(1));
  EXPECT_GT(parameter.version(), before);
  EXPECT_TRUE(parameter.node()->is_leaf());
}

TEST(OptimizerSteps, SayWhatDoesNotFit) {
  Tensor parameter = ones({2, 3}), first = zeros({2, 3}), second = zeros({2, 3});
  const auto error = [&](const Tensor& gradient) {
    return error_of<Error>([&] { adamw_step(parameter, gradient, first, second, how_at(1)); });
  };
  EXPECT_EQ(error(ones({3, 2})), "adamw_step: gradient is (3, 2), expected the parameter's shape (2, 3)");
  EXPECT_EQ(error(ones({2, 3}, float64)), "adamw_step: gradient is float64, expected float32");
  EXPECT_EQ(error({}), "adamw_step: gradient is an undefined tensor, expected float32");
  first = zeros({3, 3});
  EXPECT_EQ(error(ones({2, 3})), "adamw_step: first_moment is (3, 3), expected the parameter's shape (2, 3)");
  first = transpose(zeros({3, 2}));
  EXPECT_EQ(error(ones({2, 3})),
            "adamw_step: first_moment (2, 3) with strides (1, 2), expected a contiguous one");
  first = zeros({2, 3});
  EXPECT_EQ(error_of<ValueError>([&] {
              adamw_step(parameter, ones({2, 3}), first, second, how_at(0));
            }),
            "adamw_step: step 0, expected 1 or more");
  EXPECT_EQ(error_of<ShapeError>([&] { sgd_step(parameter, ones({2}), 0.1); }),
            "sgd_step: gradient is (2,), expected the parameter's shape (2, 3)");
  Tensor ids = zeros({2}, int64);
  EXPECT_EQ(error_of<TypeError>([&] { sgd_step(ids, ids, 0.1); }),
            "sgd_step: parameter is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([&] { squared_norm(ids); }),
            "squared_norm: x is int64, expected float32 or float64");
  expect_values(parameter, {{1, 1, 1}, {1, 1, 1}});
}

TEST(AdamWStep, RefusesABetaThatCannotBe) {
  Tensor parameter = ones({2}), first = zeros({2}), second = zeros({2});
  const auto error = [&](double beta1, double beta2) {
    AdamWStep how = how_at(1);
    how.beta1 = beta1;
    how.beta2 = beta2;
    return error_of<ValueError>([&] { adamw_step(parameter, ones({2}), first, second, how); });
  };
  EXPECT_EQ(error(1, 0.5), "adamw_step: beta1 is 1.000000, expected [0, 1)");
  EXPECT_EQ(error(-0.5, 0.5), "adamw_step: beta1 is -0.500000, expected [0, 1)");
  EXPECT_EQ(error(0.5, 1), "adamw_step: beta2 is 1.000000, expected [0, 1)");
  EXPECT_EQ(error(0.5, kNaN), "adamw_step: beta2 is nan, expected [0, 1)");
  expect_values(parameter, {1, 1});
  EXPECT_EQ(error(0, 0), "no error");
}

TEST(AdamWStep, RefusesToWriteAPlaceTwice) {
  const auto fresh = [](std::int64_t n) {
    return AdamWTensors{ones({n}), ones({n}), zeros({n}), zeros({n})};
  };
  const auto error = [](std::vector<AdamWTensors> all) {
    return error_of<ValueError>([&] { adamw_step(all, how_at(1)); });
  };
  const auto message = [](const std::string& both) {
    return "adamw_step: " + both + " share memory, expected apart from each other what is written to";
  };
  const AdamWTensors one = fresh(6);
  EXPECT_EQ(error({fresh(3), one, fresh(4), one}).substr(0, 12), "adamw_step: ");
  AdamWTensors other = fresh(6);
  other.parameter = one.parameter;
  EXPECT_EQ(error({fresh(3), one, fresh(4), other}), message("parameter 1 and parameter 3"));
  other = fresh(2);
  other.second_moment = slice(one.first_moment, 0, 3, 5);
  EXPECT_EQ(error({other, one}), message("second_moment 0 and first_moment 1"));
  other = fresh(6);
  other.first_moment = other.second_moment;
  EXPECT_EQ(error({other}), message("first_moment 0 and second_moment 0"));
  expect_values(one.parameter, {1, 1, 1, 1, 1, 1});
  // Beside each other in one block of memory, without elements, and gradients that are only read.
  const Tensor block = ones({6});
  AdamWTensors left = fresh(3);
  AdamWTensors right = fresh(3);
  left.parameter = slice(block, 0, 0, 3);
  right.parameter = slice(block, 0, 3, 6);
  right.gradient = left.gradient;
  const AdamWTensors empty = fresh(0);
  EXPECT_EQ(error({left, empty, right, empty}), "no error");
}

TEST(OptimizerSteps, ChangeNothingWhereOneIsRefused) {
  std::vector<AdamWTensors> all{{full({2}, 5), ones({2}), zeros({2}), zeros({2})},
                                {ones({2}), ones({2}), zeros({2}), zeros({2})}};
  all[1].gradient = ones({3});
  EXPECT_THROW(adamw_step(all, how_at(1)), ShapeError);
  expect_values(all[0].parameter, {5, 5});
}

TEST(SquaredNorm, IsTheSumOfSquaresInFloat64) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {0, 1, 5, 255, 256, 257, 4095, 4096, 4097, 100003}) {
      const Tensor x = normal({n}, dtype);
      long double expected = 0;
      for (const double element : x.to_vector<double>())
        expected += static_cast<long double>(element) * element;
      EXPECT_NEAR(squared_norm(x), static_cast<double>(expected), static_cast<double>(expected) * 0x1p-45)
          << n;
    }
    EXPECT_EQ(squared_norm(tensor({{3, 0}, {0, 4}}, dtype)), 25);
    EXPECT_EQ(squared_norm(full({}, -2, dtype)), 4);
    EXPECT_EQ(squared_norm(expand(full({}, 2, dtype), {100, 3})), 1200);
    EXPECT_TRUE(std::isnan(squared_norm(tensor({1, kNaN}, dtype))));
    EXPECT_EQ(squared_norm(tensor({1, -kInfinity}, dtype)), kInfinity);
  });
  EXPECT_EQ(squared_norm(tensor({3e30, 4e30}, float32)), squared_norm(tensor({3e30F, 4e30F}, float32)));
  EXPECT_NEAR(squared_norm(tensor({3e30, 4e30}, float32)), 2.5e61, 1e55);  // beyond float32
}

TEST(SquaredNorm, HasTheSameBitsOnAnyNumberOfThreads) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = normal({300, 1001}, dtype);
    const ThreadCount setting(1);
    const double expected = squared_norm(x);
    for (const int threads : {2, 3, 4}) {
      set_thread_count(threads);
      EXPECT_EQ(squared_norm(x), expected) << threads;
    }
    for (const Layout& layout : layouts_of(x))
      EXPECT_EQ(squared_norm(layout.tensor), expected) << layout.name;
  });
}

}  // namespace
}  // namespace wick
