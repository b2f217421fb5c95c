#include <cmath>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/nan_guard.h>

namespace wick {
namespace {

// "inf at (0, 3)", or nothing where all is well.
std::string trouble_in(const Tensor& tensor, NanGuard::Infinities infinities) {
  if (!tensor.defined() || !is_floating(tensor.dtype())) return "";
  const std::vector<double> numbers = tensor.to_vector<double>();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    if (std::isfinite(number)) continue;
    if (std::isinf(number) && infinities == NanGuard::Infinities::allowed) continue;
    const char* kind = std::isnan(number) ? "NaN" : number > 0 ? "inf" : "-inf";
    return std::string(kind) + " at " + to_string(position_of(static_cast<std::int64_t>(i), tensor.shape()));
  }
  return "";
}

std::string input(std::size_t i, const Tensor& tensor) {
  return "its input " + std::to_string(i) + " " + to_string(tensor.shape());
}

}  // namespace

void NanGuard::on_op(const OpEvent& event) {
  const std::string op(event.op);
  const std::string made = trouble_in(event.output, infinities_);
  // Whatever an op made before was stopped there, so what an input has was there from the start. It is
  // reported here, although nothing of it may reach the output.
  for (std::size_t i = 0; i < event.inputs.size(); ++i) {
    const std::string met = trouble_in(*event.inputs[i], infinities_);
    if (!met.empty()) {
      throw ValueError(op + " met " + met + " of " + input(i, *event.inputs[i]) + ", which no op made");
    }
  }
  if (!made.empty()) {
    throw ValueError(op + " made " + made + " of its result " + to_string(event.output.shape()));
  }
}

void NanGuard::on_backward(const BackwardEvent& event) {
  const std::string op = std::string(event.op) + " backward";
  const std::string met = trouble_in(event.gradient, infinities_);
  if (!met.empty()) {
    throw ValueError(op + " met " + met + " of the gradient of its result " +
                     to_string(event.gradient.shape()) + ", which no op made: it was given, or is a sum");
  }
  for (std::size_t i = 0; i < event.input_gradients.size(); ++i) {
    const std::string made = trouble_in(event.input_gradients[i], infinities_);
    if (!made.empty()) {
      throw ValueError(op + " made " + made + " of the gradient of " + input(i, event.input_gradients[i]));
    }
  }
}

}  // namespace wick
