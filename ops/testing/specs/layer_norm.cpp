#include <cmath>

#include <wick/ops/layer_norm.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kAttributes = {{"epsilon", 1e-5}};

// Row by row, in long double, and the bound that layer_norm.h states. The mean has the error of its sum (see
// reduce.cpp) and a rounding or two: (26 + log2(n + 1)) epsilon / 2 of the mean magnitude. All deviations
// have it, so that its square alone reaches the variance: the term of second order. The variance's own error,
// that of a sum of squares, counts half in the deviation, and comes with y - bias.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const std::int64_t n = x.size(-1);
  const double epsilon = attributes.get<double>("epsilon");
  const std::vector<double> numbers = x.to_vector<double>();
  const std::vector<double> gain = inputs[1].to_vector<double>();
  const std::vector<double> bias =
      inputs.size() > 2 ? inputs[2].to_vector<double>() : std::vector<double>(gain.size());
  const double additions = 32 + std::log2(static_cast<double>(n + 1));
  constexpr double kFloat32Epsilon =
      0x1p-23;  // for the second order: float64's bounds are then too wide there
  std::vector<double> y;
  std::vector<double> bound;
  for (std::size_t first = 0; first < numbers.size(); first += gain.size()) {
    long double sum = 0;
    long double magnitudes = 0;
    for (std::size_t i = 0; i < gain.size(); ++i) {
      sum += numbers[first + i];
      magnitudes += std::abs(numbers[first + i]);
    }
    const long double mean = sum / n;
    long double squares = 0;
    for (std::size_t i = 0; i < gain.size(); ++i) {
      squares += (numbers[first + i] - mean) * (numbers[first + i] - mean);
    }
    const long double deviation = std::sqrt(squares / n + epsilon);
    const double size = static_cast<double>(magnitudes / n / deviation);
    const double shift = additions / 2 * kFloat32Epsilon * size;
    for (std::size_t i = 0; i < gain.size(); ++i) {
      const auto normalized = static_cast<double>((numbers[first + i] - mean) / deviation);
      y.push_back(normalized * gain[i] + bias[i]);
      const double second_order = std::abs(normalized * gain[i]) * shift * shift / 2 / kFloat32Epsilon;
      bound.push_back(std::isfinite(y.back())
                          ? additions *
                                    (std::abs(gain[i]) * (std::abs(normalized) + size) + std::abs(bias[i])) +
                                second_order
                          : 0);
    }
  }
  return {from_vector(y, x.shape()), from_vector(bound, x.shape())};
}

// Rows know nothing of each other.
std::vector<IndependentAxis> independent_axes(const Inputs& inputs, const Attributes&) {
  std::vector<IndependentAxis> axes;
  for (int axis = 0; axis + 1 < inputs[0].rank(); ++axis) {
    axes.push_back({{axis}, axis});
    axes.back().of_inputs.resize(inputs.size());
  }
  return axes;
}

// Every case has gain and, where `has_bias`, bias.
OpSpec spec(const char* name, bool has_bias) {
  const auto make_case = [&](const std::string& case_name, const Shape& shape, Values values = Values::normal,
                             double epsilon = 1e-5) {
    OpCase made{.name = case_name,
                .inputs = {{shape, values}, {{shape.back()}}},
                .attributes = Attributes(kAttributes, {{"epsilon", epsilon}}),
                .has_gradient_check = values == Values::normal && shape.numel() < 400};
    if (has_bias) made.inputs.push_back({{shape.back()}});
    return made;
  };
  OpSpec made{.name = name,
              .inputs = {{"x"}, {"gain"}},
              .attributes = kAttributes,
              .forward =
                  [has_bias](const Inputs& inputs, const Attributes& given) {
                    return layer_norm(inputs[0], inputs[1], has_bias ? inputs[2] : Tensor(),
                                      given.get<double>("epsilon"));
                  },
              .reference = reference,
              .cases = {},
              .may_flush_to_0 = true,
              .independent_axes = independent_axes};
  if (has_bias) made.inputs.push_back({"bias"});
  const auto add = [&](auto... arguments) { made.cases.push_back(make_case(arguments...)); };
  for (const std::int64_t n : kSizes) {
    // Two numbers become -1 and 1, whatever they were: but for epsilon the gradient would be rounding alone.
    add("rows of " + std::to_string(n), Shape{3, n}, Values::normal, n == 2 ? 0.25 : 1e-5);
  }
  for (const std::int64_t n : {63, 64, 65}) add("rows of " + std::to_string(n), Shape{5, n});
  for (const std::int64_t n : kSizes) add(std::to_string(n) + " rows", Shape{n, 5});
  add("long rows", Shape{2, 1300});
  add("many rows", Shape{300, 17});
  add("rank 1", Shape{9});
  add("rank 4", Shape{2, 3, 2, 5});
  add("another epsilon", Shape{3, 5}, Values::normal, 0.25);
  add("wide", Shape{9, 33}, Values::wide);
  add("large", Shape{5, 33}, Values::large);
  add("subnormal", Shape{5, 33}, Values::subnormal);
  add("NaN and infinities", Shape{40, 17}, Values::non_finite);
  add("NaN and infinities in long rows", Shape{40, 90}, Values::non_finite);
  add("equal", Shape{3, 5}, Values::equal);
  add("equal, long", Shape{3, 90}, Values::equal);
  for (const Shape& shape : {Shape{128, 32}, Shape{1024, 64}, Shape{1024, 256}, Shape{1024, 768}}) {
    made.benchmarks.push_back(make_case(label(shape), shape));
  }
  return made;
}

}  // namespace

OpSpec layer_norm_spec() { return spec("layer_norm", /*has_bias=*/true); }

// A spec's inputs are all there, so the one without bias has a spec, and a name, of its own.
OpSpec plain_layer_norm_spec() { return spec("plain_layer_norm", /*has_bias=*/false); }

}  // namespace wick::testing
