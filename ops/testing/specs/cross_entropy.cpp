#include <cmath>
#include <limits>

#include <wick/ops/cross_entropy.h>
#include <wick/ops/testing/specs/all.h>
#include <wick/ops/testing/specs/loops.h>

namespace wick::testing {
namespace {

// -1 stands for none: an id is negative only where it is ignored.
const std::vector<AttributeSpec> kAttributes = {{"ignored_id", std::int64_t{-1}}};

// Of one row, in long double: its loss, and how far the right logit lies below the largest.
struct Row {
  long double loss;
  long double below;
};

Row row_of(const double* logits, std::int64_t V, std::int64_t id) {
  long double largest = -std::numeric_limits<long double>::infinity();
  for (std::int64_t i = 0; i < V; ++i) {
    if (std::isnan(logits[i]) || logits[i] > largest) largest = logits[i];
    if (std::isnan(largest)) break;
  }
  long double sum = 0;
  for (std::int64_t i = 0; i < V; ++i) sum += std::exp(logits[i] - largest);
  const long double below = largest - logits[id];
  return {std::log(sum) + below, below};
}

// The bound is what cross_entropy.h states: (d + V + 8 + (26 + log2(N + 1)) l) epsilon.
Expected reference(const Inputs& inputs, const Attributes& attributes) {
  const std::int64_t V = inputs[0].size(-1);
  const std::vector<double> logits = inputs[0].to_vector<double>();
  const double* row = logits.data();
  long double loss = 0, below = 0;
  long double count = 0;
  for (const std::int64_t id : inputs[1].to_vector<std::int64_t>()) {
    if (id != attributes.get<std::int64_t>("ignored_id")) {
      const Row found = row_of(row, V, id);
      loss += found.loss;
      below += found.below;
      count += 1;
    }
    row += V;
  }
  loss /= count;
  below /= count;
  const long double bound = below + static_cast<long double>(V) + 8 + (26 + std::log2(count + 1)) * loss;
  const auto number = [](long double value) { return full({}, static_cast<double>(value), float64); };
  return {number(loss), number(std::isfinite(bound) ? bound : 0)};
}

}  // namespace

OpSpec cross_entropy_spec() {
  std::vector<OpCase> cases;
  const auto add_case = [&](const std::string& name, const Shape& ids, std::int64_t V,
                            Values values = Values::normal, std::int64_t ignored = -1) {
    Shape logits = ids;
    logits.push_back(V);
    cases.push_back({.name = name,
                     .inputs = {{logits, values}, {ids, Values::ids, V}},
                     .attributes = Attributes(kAttributes, {{"ignored_id", ignored}}),
                     .has_gradient_check = values == Values::normal || values == Values::equal});
  };
  for (const std::int64_t n : kSizes) {
    if (n > 0) add_case("rows of " + std::to_string(n), {5}, n);
  }
  for (const std::int64_t n : kSizes) {
    if (n > 0) add_case(std::to_string(n) + " rows", {n}, 3);
  }
  add_case("batch", {2, 6}, 24);
  add_case("rank 0", {}, 7);
  add_case("rank 4", {2, 1, 3}, 5);
  add_case("one ignored", {3, 6}, 5, Values::normal, 2);
  add_case("one ignored in long rows", {9}, 70, Values::normal, 2);
  add_case("all ignored", {4}, 1, Values::normal, 0);
  cases.back().has_gradient_check = false;  // no differences of NaN
  add_case("no rows", {0}, 5);
  cases.back().has_gradient_check = false;
  add_case("long rows", {6}, 1000);
  cases.back().has_gradient_check = false;  // too many elements to move one by one
  add_case("many rows", {700}, 24);
  cases.back().has_gradient_check = false;
  add_case("wide", {9}, 33, Values::wide);
  add_case("large", {5}, 33, Values::large);
  add_case("subnormal", {5}, 33, Values::subnormal);
  add_case("infinities", {2}, 3, Values::non_finite);
  add_case("NaN and infinities", {40}, 17, Values::extreme);
  add_case("equal", {3}, 5, Values::equal);
  const auto benchmark = [&](const char* name, const Shape& logits) {
    return OpCase{.name = name,
                  .inputs = {{logits}, {{logits[0]}, Values::ids, logits[1]}},
                  .attributes = Attributes(kAttributes, {})};
  };
  return {.name = "cross_entropy",
          .inputs = {{"logits", InputKind::floating}, {"ids", InputKind::ids}},
          .attributes = kAttributes,
          .forward =
              [](const Inputs& inputs, const Attributes& given) {
                return cross_entropy(inputs[0], inputs[1],
                                     {.ignored_id = given.get<std::int64_t>("ignored_id")});
              },
          .reference = reference,
          .cases = cases,
          .benchmarks = {benchmark("1024x24", {1024, 24}), benchmark("1024x4096", {1024, 4096})}};
}

}  // namespace wick::testing
