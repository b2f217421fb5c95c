#include <cmath>

#include <wick/ops/linear.h>
#include <wick/ops/matmul.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// (…, M, K) @ (…, K, N)
Shape product_shape(const Shape& a, const Shape& b) {
  Shape shape = broadcast_shapes("reference", front_of(a), front_of(b));
  shape.push_back(a[-2]);
  shape.push_back(b[-1]);
  return shape;
}

// Rows go with a's, columns with b's, and a batch with whichever has it.
std::vector<IndependentAxis> independent_axes(const Inputs& inputs, const Attributes&) {
  const Shape& a = inputs[0].shape();
  const Shape& b = inputs[1].shape();
  const Shape y = product_shape(a, b);
  std::vector<IndependentAxis> axes = {{{a.rank() - 2, std::nullopt}, y.rank() - 2},
                                       {{std::nullopt, b.rank() - 1}, y.rank() - 1}};
  for (int axis = 0; axis < y.rank() - 2; ++axis) {
    axes.push_back({{broadcast_axis(a, y, axis), broadcast_axis(b, y, axis)}, axis});
  }
  return axes;
}

// Three loops and a batch, in long double, and the bound that matmul.h states, K epsilon |A| |B|. The epsilon
// is two roundings, so there is room for the one in which the reference itself becomes a double.
Expected reference(const Inputs& inputs, const Attributes&) {
  const Tensor& a = inputs[0];
  const Tensor& b = inputs[1];
  const Shape shape = product_shape(a.shape(), b.shape());
  const std::int64_t K = a.size(-1);
  const std::vector<double> left = a.to_vector<double>();
  const std::vector<double> right = b.to_vector<double>();
  std::vector<double> y;
  std::vector<double> bound;
  for_each_position(shape, [&](const Dimensions& position) {
    Dimensions at_a = position;
    Dimensions at_b = position;
    long double sum = 0;
    long double magnitude = 0;
    for (std::int64_t k = 0; k < K; ++k) {
      at_a[at_a.rank() - 1] = k;
      at_b[at_b.rank() - 2] = k;
      const long double product = static_cast<long double>(left[broadcast_index(at_a, a.shape())]) *
                                  right[broadcast_index(at_b, b.shape())];
      sum += product;
      magnitude += std::abs(product);
    }
    y.push_back(static_cast<double>(sum));
    bound.push_back(static_cast<double>(magnitude * static_cast<long double>(K)));
  });
  return {from_vector(y, shape), from_vector(bound, shape)};
}

// The bias is one more number in each sum.
Expected linear_reference(const Inputs& inputs, const Attributes& attributes) {
  const Expected without_bias = reference({inputs[0], inputs[1]}, attributes);
  const Shape& shape = without_bias.value.shape();
  const std::vector<double> bias = inputs[2].to_vector<double>();
  std::vector<double> y = without_bias.value.to_vector<double>();
  std::vector<double> bound = without_bias.bound.to_vector<double>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] += bias[i % bias.size()];
    bound[i] += std::abs(y[i]);
  }
  return {from_vector(y, shape), from_vector(bound, shape)};
}

// Rows go with x's, columns with the weight's and the bias's.
std::vector<IndependentAxis> linear_axes(const Inputs& inputs, const Attributes&) {
  const int rank = inputs[0].rank();
  std::vector<IndependentAxis> axes = {{{std::nullopt, 1, 0}, rank - 1}};
  for (int axis = 0; axis + 1 < rank; ++axis) axes.push_back({{axis, std::nullopt, std::nullopt}, axis});
  return axes;
}

std::vector<OpCase> make_linear_cases() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const Shape& x, std::int64_t N, Values values = Values::normal,
                            const char* kind = "") {
    const Shape weight{x.back(), N};
    cases.push_back({.name = label(x) + " @ " + label(weight) + kind,
                     .inputs = {{x, values}, {weight, values}, {{N}, values}},
                     .has_gradient_check = values == Values::normal && x.numel() + weight.numel() < 400});
  };
  for (const std::int64_t n : kSizes) {
    add_case({3, 5}, n);
    if (n != 3) add_case({n, 5}, 3);
    if (n != 5) add_case({3, n}, 4);
  }
  add_case({13, 300}, 37);  // more than one block of K: the bias is added once
  add_case({2, 3, 4}, 5);
  add_case({2, 1, 3, 4}, 2);
  add_case({0, 3, 4}, 5);
  add_case({5, 17}, 9, Values::large, ", large");
  add_case({5, 17}, 9, Values::subnormal, ", subnormal");
  add_case({5, 17}, 9, Values::non_finite, ", NaN and infinities");
  add_case({5, 17}, 9, Values::equal, ", equal");
  return cases;
}

