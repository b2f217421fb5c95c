#include <cmath>
#include <limits>

#include <wick/ops/softmax.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// exp(x - max) / sum, in long double; the bound is what softmax.h states: (|x - max| + n + 4) epsilon of the
// result.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const int axis = normalized_axis("reference", attributes.get<std::int64_t>("axis"), x.rank());
  const std::int64_t n = x.shape()[axis];
  const std::vector<double> scores = x.to_vector<double>();
  const Strides strides = row_major(x.shape());
  std::vector<double> y(scores.size());
  std::vector<double> bound(scores.size());
  for_each_position(x.shape(), [&](const Dimensions& position) {
    if (position[axis] != 0) return;  // each row once, from its first element
    std::size_t first = 0;
    for (int i = 0; i < position.rank(); ++i) first += static_cast<std::size_t>(position[i] * strides[i]);
    const auto at = [&](std::int64_t i) { return first + static_cast<std::size_t>(i * strides[axis]); };
    long double largest = -std::numeric_limits<long double>::infinity();
    for (std::int64_t i = 0; i < n; ++i) {
      if (std::isnan(scores[at(i)]) || scores[at(i)] > largest) largest = scores[at(i)];
      if (std::isnan(largest)) break;
    }
    long double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::exp(scores[at(i)] - largest);
    for (std::int64_t i = 0; i < n; ++i) {
      const long double below = scores[at(i)] - largest;
      y[at(i)] = static_cast<double>(std::exp(below) / sum);
      // Where the result is 0 the distance may be infinite.
      bound[at(i)] =
          y[at(i)] == 0 ? 0
                        : static_cast<double>(y[at(i)] * (std::abs(below) + static_cast<long double>(n) + 4));
    }
  });
  return {from_vector(y, x.shape()), from_vector(bound, x.shape())};
}

}  // namespace

OpSpec softmax_spec() {
  const std::vector<AttributeSpec> attributes = {{"axis", std::int64_t{-1}}};
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& shape, std::int64_t axis = -1,
                            Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{shape, values}},
                     .attributes = Attributes(attributes, {{"axis", axis}}),
                     .has_gradient_check = values == Values::normal || values == Values::equal});
  };
  for (const std::int64_t n : kSizes) add_case("rows of " + std::to_string(n), {3, n});
  for (const std::int64_t n : kSizes) add_case("columns of " + std::to_string(n), {n, 3}, 0);
  add_case("rank 1", {9}, 0);
  add_case("middle axis", {2, 5, 3}, 1);
  add_case("no rows", {0, 5});
  add_case("long rows", {2, 1000}, -1);
  cases.back().has_gradient_check = false;  // too many elements to move one by one
  add_case("strips of columns", {2, 70, 67}, 1);
  cases.back().has_gradient_check = false;
  add_case("wide", {9, 33}, -1, Values::wide);
  add_case("large", {5, 33}, -1, Values::large);
  add_case("subnormal", {5, 33}, -1, Values::subnormal);
  add_case("NaN and infinities", {40, 17}, -1, Values::extreme);
  add_case("equal", {3, 5}, -1, Values::equal);
  const auto benchmark = [&](const char* name, const Shape& shape) {
    return OpCase{.name = name, .inputs = {{shape}}, .attributes = Attributes(attributes, {})};
  };
  return {.name = "softmax",
          .inputs = {{"x", InputKind::floating}},
          .attributes = attributes,
          .forward = [](const Inputs& inputs,
                        const Attributes& given) { return softmax(inputs[0], given.get_int("axis")); },
          .reference = reference,
          .cases = cases,
          .may_flush_to_0 = true,
          .independent_axes =
              [](const Inputs& inputs, const Attributes& given) {
                const int rank = inputs[0].rank();
                const int axis = normalized_axis("reference", given.get<std::int64_t>("axis"), rank);
                return all_axes_but(axis, rank, /*keeps_axis=*/true);
              },
          .benchmarks = {benchmark("64x1024", {64, 1024}), benchmark("4096x64", {4096, 64}),
                         benchmark("12288x1024", {12288, 1024})}};
}

}  // namespace wick::testing
