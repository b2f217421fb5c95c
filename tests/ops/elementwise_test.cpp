// add, subtract, mul and divide: one IEEE operation each, so every result is exact to the bit.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/add.h>
#include <wick/ops/divide.h>
#include <wick/ops/expand.h>
#include <wick/ops/mul.h>
#include <wick/ops/subtract.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

struct Operation {
  std::string name;
  std::function<Tensor(const Tensor&, const Tensor&)> op;
  std::function<double(double, double)> of_numbers;
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = {{"add", add, [](double a, double b) { return a + b; }},
                                             {"subtract", subtract, [](double a, double b) { return a - b; }},
                                             {"mul", mul, [](double a, double b) { return a * b; }},
                                             {"divide", divide, [](double a, double b) { return a / b; }}};
  return all;
}

// In float32, too: a double holds the exact sum, difference and product of two floats, or enough of it and
// of the quotient to be rounded a second time without harm.
Tensor reference(const Operation& operation, const Tensor& a, const Tensor& b, const Shape& shape) {
  const Array left(a);
  const Array right(b);
  Array result(shape);
  for (const Index& index : positions(shape)) result[index] = operation.of_numbers(left[index], right[index]);
  return from_vector(result.values, shape).to(a.dtype());
}

struct Case {
  Shape a;
  Shape b;
  Shape result;
};

const std::vector<Case> kCases = {
    {{}, {}, {}},
    {{1}, {}, {1}},
    {{3}, {}, {3}},
    {{}, {2, 3}, {2, 3}},
    {{37}, {37}, {37}},
    {{3, 4}, {3, 4}, {3, 4}},
    {{3, 4}, {4}, {3, 4}},
    {{3, 1}, {1, 4}, {3, 4}},
    {{4}, {3, 1}, {3, 4}},
    {{2, 3, 4}, {3, 1}, {2, 3, 4}},
    {{2, 1, 4}, {5, 1, 3, 1}, {5, 2, 3, 4}},
    {{1, 1}, {1}, {1, 1}},
    {{0}, {1}, {0}},
    {{1}, {0}, {0}},
    {{2, 0, 3}, {1}, {2, 0, 3}},
    {{0, 3}, {1, 3}, {0, 3}},
    {{3, 700}, {700}, {3, 700}},
    {{300, 5}, {300, 1}, {300, 5}},
    {{1, 2, 1, 2, 1, 2, 1, 3}, {2, 1, 2, 1, 2, 1, 2, 1}, {2, 2, 2, 2, 2, 2, 2, 3}},
};

TEST(Elementwise, IsExactInEveryLayout) {
  for (const Operation& operation : operations()) {
    for (const Case& sizes : kCases) {
      SCOPED_TRACE(operation.name + ": " + to_string(sizes.a) + " and " + to_string(sizes.b));
      on_every_set_and_type([&](DType dtype) {
        const Tensor a = normal(sizes.a, dtype, 1);
        const Tensor b = normal(sizes.b, dtype, 2);
        const Tensor expected = reference(operation, a, b, sizes.result);
        for (const Layout& left : layouts_of(a)) {
          for (const Layout& right : layouts_of(b)) {
            leave_nan(sizes.result, dtype);
            EXPECT_TRUE(testing::same_bits(operation.op(left.tensor, right.tensor), expected))
                << left.name << " and " << right.name;
          }
        }
      });
    }
  }
}

TEST(Elementwise, FollowsIeee) {
  on_every_set_and_type([](DType dtype) {
    const double tiny = dtype == float32 ? std::numeric_limits<float>::denorm_min()
                                         : std::numeric_limits<double>::denorm_min();
    const std::vector<double> special = {0., -0., 1, -1, tiny, -tiny, kInfinity, -kInfinity, kNaN};
    const std::vector<double> numbers(special.begin(), special.end());
    const auto n = static_cast<std::int64_t>(numbers.size());
    const Tensor a = from_vector(numbers, {n, 1}).to(dtype);
    const Tensor b = from_vector(numbers, {1, n}).to(dtype);
    for (const Operation& operation : operations()) {
      const Tensor result = operation.op(a, b);
      const Array expected(reference(operation, a, b, {n, n}));
      expect_exactly(result, expected);
      for (std::size_t i = 0; i < expected.values.size(); ++i) {  // == does not tell 0 from -0
        if (expected.values[i] != 0) continue;
        EXPECT_EQ(std::signbit(result.to_vector<double>()[i]), std::signbit(expected.values[i]))
            << operation.name << " at " << i;
      }
    }
  });
}