std::vector<OpCase> make_cases() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const Shape& a, const Shape& b, Values values = Values::normal,
                            const char* kind = "") {
    cases.push_back({.name = label(a) + " @ " + label(b) + kind,
                     .inputs = {{a, values}, {b, values}},
                     .has_gradient_check = values == Values::normal && a.numel() + b.numel() < 400});
  };
  for (const std::int64_t n : kSizes) {
    add_case({3, 5}, {5, n});  // tails in the columns
    if (n != 3 && n != 5) add_case({n, 5}, {5, 3});
    if (n != 5) add_case({3, n}, {n, 4});
  }
  for (const std::int64_t n : {8, 15, 17, 33}) add_case({n, n}, {n, n});
  add_case({6, 64}, {64, 16});      // lesson 4
  add_case({12, 32}, {32, 16});     // lesson 5
  add_case({13, 300}, {300, 37});   // more than one block of K
  add_case({29, 40}, {40, 65});     // panels four vectors wide, and more than one
  add_case({2, 40}, {40, 137});     // few rows
  add_case({350, 100}, {100, 70});  // large enough for copies of both
  add_case({1, 2, 3}, {3, 4});
  add_case({2, 3, 4}, {2, 4, 5});
  add_case({2, 1, 3, 4}, {5, 4, 2});
  add_case({3, 4}, {2, 4, 5});
  add_case({0, 3, 4}, {4, 5});
  add_case({3, 2, 0}, {3, 0, 3});
  add_case({5, 17}, {17, 9}, Values::large, ", large");
  add_case({5, 17}, {17, 9}, Values::subnormal, ", subnormal");
  add_case({5, 17}, {17, 9}, Values::non_finite, ", NaN and infinities");
  add_case({5, 17}, {17, 9}, Values::equal, ", equal");
  return cases;
}

// m, n, k of the lessons, of a small and of a large GPT.
std::vector<OpCase> make_benchmarks() {
  std::vector<OpCase> cases;
  for (const auto& [m, n, k] : std::vector<std::array<std::int64_t, 3>>{{6, 16, 64},
                                                                        {12, 16, 32},
                                                                        {12, 12, 16},
                                                                        {64, 64, 64},
                                                                        {256, 64, 64},
                                                                        {1024, 64, 64},
                                                                        {128, 128, 128},
                                                                        {256, 256, 256},
                                                                        {512, 512, 512},
                                                                        {1024, 768, 768},
                                                                        {1024, 3072, 768},
                                                                        {1024, 1024, 64},
                                                                        {1024, 64, 1024},
                                                                        {1, 768, 768},
                                                                        {2048, 2048, 2048}}) {
    const Shape a{m, k};
    const Shape b{k, n};
    cases.push_back({.name = label(a) + " @ " + label(b), .inputs = {{a}, {b}}});
  }
  return cases;
}

// Multiply-adds count twice.
double operations(const Inputs& inputs, const Attributes&, const Tensor& y) {
  return 2.0 * static_cast<double>(y.numel()) * static_cast<double>(inputs[0].size(-1));
}

}  // namespace

OpSpec matmul_spec() {
  return {.name = "matmul",
          .inputs = {{"a"}, {"b"}},
          .forward = [](const Inputs& inputs, const Attributes&) { return matmul(inputs[0], inputs[1]); },
          .reference = reference,
          .cases = make_cases(),
          .independent_axes = independent_axes,
          .benchmarks = make_benchmarks(),
          .operations = operations};
}

OpSpec linear_spec() {
  const auto benchmark = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    const Shape x{m, k};
    const Shape weight{k, n};
    return OpCase{.name = label(x) + " @ " + label(weight), .inputs = {{x}, {weight}, {{n}}}};
  };
  return {.name = "linear",
          .inputs = {{"x"}, {"weight"}, {"bias"}},
          .forward = [](const Inputs& inputs,
                        const Attributes&) { return linear(inputs[0], inputs[1], inputs[2]); },
          .reference = linear_reference,
          .cases = make_linear_cases(),
          .independent_axes = linear_axes,
          .benchmarks = {benchmark(6, 16, 64),  // lesson 4
                         benchmark(1024, 192, 64), benchmark(1, 3072, 768), benchmark(1024, 3072, 768)},
          .operations = operations};
}

}  // namespace wick::testing
