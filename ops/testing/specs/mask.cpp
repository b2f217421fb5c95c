#include <cmath>

#include <wick/ops/mask.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// A fill that both types hold (-1e9 is one that float32 has exactly, too).
const std::vector<AttributeSpec> kAttributes = {{"fill", kMaskFill}};

Attributes with_fill(double fill) { return Attributes(kAttributes, {{"fill", fill}}); }

Expected mask_loop(const Inputs& inputs, const Attributes& attributes) {
  const Shape& shape = inputs[0].shape();
  std::vector<double> y = inputs[0].to_vector<double>();
  const std::vector<bool> blocked = inputs[1].to_vector<bool>();
  std::size_t i = 0;
  for_each_position(shape, [&](const Dimensions& position) {
    if (blocked[broadcast_index(position, inputs[1].shape())]) y[i] = attributes.get<double>("fill");
    ++i;
  });
  return {from_vector(y, shape), {}};
}

Expected causal_loop(const Inputs& inputs, const Attributes& attributes) {
  const Shape& shape = inputs[0].shape();
  const int rank = shape.rank();
  std::vector<double> y = inputs[0].to_vector<double>();
  std::size_t i = 0;
  for_each_position(shape, [&](const Dimensions& position) {
    const std::int64_t last_seen = position[rank - 2] + shape[rank - 1] - shape[rank - 2];
    if (position[rank - 1] > last_seen) y[i] = attributes.get<double>("fill");
    ++i;
  });
  return {from_vector(y, shape), {}};
}

}  // namespace

OpSpec mask_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& scores, const Shape& blocked,
                            double fill = kMaskFill, Values values = Values::normal) {
    cases.push_back({.name = name,
                     .inputs = {{scores, values}, {blocked, Values::booleans}},
                     .attributes = with_fill(fill),
                     .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : kSizes) add_case("rows of " + std::to_string(n), {3, n}, {3, n});
  for (const std::int64_t n : {1, 8, 17})
    add_case("one row of " + std::to_string(n) + " for all", {2, 3, n}, {n});
  for (const std::int64_t n : {1, 8, 17}) add_case("whole rows of " + std::to_string(n), {2, 3, n}, {3, 1});
  add_case("rank 0", {}, {});
  add_case("one for all", {3, 5}, {});
  add_case("other fill", {4, 9}, {4, 9}, 0.25);
  add_case("-inf", {4, 9}, {4, 9}, -INFINITY);
  cases.back().has_gradient_check = false;  // no differences of infinities
  add_case("NaN and infinities", {5, 33}, {5, 33}, kMaskFill, Values::extreme);
  add_case("subnormal", {5, 33}, {5, 33}, 0, Values::subnormal);
  add_case("equal", {5, 3}, {5, 3}, 0, Values::equal);
  const auto benchmark = [](const Shape& scores) {
    return OpCase{.name = label(scores),
                  .inputs = {{scores}, {scores, Values::booleans}},
                  .attributes = with_fill(kMaskFill)};
  };
  return {.name = "mask",
          .inputs = {{"scores", InputKind::floating}, {"blocked", InputKind::booleans}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return mask(inputs[0], inputs[1], given.get<double>("fill"));
              },
          .reference = mask_loop,
          .cases = cases,
          .independent_axes = [](const Inputs& inputs,
                                 const Attributes&) { return elementwise_axes(inputs, inputs[0].shape()); },
          .benchmarks = {benchmark({12, 12}), benchmark({4096, 8}), benchmark({1024, 1024})}};
}

OpSpec causal_mask_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const Shape& scores, double fill = kMaskFill, Values values = Values::normal,
                            const char* kind = "") {
    cases.push_back({.name = label(scores) + kind,
                     .inputs = {{scores, values}},
                     .attributes = with_fill(fill),
                     .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : kSizes) add_case({n, n});
  for (const std::int64_t n : {3, 8, 17}) add_case({2, 3, n});
  add_case({0, 5});
  add_case({2, 2, 3, 3}, 0.25);
  add_case({5, 33}, kMaskFill, Values::extreme, ", NaN and infinities");
  add_case({5, 5}, 0, Values::equal, ", equal");
  const auto benchmark = [](const Shape& scores) {
    return OpCase{.name = label(scores), .inputs = {{scores}}, .attributes = with_fill(kMaskFill)};
  };
  return {
      .name = "causal_mask",
      .inputs = {{"scores", InputKind::floating}},
      .attributes = kAttributes,
      .forward = [](const Inputs& inputs,
                    const Attributes& given) { return causal_mask(inputs[0], given.get<double>("fill")); },
      .reference = causal_loop,
      .cases = cases,
      .independent_axes =  // the matrices of a batch; their rows and columns are told apart by their place
      [](const Inputs& inputs, const Attributes&) {
        std::vector<IndependentAxis> axes = elementwise_axes(inputs, inputs[0].shape());
        axes.resize(axes.size() - 2);
        return axes;
      },
      .benchmarks = {benchmark({12, 12}), benchmark({64, 64, 64}), benchmark({1024, 1024})}};
}

}  // namespace wick::testing
