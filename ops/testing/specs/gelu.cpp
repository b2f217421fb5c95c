#include <algorithm>
#include <cmath>
#include <limits>

#include <wick/ops/gelu.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kAttributes = {{"exact", false}};

struct Value {
  long double y;
  long double epsilons;  ///< relative
};

// x / (1 + exp(-2 u)) is x / 2 (1 + tanh(u)), without the loss of digits that would make this loop a worse
// one than the op. u has five roundings, doubled and counted in whole epsilons; the rest is the
// exponential's, the quotient's and two products'.
Value tanh_form(long double x) {
  const long double u = std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x);
  return {x / (1 + std::exp(-2 * u)), 6 * std::abs(u) + 8};
}

// x² / 2 has two roundings of half an epsilon each; the rest is the exponential's, the polynomial's, the
// quotient's and products'.
Value exact_form(long double x) { return {x * std::erfc(-x / std::sqrt(2.0L)) / 2, x * x / 2 + 12}; }

Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const bool is_exact = attributes.get<bool>("exact");
  std::vector<double> y;
  std::vector<double> bound;
  for (const double x : inputs[0].to_vector<double>()) {
    const Value value = is_exact ? exact_form(x) : tanh_form(x);
    y.push_back(static_cast<double>(value.y));
    const double magnitude = std::abs(y.back());
    // Where the result is 0 the epsilons may be infinitely many.
    double epsilons = magnitude == 0 || !std::isfinite(magnitude) ? 0 : static_cast<double>(value.epsilons);
    // float32 may be 0 below a hundred times its smallest number, float64 below its own.
    if (magnitude < 100 * std::numeric_limits<float>::min()) epsilons = std::max(epsilons, 0x1p+23);
    if (magnitude < 100 * std::numeric_limits<double>::min()) epsilons = std::max(epsilons, 0x1p+52);
    bound.push_back(magnitude * epsilons);
  }
  return {from_vector(y, inputs[0].shape()), from_vector(bound, inputs[0].shape())};
}

}  // namespace

OpSpec gelu_spec() {
  std::vector<OpCase> cases;
  for (const bool is_exact : {false, true}) {
    const auto add_case = [&](const std::string& name, const Shape& shape, Values values = Values::normal) {
      cases.push_back({.name = name + (is_exact ? ", exact" : ""),
                       .inputs = {{shape, values}},
                       .attributes = Attributes(kAttributes, {{"exact", is_exact}}),
                       .has_gradient_check = values == Values::normal || values == Values::equal});
    };
    for (const std::int64_t n : kSizes) add_case("n" + std::to_string(n), {n});
    add_case("rank 0", {});
    add_case("rank 3", {2, 3, 5});
    add_case("no rows", {0, 3});
    add_case("tails", {5, 33}, Values::wide);
    add_case("large", {33}, Values::large);
    add_case("subnormal", {33}, Values::subnormal);
    add_case("NaN and infinities", {5, 33}, Values::extreme);
    add_case("equal", {5, 3}, Values::equal);
  }
  std::vector<OpCase> benchmarks;
  for (const bool is_exact : {false, true}) {
    for (const Shape& shape : {Shape{64, 64}, Shape{1024, 256}, Shape{4096, 1024}}) {
      benchmarks.push_back({.name = label(shape) + (is_exact ? " exact" : ""),
                            .inputs = {{shape}},
                            .attributes = Attributes(kAttributes, {{"exact", is_exact}})});
    }
  }
  return {.name = "gelu",
          .inputs = {{"x"}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return gelu(inputs[0], given.get<bool>("exact") ? GeluForm::exact : GeluForm::tanh);
              },
          .reference = reference,
          .cases = cases,
          .may_flush_to_0 = true,
          .independent_axes = [](const Inputs& inputs,
                                 const Attributes&) { return elementwise_axes(inputs, inputs[0].shape()); },
          .benchmarks = benchmarks};
}

}  // namespace wick::testing
