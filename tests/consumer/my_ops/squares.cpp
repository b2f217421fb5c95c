// An op of one's own, with all that wick asks of an op.

#include "squares.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/ops/checks.h>
#include <wick/ops/testing/specs/loops.h>

namespace {

using wick::Shape;
using wick::Tensor;
using wick::testing::Attributes;
using wick::testing::Expected;
using wick::testing::Inputs;
using wick::testing::OpSpec;
using wick::testing::Values;

// The shape rule: (…, n) -> (…).
Shape squares_shape(const Shape& x) {
  if (x.rank() == 0) throw wick::ShapeError("squares: x has no axis to sum along");
  Shape y;
  for (int axis = 0; axis < x.rank() - 1; ++axis) y.push_back(x[axis]);
  return y;
}

// dx = 2 x dy.
class SquaresNode final : public wick::Node {
 public:
  SquaresNode(const Origin& origin, const Tensor& x) : Node(origin), x_(this, x) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor x = x_.get().contiguous();
    const Tensor dy = gradient.contiguous();
    Tensor dx(x.shape(), x.dtype());
    wick::visit_floating(x.dtype(), [&]<typename T>() {
      const std::span<const T> values = x.span<T>();
      const std::span<const T> slopes = dy.span<T>();
      const std::span<T> results = dx.mutable_span<T>();
      const auto n = static_cast<std::size_t>(x.size(-1));
      for (std::size_t i = 0; i < values.size(); ++i) results[i] = 2 * values[i] * slopes[i / n];
    });
    return {dx};
  }

 private:
  wick::Saved x_;
};

// The sum of the squares along the last axis.
Tensor squares(const Tensor& x) {
  wick::require_floating("squares", "x", x);
  Tensor y(squares_shape(x.shape()), x.dtype());
  const Tensor rows = x.contiguous();
  wick::visit_floating(x.dtype(), [&]<typename T>() {
    const std::span<const T> values = rows.span<T>();
    const auto n = static_cast<std::size_t>(x.size(-1));
    std::size_t i = 0;
    for (T& result : y.mutable_span<T>()) {
      result = 0;
      for (const std::size_t end = i + n; i < end; ++i) result += values[i] * values[i];
    }
  });
  return wick::record<SquaresNode>("squares", {&x}, std::move(y), x);
}

// The same by other means: plain loops over float64. An element is n products and n sums away from x, each
// rounded by half an epsilon.
Expected reference(const Inputs& inputs, const Attributes&) {
  const Shape& shape = inputs[0].shape();
  const std::vector<double> x = inputs[0].to_vector<double>();
  Shape rows;
  for (int axis = 0; axis < shape.rank() - 1; ++axis) rows.push_back(shape[axis]);
  const std::int64_t n = shape[shape.rank() - 1];
  std::vector<double> y(static_cast<std::size_t>(rows.numel()));
  for (std::size_t i = 0; i < x.size(); ++i) y[i / static_cast<std::size_t>(n)] += x[i] * x[i];
  std::vector<double> bound = y;
  for (double& value : bound) value *= static_cast<double>(n);
  return {wick::from_vector(y, rows), wick::from_vector(bound, rows)};
}

}  // namespace

OpSpec squares_spec() {
  OpSpec spec;
  spec.name = "squares";
  spec.inputs = {{"x"}};
  spec.forward = [](const Inputs& inputs, const Attributes&) { return squares(inputs[0]); };
  spec.reference = reference;
  // Which slices of x stand for themselves: then rows come out the same, to the bit, wherever they stand.
  spec.independent_axes = [](const Inputs& inputs, const Attributes&) {
    const int rank = inputs[0].rank();
    return wick::testing::all_axes_but(rank - 1, rank, /*keeps_axis=*/false);
  };
  const auto add_case = [&](const std::string& name, const Shape& shape, Values values = Values::normal) {
    spec.cases.push_back(
        {.name = name, .inputs = {{shape, values}}, .has_gradient_check = values == Values::normal});
  };
  for (const std::int64_t n : wick::testing::kSizes) add_case("rows of " + std::to_string(n), {3, n});
  add_case("rank 1", {5});
  add_case("rank 3", {2, 3, 4});
  add_case("no rows", {0, 4});
  add_case("NaN and infinities", {9, 4}, Values::extreme);
  spec.benchmarks = {{.name = "64x1024", .inputs = {{{64, 1024}}}}};
  spec.operations = [](const Inputs& inputs, const Attributes&, const Tensor&) {
    return 2.0 * static_cast<double>(inputs[0].numel());
  };
  return spec;
}
