#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/random.h>
#include <wick/ops/expand.h>
#include <wick/ops/matmul.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

struct Product {
  Array values;
  Array magnitudes;  ///< |a| @ |b|
};

Product reference(const Tensor& a, const Tensor& b) {
  const Array left(a);
  const Array right(b);
  const Shape shape = matmul_shape(a.shape(), b.shape());
  Product product{Array(shape), Array(shape)};
  for (const Index& index : positions(shape)) {
    Index of_left = index;
    Index of_right = index;
    long double sum = 0;
    long double magnitude = 0;
    for (std::int64_t k = 0; k < a.size(-1); ++k) {
      of_left.back() = k;
      of_right[of_right.size() - 2] = k;
      const long double term = static_cast<long double>(left[of_left]) * right[of_right];
      sum += term;
      magnitude += std::abs(term);
    }
    product.values[index] = static_cast<double>(sum);
    product.magnitudes[index] = static_cast<double>(magnitude);
  }
  return product;
}

struct Case {
  Shape a;
  Shape b;
  Shape product;
};

const std::vector<Case> kCases = {
    {{1, 1}, {1, 1}, {1, 1}},
    {{2, 3}, {3, 4}, {2, 4}},
    {{7, 1}, {1, 9}, {7, 9}},
    {{3, 0}, {0, 4}, {3, 4}},
    {{0, 3}, {3, 4}, {0, 4}},
    {{3, 4}, {4, 0}, {3, 0}},
    {{0, 0}, {0, 0}, {0, 0}},
    {{17, 33}, {33, 65}, {17, 65}},
    {{3, 600}, {600, 5}, {3, 5}},
    {{2, 3, 4}, {4, 5}, {2, 3, 5}},
    {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}},
    {{3, 4}, {2, 4, 5}, {2, 3, 5}},
    {{2, 1, 3, 4}, {5, 4, 2}, {2, 5, 3, 2}},
    {{1, 3, 4}, {6, 4, 2}, {6, 3, 2}},
    {{6, 3, 4}, {1, 4, 2}, {6, 3, 2}},
    {{6, 1, 4}, {4, 2}, {6, 1, 2}},
    {{0, 3, 4}, {4, 5}, {0, 3, 5}},
    {{1, 3, 4}, {0, 4, 5}, {0, 3, 5}},
    {{3, 2, 0}, {3, 0, 3}, {3, 2, 3}},
    {{1, 2, 1, 2, 1, 2, 3, 4}, {2, 1, 2, 1, 2, 1, 4, 3}, {2, 2, 2, 2, 2, 2, 3, 3}},
};

TEST(Matmul, IsTheProductInEveryLayout) {
  for (const Case& sizes : kCases) {
    SCOPED_TRACE(to_string(sizes.a) + " @ " + to_string(sizes.b));
    on_every_set_and_type([&](DType dtype) {
      const Tensor a = normal(sizes.a, dtype, 1);
      const Tensor b = normal(sizes.b, dtype, 2);
      const Product expected = reference(a, b);
      const double k_epsilon = static_cast<double>(a.size(-1)) * epsilon(dtype) / 2;
      const Tensor product = matmul(a, b);
      EXPECT_EQ(product.shape(), sizes.product);
      EXPECT_EQ(product.dtype(), dtype);
      expect_near(product, expected.values,
                  [&](std::size_t i) { return k_epsilon / (1 - k_epsilon) * expected.magnitudes.values[i]; });
      for (const Layout& left : layouts_of(a)) {
        for (const Layout& right : layouts_of(b)) {
          EXPECT_TRUE(testing::same_bits(matmul(left.tensor, right.tensor), product))
              << left.name << " @ " << right.name;
        }
      }
    });
  }
}

TEST(Matmul, ReadsExpandedOperands) {
  on_every_set_and_type([](DType dtype) {
    const Tensor a = normal({5, 3, 4}, dtype);
    const Tensor b = normal({5, 4, 6}, dtype);
    for (const Tensor& left :
         {expand(normal({3, 4}, dtype), {5, 3, 4}), expand(normal({1, 4}, dtype), {5, 3, 4}),
          expand(normal({3, 1}, dtype), {5, 3, 4}), expand(normal({5, 1, 1}, dtype), {5, 3, 4})}) {
      EXPECT_TRUE(testing::same_bits(matmul(left, b), matmul(left.clone(), b)));
    }
    for (const Tensor& right :
         {expand(normal({4, 6}, dtype), {5, 4, 6}), expand(normal({1, 6}, dtype), {5, 4, 6}),
          expand(normal({4, 1}, dtype), {5, 4, 6}), expand(normal({}, dtype), {5, 4, 6})}) {
      EXPECT_TRUE(testing::same_bits(matmul(a, right), matmul(a, right.clone())));
    }
  });
}

