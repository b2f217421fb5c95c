#include <wick/ops/embedding.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

Expected reference(const Inputs& inputs, const Attributes&) {
  const std::vector<double> table = inputs[0].to_vector<double>();
  const std::int64_t C = inputs[0].size(1);
  std::vector<double> y;
  for (const std::int64_t id : inputs[1].to_vector<std::int64_t>()) {
    for (std::int64_t column = 0; column < C; ++column)
      y.push_back(table[static_cast<std::size_t>(id * C + column)]);
  }
  Shape shape = inputs[1].shape();
  shape.push_back(C);
  return {from_vector(y, shape), {}};
}

// Each id, and each column of the table.
std::vector<IndependentAxis> independent_axes(const Inputs& inputs, const Attributes&) {
  std::vector<IndependentAxis> axes;
  for (int axis = 0; axis < inputs[1].rank(); ++axis) axes.push_back({{std::nullopt, axis}, axis});
  axes.push_back({{1, std::nullopt}, inputs[1].rank()});
  return axes;
}

}  // namespace

OpSpec embedding_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const Shape& table, const Shape& ids, Values values = Values::normal,
                            const char* kind = "") {
    cases.push_back({.name = label(table) + " at " + label(ids) + kind,
                     .inputs = {{table, values}, {ids, Values::ids, table[0]}},
                     .has_gradient_check = values == Values::normal && table.numel() < 400});
  };
  for (const std::int64_t n : kSizes) add_case({5, n}, {7});
  for (const std::int64_t n : kSizes) add_case({4, 3}, {n});
  add_case({24, 32}, {1, 12});  // lesson 5
  add_case({4, 3}, {});
  add_case({1, 3}, {2, 5});  // every id the same
  add_case({0, 3}, {0});
  add_case({6, 33}, {9}, Values::extreme, ", NaN and infinities");
  add_case({6, 3}, {9}, Values::equal, ", equal");
  const auto benchmark = [](const Shape& table, const Shape& ids) {
    return OpCase{.name = label(table) + " at " + label(ids),
                  .inputs = {{table}, {ids, Values::ids, table[0]}}};
  };
  return {.name = "embedding",
          .inputs = {{"table", InputKind::floating}, {"ids", InputKind::ids}},
          .forward = [](const Inputs& inputs, const Attributes&) { return embedding(inputs[0], inputs[1]); },
          .reference = reference,
          .cases = cases,
          .independent_axes = independent_axes,
          .benchmarks = {benchmark({24, 32}, {1, 12}), benchmark({64, 64}, {16, 64}),
                         benchmark({64, 4}, {16, 1024}), benchmark({4096, 768}, {1, 1024})}};
}

}  // namespace wick::testing
