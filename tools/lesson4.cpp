// Lesson 4: from lookup to learned attention. The projections, not the input, decide what attention does.

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/observer.h>
#include <wick/framework/print.h>
#include <wick/framework/round.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>
#include <wick/ops/sum.h>
#include <wick/ops/testing/compare.h>
#include <wick/tools/experiment.h>
#include <wick/tools/lesson.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kLength = 6;
constexpr std::int64_t kWidth = 64;
constexpr std::int64_t kHeadSize = 16;
constexpr double kWeightScale = 0.25;
constexpr std::uint64_t kSeed = 42;
constexpr std::uint64_t kOtherSeed = 1;

// One stream makes x and then the head, whose weight named `replaced` is then drawn anew from another. The
// head's steps.
Steps attend(DType dtype, std::int64_t head_size, const std::string& replaced = "") {
  const NoGrad no_grad;
  const std::unique_ptr<Rng> rng = default_rng(kSeed);
  const Tensor x = rng->standard_normal({1, kLength, kWidth}, dtype);
  const Head head(kWidth, head_size, {.weight_scale = kWeightScale, .dtype = dtype}, *rng);
  if (!replaced.empty()) {
    const std::unique_ptr<Rng> other = default_rng(kOtherSeed);
    head.parameter(replaced).copy_from(scaled_normal({kWidth, head_size}, kWeightScale, dtype, *other));
  }
  Trace trace;
  OpenObservers::report_step("x", x);
  head.forward(x);
  return trace.steps();
}

std::string shape_of(const Steps& steps, const std::string& name) {
  return to_string(step(steps, name).shape());
}

void print_projections(const Steps& steps, std::ostream& out) {
  out << "Q: " << shape_of(steps, "head.query") << "  K: " << shape_of(steps, "head.key")
      << "  V: " << shape_of(steps, "head.value") << "\n";
}

void print_weights(const Tensor& weights, std::ostream& out) {
  out << round(first(weights), 3) << "\neach position attends most to: " << most_attended(weights) << "\n";
}

}  // namespace

void print_lesson4(DType dtype, std::ostream& out) {
  const Steps steps = attend(dtype, kHeadSize);
  const Steps other = attend(dtype, kHeadSize, "query.weight");
  const Tensor& weights = step(steps, "head.weights");        // (1, T, T)
  const Tensor& other_weights = step(other, "head.weights");  // (1, T, T)

  out << "X: " << shape_of(steps, "x") << "  Wq/Wk/Wv: " << Shape{kWidth, kHeadSize} << "\n";
  print_projections(steps, out);
  out << "scores/weights: " << weights.shape() << "  out: " << shape_of(steps, "head.out") << "\n";
  out << "weights row sums: " << round(sum(weights, -1), 6) << "\n";
  out << "weights[0]:\n";
  print_weights(weights, out);
  out << "weights2[0]:\n";
  print_weights(other_weights, out);
  out << "attention pattern changed? " << python_bool(!testing::allclose(weights, other_weights)) << "\n";
  out << "out2: " << shape_of(other, "head.out") << "\n";
}

void print_lesson4_exercises(DType dtype, std::ostream& out) {
  const Steps small = attend(dtype, kHeadSize / 2);
  const Tensor weights = step(attend(dtype, kHeadSize), "head.weights");                  // (1, T, T)
  const Tensor other_key = step(attend(dtype, kHeadSize, "key.weight"), "head.weights");  // (1, T, T)

  print_projections(small, out);
  out << "weights: " << shape_of(small, "head.weights") << "  out: " << shape_of(small, "head.out") << "\n";

  const bool in_range = std::ranges::all_of(weights.to_vector<double>(),
                                            [](double weight) { return weight >= 0 && weight <= 1; });
  const Tensor row_sums = sum(weights, -1);
  out << "every weight between 0 and 1: " << python_bool(in_range) << "\n";
  out << "every row sums to 1: " << python_bool(testing::allclose(row_sums, ones(row_sums.shape(), dtype)))
      << "\n";

  out << "attends most to, before: " << most_attended(weights) << "\n";
  out << "attends most to, new Wk: " << most_attended(other_key) << "\n";
  out << "attention pattern changed? " << python_bool(!testing::allclose(weights, other_key)) << "\n";
}

}  // namespace wick::tools
