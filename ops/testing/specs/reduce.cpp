#include <array>
#include <cmath>

#include <wick/ops/argmax.h>
#include <wick/ops/mean.h>
#include <wick/ops/sum.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kSumAttributes = {{"axis", Dimensions{}}, {"keepdims", false}};
const std::vector<AttributeSpec> kArgmaxAttributes = {{"axis", std::int64_t{-1}}};

// No axis: all of them.
Dimensions summed(const Tensor& x, const Attributes& attributes) {
  Dimensions axes = attributes.get<Dimensions>("axis");
  if (axes.rank() == 0) {
    for (int axis = 0; axis < x.rank(); ++axis) axes.push_back(axis);
  }
  return axes;
}

// The axes that stay. Where they stand in the output depends on how many before them are summed.
std::vector<IndependentAxis> kept_axes(const Tensor& x, const Dimensions& axes, bool keepdims) {
  std::array<bool, kMaxRank> is_summed{};
  for (const std::int64_t axis : axes) {
    is_summed[static_cast<std::size_t>(normalized_axis("reference", axis, x.rank()))] = true;
  }
  std::vector<IndependentAxis> kept;
  int place = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!is_summed[static_cast<std::size_t>(axis)]) kept.push_back({{axis}, place});
    if (!is_summed[static_cast<std::size_t>(axis)] || keepdims) ++place;
  }
  return kept;
}

// Without the dimensions of size 1 that stand for summed axes.
Shape squeezed(const Shape& kept, const Tensor& x, const Dimensions& axes) {
  Shape shape;
  for (const IndependentAxis& axis : kept_axes(x, axes, false)) shape.push_back(kept[*axis.of_inputs[0]]);
  return shape;
}

// A plain sum into each result, in long double. An element goes through 15 additions of its own chain, three
// between the chains, at most four between lanes, and one for each doubling of the blocks: 23 + log2(n) of
// epsilon / 2, stated as 24 + log2(n) epsilon of the sum of absolute values.
Expected sum_loop(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const Dimensions axes = summed(x, attributes);
  Shape kept = x.shape();  // summed axes at size 1
  std::int64_t n = 1;
  for (const std::int64_t axis : axes) {
    const int normalized = normalized_axis("reference", axis, x.rank());
    n *= kept[normalized];
    kept[normalized] = 1;
  }
  const auto count = static_cast<std::size_t>(kept.numel());
  std::vector<long double> sums(count);
  std::vector<long double> magnitudes(count);
  const std::vector<double> numbers = x.to_vector<double>();
  std::size_t i = 0;
  for_each_position(x.shape(), [&](const Dimensions& position) {
    const std::size_t result = broadcast_index(position, kept);
    sums[result] += numbers[i];
    magnitudes[result] += std::abs(numbers[i]);
    ++i;
  });
  std::vector<double> y;
  std::vector<double> bound;
  const double additions = 24 + std::log2(static_cast<double>(n + 1));
  for (std::size_t result = 0; result < count; ++result) {
    y.push_back(static_cast<double>(sums[result]));
    bound.push_back(std::isfinite(sums[result]) ? static_cast<double>(magnitudes[result]) * additions : 0);
  }
  const Shape shape = attributes.get<bool>("keepdims") ? kept : squeezed(kept, x, axes);
  return {from_vector(y, shape), from_vector(bound, shape)};
}

// The sums over their count. The division rounds once more: at most half an epsilon of the mean of the
// magnitudes, which is no less than the mean.
Expected mean_loop(const Inputs& inputs, const Attributes& attributes) {
  const Expected sums = sum_loop(inputs, attributes);
  double n = 1;
  for (const std::int64_t axis : summed(inputs[0], attributes))
    n *= static_cast<double>(inputs[0].size(axis));
  std::vector<double> y = sums.value.to_vector<double>();
  std::vector<double> bound = sums.bound.to_vector<double>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] /= n;
    bound[i] = std::isfinite(y[i]) ? bound[i] / n + std::abs(y[i]) / 2 : 0;
  }
  return {from_vector(y, sums.value.shape()), from_vector(bound, sums.value.shape())};
}

Expected argmax_loop(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const int axis = normalized_axis("reference", attributes.get<std::int64_t>("axis"), x.rank());
  Shape kept = x.shape();
  kept[axis] = 1;
  std::vector<double> largest(static_cast<std::size_t>(kept.numel()));
  std::vector<std::int64_t> best(largest.size(), -1);
  const std::vector<double> numbers = x.to_vector<double>();
  std::size_t i = 0;
  for_each_position(x.shape(), [&](const Dimensions& position) {
    const std::size_t result = broadcast_index(position, kept);
    const double number = numbers[i++];
    const bool is_first_nan = std::isnan(number) && !std::isnan(largest[result]);
    if (best[result] < 0 || is_first_nan || number > largest[result]) {
      best[result] = position[axis];
      largest[result] = number;
    }
  });
  return {from_vector(best, squeezed(kept, x, {axis})), {}};
}

}  // namespace

