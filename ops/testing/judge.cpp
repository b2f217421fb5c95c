#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <wick/framework/print.h>
#include <wick/ops/testing/judge.h>

namespace wick::testing {
namespace {

struct FloatLimits {
  double epsilon;
  double smallest_subnormal;
  double smallest_normal;
};

FloatLimits limits_of(DType dtype) {
  const auto of = []<typename T>(T) -> FloatLimits {
    using Limits = std::numeric_limits<T>;
    return {Limits::epsilon(), Limits::denorm_min(), Limits::min()};
  };
  return dtype == float32 ? of(0.0F) : of(0.0);
}

bool is_same(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
}

Judgement wrong(std::string complaint) {
  return {std::numeric_limits<double>::infinity(), std::move(complaint)};
}

}  // namespace

Judgement judge(const Tensor& output, const Expected& expected, bool may_flush_to_0) {
  const Shape& shape = expected.value.shape();
  if (!(output.shape() == shape)) {
    return wrong("the shape is " + to_string(output.shape()) + ", expected " + to_string(shape));
  }
  if (is_floating(output.dtype()) != is_floating(expected.value.dtype())) {
    return wrong("the type is " + std::string(name(output.dtype())) + ", expected one like " +
                 std::string(name(expected.value.dtype())));
  }
  if (expected.bound.defined() && !(expected.bound.shape() == shape)) {
    return wrong("the reference gives bounds of shape " + to_string(expected.bound.shape()) +
                 " for values of shape " + to_string(shape));
  }
  const std::vector<double> values = output.to_vector<double>();
  const std::vector<double> exact = expected.value.to_vector<double>();
  const std::vector<double> rounded = expected.value.to(output.dtype()).to_vector<double>();
  const bool has_bounds = expected.bound.defined();
  const std::vector<double> bounds = has_bounds ? expected.bound.to_vector<double>() : std::vector<double>();
  const FloatLimits limits = limits_of(output.dtype());
  const double below = may_flush_to_0 ? limits.smallest_normal : limits.smallest_subnormal;
  Judgement judgement;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_same(values[i], rounded[i]) || (has_bounds && values[i] == rounded[i])) continue;
    const double allowed = has_bounds ? bounds[i] * limits.epsilon + below : 0;
    const double ratio = std::abs(values[i] - exact[i]) / allowed;
    const double error = has_bounds && !std::isnan(ratio) ? ratio : std::numeric_limits<double>::infinity();
    judgement.worst_error = std::max(judgement.worst_error, error);
    if (error <= 1 || !judgement.complaint.empty()) continue;
    judgement.complaint = "element " + to_string(position_of(static_cast<std::int64_t>(i), shape)) + " is " +
                          repr(values[i]) + ", expected " + repr(rounded[i]) +
                          (has_bounds ? " within " + repr(allowed) : " to the bit");
  }
  return judgement;
}

}  // namespace wick::testing