TEST(Elementwise, SaysWhatDoesNotBroadcast) {
  for (const Operation& operation : operations()) {
    const auto error = [&](const Shape& a, const Shape& b) {
      return error_of<ShapeError>([&] { operation.op(zeros(a), zeros(b)); });
    };
    EXPECT_EQ(error({2, 3}, {4}),
              operation.name + ": (2, 3) and (4,) do not broadcast: dimension -1 is 3 and 4");
    EXPECT_EQ(error({3}, {5, 2, 1}), "no error");
    EXPECT_EQ(error({3, 1}, {5, 2, 1}),
              operation.name + ": (3, 1) and (5, 2, 1) do not broadcast: dimension -2 is 3 and 2");
    EXPECT_EQ(error({0}, {2}), operation.name + ": (0,) and (2,) do not broadcast: dimension -1 is 0 and 2");
  }
}

TEST(Elementwise, AResultTooLargeIsAnErrorBeforeAnyAllocation) {
  const Tensor a = expand(zeros({1, 1}), {std::int64_t{1} << 32, 1});
  const Tensor b = transpose(a);
  const std::int64_t bytes = bytes_taken([&] {
    EXPECT_EQ(error_of<ShapeError>([&] { add(a, b); }),
              "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
  });
  EXPECT_EQ(bytes, 0);
}

TEST(Elementwise, HasItsGradients) {
  for (const Operation& operation : operations()) {
    for (const Case& sizes : kCases) {
      if (sizes.result.numel() > 60) continue;
      SCOPED_TRACE(operation.name + ": " + to_string(sizes.a) + " and " + to_string(sizes.b));
      Array divisors(normal(sizes.b, float64, 2));
      for (double& divisor : divisors.values) divisor += divisor < 0 ? -1 : 1;
      expect_gradients_everywhere([&](const Inputs& in) { return operation.op(in[0], in[1]); },
                                  {normal(sizes.a), from_vector(divisors.values, sizes.b)});
    }
  }
}

TEST(Elementwise, HasItsGradientsThroughViews) {
  for (const Operation& operation : operations()) {
    SCOPED_TRACE(operation.name);
    expect_gradients_everywhere(
        [&](const Inputs& in) {
          return operation.op(transpose(in[0]), expand(in[1], {3, 2}));
        },
        {normal({2, 3}), tensor({{1.5}, {-2.}, {3.}}, float64)});
  }
}

TEST(Elementwise, OneTensorMayBeBothInputs) {
  on_every_set_and_type([](DType dtype) {
    const std::vector<std::pair<Operation, double>> slopes = {
        {operations()[0], 2}, {operations()[1], 0}, {operations()[2], 6}, {operations()[3], 0}};
    for (const auto& [operation, slope] : slopes) {
      Tensor x = full({2, 2}, 3, dtype);
      x.set_requires_grad(true);
      sum(operation.op(x, x)).backward();
      EXPECT_EQ(x.grad().to_vector<double>(), std::vector<double>(4, slope)) << operation.name;
    }
  });
}

TEST(Elementwise, GradientOfABiasSumsOverTheRows) {
  on_every_set_and_type([](DType dtype) {
    Tensor bias = normal({4}, dtype);
    bias.set_requires_grad(true);
    add(normal({3, 4}, dtype), bias).backward(ones({3, 4}, dtype));
    expect_values(bias.grad(), {3, 3, 3, 3});
  });
}

TEST(Elementwise, SavesOnlyWhatBackwardReads) {
  const auto saved = [](const Operation& operation, bool a_needs, bool b_needs) {
    Tensor a = ones({3, 4}, float64);
    Tensor b = ones({4}, float64);
    if (a_needs) a.set_requires_grad(true);
    if (b_needs) b.set_requires_grad(true);
    return operation.op(a, b).node()->saved_bytes();
  };
  for (const Operation& operation : {operations()[0], operations()[1]}) {
    EXPECT_EQ(saved(operation, true, true), 0) << operation.name;
  }
  const Operation& times = operations()[2];
  EXPECT_EQ(saved(times, true, false), 4 * 8);
  EXPECT_EQ(saved(times, false, true), 12 * 8);
  EXPECT_EQ(saved(times, true, true), 16 * 8);
  const Operation& over = operations()[3];
  EXPECT_EQ(saved(over, true, false), 4 * 8);
  EXPECT_EQ(saved(over, false, true), 16 * 8);  // the divisor and the result
}

}  // namespace
}  // namespace wick
