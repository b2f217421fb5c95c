#include <wick/ops/expand.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>
#include <wick/ops/transpose.h>

namespace wick::testing {
namespace {

const std::vector<AttributeSpec> kTransposeAttributes = {{"axes", Dimensions{}}};
const std::vector<AttributeSpec> kShapeAttributes = {{"shape", Dimensions{}, /*is_required=*/true}};
const std::vector<AttributeSpec> kSliceAttributes = {{"axis", std::int64_t{0}},
                                                     {"start", std::int64_t{0}},
                                                     {"stop", std::int64_t{0}, /*is_required=*/true},
                                                     {"step", std::int64_t{1}}};

// No axes: the last two exchanged.
Dimensions permutation_of(const Tensor& x, const Attributes& attributes) {
  Dimensions axes = attributes.get<Dimensions>("axes");
  for (int axis = 0; axis < axes.rank(); ++axis)
    axes[axis] = normalized_axis("reference", axes[axis], x.rank());
  if (axes.rank() > 0) return axes;
  for (int axis = 0; axis < x.rank() - 2; ++axis) axes.push_back(axis);
  axes.push_back(x.rank() - 1);
  axes.push_back(x.rank() - 2);
  return axes;
}

Expected transpose_loop(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const Dimensions axes = permutation_of(x, attributes);
  const std::vector<double> numbers = x.to_vector<double>();
  Shape shape;
  for (const std::int64_t axis : axes) shape.push_back(x.shape()[static_cast<int>(axis)]);
  std::vector<double> y;
  for_each_position(shape, [&](const Dimensions& position) {
    Dimensions source = position;
    for (int i = 0; i < axes.rank(); ++i) source[static_cast<int>(axes[i])] = position[i];
    y.push_back(numbers[broadcast_index(source, x.shape())]);
  });
  return {from_vector(y, shape), {}};
}

Expected reshape_loop(const Inputs& inputs, const Attributes& attributes) {
  Dimensions shape = attributes.get<Dimensions>("shape");
  std::int64_t known = 1;
  for (const std::int64_t size : shape) known *= size == -1 ? 1 : size;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == -1) shape[axis] = inputs[0].numel() / known;
  }
  return {from_vector(inputs[0].to_vector<double>(), Shape(std::span(shape.begin(), shape.end()))), {}};
}

Shape target_shape(const Attributes& attributes) {
  const Dimensions& sizes = attributes.get<Dimensions>("shape");
  return Shape(std::span(sizes.begin(), sizes.end()));
}

Expected expand_loop(const Inputs& inputs, const Attributes& attributes) {
  const Shape shape = target_shape(attributes);
  const std::vector<double> numbers = inputs[0].to_vector<double>();
  std::vector<double> y;
  for_each_position(shape, [&](const Dimensions& position) {
    y.push_back(numbers[broadcast_index(position, inputs[0].shape())]);
  });
  return {from_vector(y, shape), {}};
}

struct Range {
  int axis;
  std::int64_t start, stop, step;
};

Range range_of(const Tensor& x, const Attributes& attributes) {
  const int axis = normalized_axis("reference", attributes.get<std::int64_t>("axis"), x.rank());
  const auto from_front = [&](std::int64_t at) { return at < 0 ? at + x.shape()[axis] : at; };
  return {axis, from_front(attributes.get<std::int64_t>("start")),
          from_front(attributes.get<std::int64_t>("stop")), attributes.get<std::int64_t>("step")};
}

Expected slice_loop(const Inputs& inputs, const Attributes& attributes) {
  const Tensor& x = inputs[0];
  const Range range = range_of(x, attributes);
  const std::vector<double> numbers = x.to_vector<double>();
  std::vector<double> y;
  std::size_t i = 0;
  for_each_position(x.shape(), [&](const Dimensions& position) {
    const std::int64_t at = position[range.axis];
    if (at >= range.start && at < range.stop && (at - range.start) % range.step == 0) y.push_back(numbers[i]);
    ++i;
  });
  Shape shape = x.shape();
  shape[range.axis] = 0;
  for (std::int64_t at = range.start; at < range.stop; at += range.step) ++shape[range.axis];
  return {from_vector(y, shape), {}};
}