TEST(Matmul, CopiesNoTransposedOrExpandedOperand) {
  const Tensor a = transpose(normal({4, 70, 60}, float32));
  const Tensor b = expand(transpose(normal({80, 70}, float32)), {4, 70, 80});
  EXPECT_EQ(bytes_taken([&] { matmul(a, b); }), 4 * 60 * 80 * 4);
}

TEST(Matmul, OverwritesRecycledMemory) {
  on_every_set_and_type([](DType dtype) {
    leave_nan({5, 5}, dtype);
    EXPECT_EQ(matmul(ones({5, 5}, dtype), ones({5, 5}, dtype)).to_vector<double>(),
              std::vector<double>(25, 5));
    leave_nan({3, 2, 3}, dtype);
    EXPECT_EQ(matmul(zeros({3, 2, 0}, dtype), zeros({3, 0, 3}, dtype)).to_vector<double>(),
              std::vector<double>(18, 0));
    leave_nan({7, 300}, dtype);
    EXPECT_EQ(matmul(ones({7, 600}, dtype), ones({600, 300}, dtype)).to_vector<double>(),
              std::vector<double>(2100, 600));
  });
}

TEST(Matmul, OfATransposedView) {
  on_every_set_and_type([](DType dtype) {
    Tensor a = tensor({{.7, -1.3, 2.1}, {-.4, 1.9, -3.2}}, dtype);
    a.set_requires_grad(true);
    Tensor b = ones({2, 2}, dtype);
    b.set_requires_grad(true);
    const Tensor y = matmul(transpose(a), b);
    expect_values(y, {{.3, .3}, {.6, .6}, {-1.1, -1.1}}, 8 * epsilon(dtype));
    sum(y).backward();
    expect_values(a.grad(), {{2, 2, 2}, {2, 2, 2}});
    expect_values(b.grad(), {{1.5, 1.5}, {-1.7, -1.7}}, 8 * epsilon(dtype));
  });
}

TEST(Matmul, KeepsNonFiniteValuesInTheirRowsAndColumns) {
  on_every_set_and_type([](DType dtype) {
    Tensor a = ones({9, 3}, dtype);
    a.set({4, 1}, kNaN);
    a.set({6, 2}, kInfinity);
    Tensor b = ones({3, 21}, dtype);
    b.set({2, 20}, 0.0);
    Array expected((Shape({9, 21})));
    for (const Index& index : positions({9, 21})) {
      const bool last = index[1] == 20;
      expected[index] = last ? 2 : 3;
      if (index[0] == 4) expected[index] = kNaN;
      if (index[0] == 6) expected[index] = last ? kNaN : kInfinity;  // inf * 0 is NaN
    }
    expect_exactly(matmul(a, b), expected);
  });
}

TEST(Matmul, ShapeRuleStandsAlone) {
  const std::int64_t bytes = bytes_taken([] {
    for (const Case& sizes : kCases) EXPECT_EQ(matmul_shape(sizes.a, sizes.b), sizes.product);
    EXPECT_EQ(matmul_shape({1 << 30, 4}, {4, 1 << 30}), Shape({1 << 30, 1 << 30}));
  });
  EXPECT_EQ(bytes, 0);
}

TEST(Matmul, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& a, const Shape& b) {
    std::string of_rule = error_of<ShapeError>([&] { matmul_shape(a, b); });
    EXPECT_EQ(error_of<ShapeError>([&] { matmul(zeros(a), zeros(b)); }), of_rule);
    return of_rule;
  };
  EXPECT_EQ(error({4, 8, 32}, {16, 8}), "matmul: (4, 8, 32) @ (16, 8): inner dimensions 32 and 16 differ");
  EXPECT_EQ(error({3, 0}, {1, 3}), "matmul: (3, 0) @ (1, 3): inner dimensions 0 and 1 differ");
  EXPECT_EQ(error({3}, {3, 2}), "matmul: (3,) @ (3, 2): both need rank 2 or more");
  EXPECT_EQ(error({2, 3}, {3}), "matmul: (2, 3) @ (3,): both need rank 2 or more");
  EXPECT_EQ(error({}, {}), "matmul: () @ (): both need rank 2 or more");
  EXPECT_EQ(error({2, 3, 4}, {3, 4, 5}),
            "matmul: (2, 3, 4) @ (3, 4, 5): (2,) and (3,) do not broadcast: dimension -1 is 2 and 3");
  EXPECT_EQ(
      error({6, 2, 3, 4}, {5, 1, 4, 5}),
      "matmul: (6, 2, 3, 4) @ (5, 1, 4, 5): (6, 2) and (5, 1) do not broadcast: dimension -2 is 6 and 5");
}

