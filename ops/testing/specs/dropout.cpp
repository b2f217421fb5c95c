#include <wick/framework/random.h>
#include <wick/ops/dropout.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// The stream is default_rng(seed)'s, begun anew at every call.
const std::vector<AttributeSpec> kAttributes = {{"rate", 0.5}, {"seed", std::int64_t{0}}};

std::unique_ptr<Rng> stream_of(const Attributes& attributes) {
  return default_rng(static_cast<std::uint64_t>(attributes.get<std::int64_t>("seed")));
}

// The factor is rounded to the op's type before the product is: two roundings.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const double rate = attributes.get<double>("rate");
  const auto rng = stream_of(attributes);
  std::vector<double> y = inputs[0].to_vector<double>();
  for (double& element : y) {
    if (rate > 0) element = rng->random() < rate ? 0 : element / (1 - rate);
  }
  std::vector<double> bound;
  for (const double element : y) bound.push_back(std::isfinite(element) ? 1.5 * std::abs(element) : 0);
  return {from_vector(y, inputs[0].shape()), from_vector(bound, inputs[0].shape())};
}

}  // namespace

OpSpec dropout_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& shape, double rate,
                            Values values = Values::normal, std::int64_t seed = 3) {
    cases.push_back({.name = name,
                     .inputs = {{shape, values}},
                     .attributes = Attributes(kAttributes, {{"rate", rate}, {"seed", seed}}),
                     .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : kSizes) add_case("rows of " + std::to_string(n), {3, n}, 0.5);
  add_case("rank 0", {}, 0.5, Values::normal, 1);
  add_case("batch", {2, 5, 9}, 0.2);
  add_case("rate 0", {4, 9}, 0);
  add_case("almost all", {5, 33}, 0.9);
  add_case("almost none", {5, 33}, 0.01);
  add_case("NaN and infinities", {5, 33}, 0.3, Values::non_finite);
  add_case("subnormal", {5, 33}, 0.3, Values::subnormal);
  add_case("equal", {5, 3}, 0.5, Values::equal);
  const auto benchmark = [](const Shape& shape) {
    return OpCase{
        .name = label(shape), .inputs = {{shape}}, .attributes = Attributes(kAttributes, {{"rate", 0.1}})};
  };
  return {.name = "dropout",
          .inputs = {{"x", InputKind::floating}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return dropout(inputs[0], given.get<double>("rate"), *stream_of(given));
              },
          .reference = reference,
          .cases = cases,
          .benchmarks = {benchmark({12, 32}), benchmark({1024, 64}), benchmark({1024, 1024})}};
}

}  // namespace wick::testing
