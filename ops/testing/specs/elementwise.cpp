#include <cmath>

#include <wick/ops/add.h>
#include <wick/ops/divide.h>
#include <wick/ops/mul.h>
#include <wick/ops/scale.h>
#include <wick/ops/subtract.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

template <typename Operation>
Expected broadcast_loop(const Inputs& inputs, Operation operation) {
  const Shape shape = broadcast_shapes("reference", inputs[0].shape(), inputs[1].shape());
  const std::vector<double> a = inputs[0].to_vector<double>();
  const std::vector<double> b = inputs[1].to_vector<double>();
  std::vector<double> y;
  for_each_position(shape, [&](const Dimensions& position) {
    y.push_back(operation(a[broadcast_index(position, inputs[0].shape())],
                          b[broadcast_index(position, inputs[1].shape())]));
  });
  return {from_vector(y, shape), one_rounding(y, shape)};
}

std::vector<OpCase> binary_cases(bool divides) {
  const Values divisor = divides ? Values::away_from_0 : Values::normal;
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& a, const Shape& b) {
    cases.push_back({.name = name, .inputs = {{a}, {b, divisor}}});
  };
  for (const std::int64_t n : kSizes) add_case("n" + std::to_string(n), {n}, {n});
  for (const std::int64_t n : kSizes) add_case("row of " + std::to_string(n) + " broadcast", {3, n}, {n});
  for (const std::int64_t n : {1, 8, 17})
    add_case("column broadcast over " + std::to_string(n), {3, n}, {3, 1});
  for (const std::int64_t n : {1, 8, 17}) add_case("column against row of " + std::to_string(n), {4, 1}, {n});
  add_case("number", {2, 5}, {});
  add_case("rank 0", {}, {});
  add_case("rank 4 and 2", {2, 3, 1, 5}, {4, 1});
  add_case("empty broadcast", {3, 0}, {3, 1});
  for (const auto& [name, values] :
       {std::pair{"large", Values::large}, std::pair{"subnormal", Values::subnormal},
        std::pair{"NaN and infinities", Values::extreme}, std::pair{"equal", Values::equal}}) {
    cases.push_back(
        {.name = name,
         .inputs = {{{5, 33}, values}, {{5, 33}, divides && values != Values::extreme ? divisor : values}},
         .has_gradient_check = false});
  }
  return cases;
}

template <typename Operation>
OpSpec binary_spec(const std::string& name, Tensor (*op)(const Tensor&, const Tensor&), Operation operation) {
  return {.name = name,
          .inputs = {{"a", InputKind::floating}, {"b", InputKind::floating}},
          .forward = [op](const Inputs& inputs, const Attributes&) { return op(inputs[0], inputs[1]); },
          .reference = [operation](const Inputs& inputs,
                                   const Attributes&) { return broadcast_loop(inputs, operation); },
          .cases = binary_cases(name == "divide"),
          .independent_axes =
              [](const Inputs& inputs, const Attributes&) {
                return elementwise_axes(inputs,
                                        broadcast_shapes("reference", inputs[0].shape(), inputs[1].shape()));
              },
          .benchmarks = {{.name = "64x64", .inputs = {{{64, 64}}, {{64, 64}}}},
                         {.name = "1024x1024", .inputs = {{{1024, 1024}}, {{1024, 1024}}}},
                         {.name = "1024x1024 and a row", .inputs = {{{1024, 1024}}, {{1024}}}}}};
}

}  // namespace

OpSpec add_spec() {
  return binary_spec("add", add, [](double a, double b) { return a + b; });
}

OpSpec subtract_spec() {
  return binary_spec("subtract", subtract, [](double a, double b) { return a - b; });
}

OpSpec mul_spec() {
  return binary_spec("mul", mul, [](double a, double b) { return a * b; });
}

OpSpec divide_spec() {
  return binary_spec("divide", divide, [](double a, double b) { return a / b; });
}

OpSpec scale_spec() {
  const std::vector<AttributeSpec> attributes = {{"factor", 1.0, /*is_required=*/true}};
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& shape, double factor,
                            Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{shape, values}},
                     .attributes = Attributes(attributes, {{"factor", factor}}),
                     .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : kSizes) add_case("n" + std::to_string(n), {n}, 0.375);
  add_case("rank 0", {}, -2);
  add_case("rank 3", {2, 3, 5}, -0.625);
  add_case("by 0", {5}, 0);
  add_case("by what float32 rounds", {33}, 1.0 / 3);
  add_case("large", {33}, 1e4, Values::large);
  add_case("subnormal", {33}, 0.5, Values::subnormal);
  add_case("NaN and infinities", {5, 33}, 3, Values::extreme);
  add_case("equal", {5, 3}, 3, Values::equal);
  const auto benchmark = [&](const char* name, const Shape& shape) {
    return OpCase{
        .name = name, .inputs = {{shape}}, .attributes = Attributes(attributes, {{"factor", 0.25}})};
  };
  return {.name = "scale",
          .inputs = {{"x", InputKind::floating}},
          .attributes = attributes,
          .forward = [](const Inputs& inputs,
                        const Attributes& given) { return scale(inputs[0], given.get<double>("factor")); },
          .reference =
              [](const Inputs& inputs, const Attributes& given) {
                const double factor = given.get<double>("factor");
                // The reference has the factor as it was given, and float32 a rounded one.
                const double roundings = factor == static_cast<double>(static_cast<float>(factor)) ? 1 : 2;
                std::vector<double> y = inputs[0].to_vector<double>();
                for (double& element : y) element *= factor;
                std::vector<double> bounds = one_rounding(y, inputs[0].shape()).to_vector<double>();
                for (double& bound : bounds) bound *= roundings;
                return Expected{from_vector(y, inputs[0].shape()), from_vector(bounds, inputs[0].shape())};
              },
          .cases = cases,
          .independent_axes = [](const Inputs& inputs,
                                 const Attributes&) { return elementwise_axes(inputs, inputs[0].shape()); },
          .benchmarks = {benchmark("64x64", {64, 64}), benchmark("1024x1024", {1024, 1024})}};
}

}  // namespace wick::testing