TEST(Matmul, AProductTooLargeIsAnErrorBeforeAnyAllocation) {
  const Tensor a = expand(zeros({1, 1}), {std::int64_t{1} << 32, 1});
  const std::int64_t bytes = bytes_taken([&] {
    EXPECT_EQ(error_of<ShapeError>([&] { matmul(a, transpose(a)); }),
              "the number of elements of (4294967296, 4294967296) overflows a 64-bit integer");
  });
  EXPECT_EQ(bytes, 0);
}

TEST(Matmul, HasItsGradients) {
  const auto function = [](const Inputs& in) { return matmul(in[0], in[1]); };
  for (const Case& sizes : kCases) {
    if (sizes.a.numel() > 100 || sizes.product.rank() == 8) continue;
    SCOPED_TRACE(to_string(sizes.a) + " @ " + to_string(sizes.b));
    expect_gradients_everywhere(function, {normal(sizes.a, float64, 1), normal(sizes.b, float64, 2)});
  }
}

TEST(Matmul, HasItsGradientsThroughViews) {
  expect_gradients_everywhere(
      [](const Inputs& in) {
        return matmul(transpose(in[0]), expand(in[1], {2, 3, 4}));
      },
      {normal({2, 3, 5}), normal({3, 1}, float64, 2)});
}

TEST(Matmul, GradientOfASharedMatrixSumsOverTheBatch) {
  on_every_set_and_type([](DType dtype) {
    Tensor w = normal({4, 5}, dtype);
    w.set_requires_grad(true);
    sum(matmul(ones({2, 3, 4}, dtype), w)).backward();
    EXPECT_EQ(w.grad().to_vector<double>(), std::vector<double>(20, 6));
  });
}

TEST(Matmul, GradientsWithoutAnInnerDimension) {
  for (const auto& [left, right] :
       {std::pair<Shape, Shape>{{3, 2, 0}, {3, 0, 3}}, {{3, 2, 0}, {0, 3}}, {{2, 0}, {0, 3}}}) {
    on_every_set_and_type([left = left, right = right](DType dtype) {
      const Inputs leaves = leaves_of({zeros(left, dtype), zeros(right, dtype)});
      sum(matmul(leaves[0], leaves[1])).backward();
      EXPECT_EQ(leaves[0].grad().shape(), left);
      EXPECT_EQ(leaves[1].grad().shape(), right);
    });
  }
}

TEST(Matmul, BothInputsMayBeOneTensor) {
  on_every_set_and_type([](DType dtype) {
    Tensor x = tensor({{1}, {2}}, dtype);
    x.set_requires_grad(true);
    sum(matmul(x, transpose(x))).backward();
    expect_values(x.grad(), {{6}, {6}});
  });
}

TEST(Matmul, GradientOfASumIsAnExpandedView) {
  on_every_set_and_type([](DType dtype) {
    Tensor a = normal({3, 2}, dtype);
    a.set_requires_grad(true);
    sum(matmul(a, tensor({{2}, {5}}, dtype))).backward();
    expect_values(a.grad(), {{2, 5}, {2, 5}, {2, 5}});
  });
}

TEST(Matmul, SavesOnlyWhatBackwardReads) {
  const Tensor a = normal({3, 4}, float64, 1);
  const Tensor b = normal({4, 5}, float64, 2);
  const Inputs leaves = leaves_of({a, b});
  EXPECT_EQ(matmul(leaves[0], leaves[1]).node()->saved_bytes(), (12 + 20) * 8);
  EXPECT_EQ(matmul(leaves[0], b).node()->saved_bytes(), 20 * 8);
  EXPECT_EQ(matmul(a, leaves[1]).node()->saved_bytes(), 12 * 8);
}

// A dimension of size 1 has any stride: it is not the distance between the rows of a batch.
TEST(Matmul, ABatchOfSingleRowsIsOneProductWhateverTheirStride) {
  const Tensor rows = default_rng(1)->standard_normal({2, 1, 3});
  const Tensor odd = rows.strided_view({2, 1, 3}, {3, 2, 1});
  const Tensor b = default_rng(2)->standard_normal({3, 4});
  ASSERT_TRUE(odd.is_contiguous());
  EXPECT_EQ(matmul(odd, b).to_vector<float>(), matmul(rows, b).to_vector<float>());
}

}  // namespace
}  // namespace wick