using Given = std::map<std::string, AttributeValue>;

// The cases of an op with one input: a shape, and attributes.
struct Cases {
  const std::vector<AttributeSpec>& attributes;
  std::vector<OpCase> all;

  void add(const std::string& name, const Shape& shape, const Given& given, Values values = Values::normal) {
    all.push_back({.name = name,
                   .inputs = {{shape, values}},
                   .attributes = Attributes(attributes, given),
                   .has_gradient_check = values == Values::normal});
  }
};

}  // namespace

OpSpec transpose_spec() {
  Cases cases{kTransposeAttributes, {}};
  for (const std::int64_t n : kSizes) cases.add("5x" + std::to_string(n), {5, n}, {});
  cases.add("17x33", {17, 33}, {});
  cases.add("last two of rank 4", {2, 3, 4, 5}, {});
  cases.add("0,2,1", {2, 3, 4}, {{"axes", Dimensions{0, 2, 1}}});
  cases.add("2,0,1", {2, 3, 4}, {{"axes", Dimensions{2, 0, 1}}});
  cases.add("0,-1,-2", {2, 3, 4}, {{"axes", Dimensions{0, -1, -2}}});
  cases.add("rank 1", {5}, {{"axes", Dimensions{0}}});
  cases.add("NaN and infinities", {5, 33}, {}, Values::extreme);
  cases.add("equal", {5, 3}, {}, Values::equal);
  // Views, all of this file: that no size takes longer than another is what its benchmarks show.
  Cases benchmarks{kTransposeAttributes, {}};
  for (const Shape& shape : {Shape{12, 16}, Shape{4096, 8}, Shape{1024, 1024}}) {
    benchmarks.add(label(shape), shape, {});
  }
  return {.name = "transpose",
          .inputs = {{"x", InputKind::any}},
          .attributes = kTransposeAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                const Dimensions& axes = given.get<Dimensions>("axes");
                return axes.rank() == 0 ? transpose(inputs[0]) : transpose(inputs[0], axes);
              },
          .reference = transpose_loop,
          .cases = cases.all,
          .independent_axes =
              [](const Inputs& inputs, const Attributes& given) {
                std::vector<IndependentAxis> axes;
                int place = 0;
                for (const std::int64_t axis : permutation_of(inputs[0], given)) {
                  axes.push_back({{static_cast<int>(axis)}, place++});
                }
                return axes;
              },
          .benchmarks = benchmarks.all};
}

OpSpec reshape_spec() {
  Cases cases{kShapeAttributes, {}};
  for (const std::int64_t n : kSizes)
    cases.add("2x" + std::to_string(n), {2, n}, {{"shape", Dimensions{n, 2}}});
  cases.add("left over", {2, 3, 4}, {{"shape", Dimensions{4, -1}}});
  cases.add("to rank 0", {1, 1}, {{"shape", Dimensions{}}});
  cases.add("from rank 0", {}, {{"shape", Dimensions{1, 1}}});
  cases.add("regrouped", {2, 6, 5}, {{"shape", Dimensions{3, 4, 5}}});
  cases.add("split", {4, 6}, {{"shape", Dimensions{2, 2, 3, 2}}});
  cases.add("NaN and infinities", {5, 33}, {{"shape", Dimensions{33, 5}}}, Values::extreme);
  cases.add("equal", {5, 3}, {{"shape", Dimensions{15}}}, Values::equal);
  Cases benchmarks{kShapeAttributes, {}};
  benchmarks.add("12x64", {12, 64}, {{"shape", Dimensions{12, 4, 16}}});
  benchmarks.add("4096x8", {4096, 8}, {{"shape", Dimensions{8, 4096}}});
  benchmarks.add("1024x1024", {1024, 1024}, {{"shape", Dimensions{512, 2048}}});
  return {
      .name = "reshape",
      .inputs = {{"x", InputKind::any}},
      .attributes = kShapeAttributes,
      .forward = [](const Inputs& inputs,
                    const Attributes& given) { return reshape(inputs[0], given.get<Dimensions>("shape")); },
      .reference = reshape_loop,
      .cases = cases.all,
      .benchmarks = benchmarks.all};
}

