#include <wick/ops/concat.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// Of two tensors; tests/ops/concat_test.cpp puts together any number.
const std::vector<AttributeSpec> kAttributes = {{"axis", std::int64_t{0}}};

int axis_of(const Inputs& inputs, const Attributes& attributes) {
  return normalized_axis("reference", attributes.get<std::int64_t>("axis"), inputs[0].rank());
}

Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const int axis = axis_of(inputs, attributes);
  const std::int64_t border = inputs[0].shape()[axis];
  Shape shape = inputs[0].shape();
  shape[axis] += inputs[1].shape()[axis];
  const std::vector<double> first = inputs[0].to_vector<double>();
  const std::vector<double> second = inputs[1].to_vector<double>();
  std::size_t next_of_first = 0, next_of_second = 0;  // each is met in row-major order
  std::vector<double> y;
  for_each_position(shape, [&](const Dimensions& position) {
    y.push_back(position[axis] < border ? first[next_of_first++] : second[next_of_second++]);
  });
  return {from_vector(y, shape), {}};
}

}  // namespace

OpSpec concat_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& a, const Shape& b, std::int64_t axis,
                            Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{a, values}, {b, values}},
                     .attributes = Attributes(kAttributes, {{"axis", axis}}),
                     .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : kSizes) add_case("rows of " + std::to_string(n), {2, n}, {3, n}, 0);
  for (const std::int64_t n : kSizes) add_case("3 and " + std::to_string(n), {4, 3}, {4, n}, -1);
  add_case("rank 1", {5}, {9}, 0);
  add_case("middle axis", {2, 3, 4}, {2, 1, 4}, 1);
  add_case("first of three axes", {1, 3, 4}, {2, 3, 4}, -3);
  add_case("nothing first", {0, 3}, {2, 3}, 0);
  add_case("nothing at all", {0}, {0}, 0);
  add_case("NaN and infinities", {5, 17}, {5, 16}, 1, Values::extreme);
  add_case("equal", {5, 3}, {5, 1}, 1, Values::equal);
  const auto benchmark = [](const std::string& name, const Shape& a, const Shape& b, std::int64_t axis) {
    return OpCase{
        .name = name, .inputs = {{a}, {b}}, .attributes = Attributes(kAttributes, {{"axis", axis}})};
  };
  return {
      .name = "concat",
      .inputs = {{"a", InputKind::any}, {"b", InputKind::any}},
      .attributes = kAttributes,
      .forward = [](const Inputs& inputs,
                    const Attributes& given) { return concat(inputs, given.get_int("axis")); },
      .reference = reference,
      .cases = cases,
      .independent_axes =
          [](const Inputs& inputs, const Attributes& given) {
            std::vector<IndependentAxis> axes;
            for (int axis = 0; axis < inputs[0].rank(); ++axis) {
              if (axis != axis_of(inputs, given)) axes.push_back({{axis, axis}, axis});
            }
            return axes;
          },
      .benchmarks = {benchmark("12x16 twice", {12, 16}, {12, 16}, 1),
                     benchmark("4096x4 twice", {4096, 4}, {4096, 4}, 1),  // each run is one vector, or less
                     benchmark("1024x512 twice", {1024, 512}, {1024, 512}, 1),
                     benchmark("1023x64 and a row", {1023, 64}, {1, 64}, 0)}};  // keys that are cached
}

}  // namespace wick::testing