OpSpec sum_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& shape, const Dimensions& axes,
                            bool keepdims = false, Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{shape, values}},
                     .attributes = Attributes(kSumAttributes, {{"axis", axes}, {"keepdims", keepdims}}),
                     .has_gradient_check = values == Values::normal && shape.numel() < 400});
  };
  for (const std::int64_t n : kSizes) add_case("rows of " + std::to_string(n), {3, n}, {-1});
  for (const std::int64_t n : kSizes) add_case("columns of " + std::to_string(n), {n, 3}, {0}, true);
  for (const std::int64_t n : {63, 64, 65, 127, 1023, 1024, 1025, 5000})
    add_case("all of " + std::to_string(n), {n}, {});
  for (const std::int64_t n : {70, 1025})
    add_case("a strip of columns of " + std::to_string(n), {n, 67}, {0});
  add_case("two axes in front", {6, 5, 7}, {0, 1});
  add_case("two axes in the middle", {3, 2, 5, 4}, {1, 2}, true);
  add_case("rank 0", {}, {});
  add_case("several axes", {2, 3, 4, 5}, {1, -1});
  add_case("all axes, kept", {2, 3, 4}, {}, true);
  add_case("no rows", {0, 5}, {1});
  add_case("large", {5, 33}, {1}, false, Values::large);
  add_case("subnormal", {5, 33}, {1}, false, Values::subnormal);
  add_case("NaN and infinities", {40, 17}, {1}, false, Values::extreme);
  add_case("equal", {3, 5}, {1}, false, Values::equal);
  const auto benchmark = [](const char* name, const Dimensions& axes) {
    return OpCase{
        .name = name, .inputs = {{{1024, 1024}}}, .attributes = Attributes(kSumAttributes, {{"axis", axes}})};
  };
  return {.name = "sum",
          .inputs = {{"x", InputKind::floating}},
          .attributes = kSumAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return sum(inputs[0], summed(inputs[0], given), given.get<bool>("keepdims"));
              },
          .reference = sum_loop,
          .cases = cases,
          .independent_axes =
              [](const Inputs& inputs, const Attributes& given) {
                return kept_axes(inputs[0], summed(inputs[0], given), given.get<bool>("keepdims"));
              },
          .benchmarks = {benchmark("rows of 1024x1024", {1}), benchmark("columns of 1024x1024", {0}),
                         benchmark("all of 1024x1024", {})}};
}

OpSpec mean_spec() {
  OpSpec mean_of = sum_spec();
  mean_of.name = "mean";
  mean_of.forward = [](const Inputs& inputs, const Attributes& given) {
    return mean(inputs[0], summed(inputs[0], given), given.get<bool>("keepdims"));
  };
  mean_of.reference = mean_loop;
  // The largest number twice: the sum overflows, and the mean with it, where the reference's does not.
  for (OpCase& op_case : mean_of.cases) {
    for (CaseInput& input : op_case.inputs) {
      if (input.values == Values::extreme) input.values = Values::non_finite;
    }
  }
  return mean_of;
}

OpSpec argmax_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& shape, std::int64_t axis,
                            Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{shape, values}},
                     .attributes = Attributes(kArgmaxAttributes, {{"axis", axis}}),
                     .has_gradient_check = false});
  };
  for (const std::int64_t n : kSizes) {
    if (n > 0) add_case("rows of " + std::to_string(n), {3, n}, -1);
    if (n > 0) add_case("columns of " + std::to_string(n), {n, 3}, 0);
  }
  add_case("middle axis", {2, 5, 3}, 1);
  add_case("no rows", {0, 5}, 1);
  add_case("NaN and infinities", {40, 17}, -1, Values::extreme);
  add_case("subnormal", {40, 17}, -1, Values::subnormal);
  add_case("ties", {3, 17}, -1, Values::equal);
  const auto benchmark = [](const std::string& name, const Shape& shape, std::int64_t axis) {
    return OpCase{
        .name = name, .inputs = {{shape}}, .attributes = Attributes(kArgmaxAttributes, {{"axis", axis}})};
  };
  return {.name = "argmax",
          .inputs = {{"x", InputKind::floating}},
          .attributes = kArgmaxAttributes,
          .forward = [](const Inputs& inputs,
                        const Attributes& given) { return argmax(inputs[0], given.get_int("axis")); },
          .reference = argmax_loop,
          .cases = cases,
          .independent_axes =
              [](const Inputs& inputs, const Attributes& given) {
                return kept_axes(inputs[0], {given.get<std::int64_t>("axis")}, /*keepdims=*/false);
              },
          .benchmarks = {benchmark("a row of 24", {1, 24}, -1), benchmark("rows of 4096x24", {4096, 24}, -1),
                         benchmark("rows of 1024x1024", {1024, 1024}, -1),
                         benchmark("columns of 1024x1024", {1024, 1024}, 0)}};
}

}  // namespace wick::testing