OpSpec slice_spec() {
  Cases cases{kSliceAttributes, {}};
  const auto given = [](std::int64_t axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
    return Given{{"axis", axis}, {"start", start}, {"stop", stop}, {"step", step}};
  };
  for (const std::int64_t n : kSizes) {
    if (n > 0) cases.add("1 to " + std::to_string(n), {3, n}, given(-1, 1, n));
  }
  cases.add("whole", {4, 5}, given(0, 0, 4));
  cases.add("nothing", {4, 5}, given(0, 3, 1));
  cases.add("negative", {2, 7, 3}, given(1, -5, -1));
  cases.add("every third", {2, 17}, given(1, 1, 17, 3));
  cases.add("one", {9}, given(0, 8, 9));
  cases.add("NaN and infinities", {5, 33}, given(1, 2, 30), Values::extreme);
  cases.add("equal", {5, 3}, given(0, 1, 4), Values::equal);
  Cases benchmarks{kSliceAttributes, {}};
  benchmarks.add("12x64", {12, 64}, given(0, 0, 6));
  benchmarks.add("4096x8", {4096, 8}, given(1, 1, 2));
  benchmarks.add("1024x1024", {1024, 1024}, given(1, 1, 1023));
  return {.name = "slice",
          .inputs = {{"x", InputKind::any}},
          .attributes = kSliceAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& attributes) {
                return slice(inputs[0], attributes.get_int("axis"), attributes.get<std::int64_t>("start"),
                             attributes.get<std::int64_t>("stop"), attributes.get<std::int64_t>("step"));
              },
          .reference = slice_loop,
          .cases = cases.all,
          .independent_axes =
              [](const Inputs& inputs, const Attributes& attributes) {
                const Tensor& x = inputs[0];
                return all_axes_but(range_of(x, attributes).axis, x.rank(), /*keeps_axis=*/true);
              },
          .benchmarks = benchmarks.all};
}

OpSpec expand_spec() {
  Cases cases{kShapeAttributes, {}};
  for (const std::int64_t n : kSizes)
    cases.add("row of " + std::to_string(n), {n}, {{"shape", Dimensions{3, n}}});
  for (const std::int64_t n : kSizes)
    cases.add("column over " + std::to_string(n), {3, 1}, {{"shape", Dimensions{3, n}}});
  cases.add("rank 0", {}, {{"shape", Dimensions{2, 3}}});
  cases.add("both ways", {2, 1, 4}, {{"shape", Dimensions{5, 2, 3, 4}}});
  cases.add("unchanged", {2, 3}, {{"shape", Dimensions{2, 3}}});
  cases.add("NaN and infinities", {1, 33}, {{"shape", Dimensions{5, 33}}}, Values::extreme);
  cases.add("equal", {5, 1}, {{"shape", Dimensions{5, 3}}}, Values::equal);
  Cases benchmarks{kShapeAttributes, {}};
  benchmarks.add("16", {16}, {{"shape", Dimensions{12, 16}}});
  benchmarks.add("4096x1", {4096, 1}, {{"shape", Dimensions{4096, 8}}});
  benchmarks.add("1024", {1024}, {{"shape", Dimensions{1024, 1024}}});
  return {.name = "expand",
          .inputs = {{"x", InputKind::any}},
          .attributes = kShapeAttributes,
          .forward = [](const Inputs& inputs,
                        const Attributes& given) { return expand(inputs[0], target_shape(given)); },
          .reference = expand_loop,
          .cases = cases.all,
          .benchmarks = benchmarks.all};
}

}  // namespace wick::testing
