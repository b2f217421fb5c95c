#include <algorithm>
#include <cmath>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/print.h>
#include <wick/framework/random.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/ops/testing/layouts.h>

namespace wick::testing {
namespace {

using Function = std::function<Tensor(const Inputs&)>;

// The cube root of the rounding error, where the errors of rounding and of the step are in balance.
double step_for(double x) { return 6e-6 * std::max(1.0, std::abs(x)); }

void require_float64(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype() != float32) continue;
    throw TypeError("gradcheck: input " + std::to_string(i) +
                    " is float32, in which finite differences tell nothing; give float64");
  }
}

// The change of sum(output * weights) with one element of one input, the inputs being `inputs` otherwise.
class Differences {
 public:
  Differences(const Function& function, const Inputs& inputs, const Tensor& weights)
      : function_(function), inputs_(inputs), weights_(weights.to_vector<double>()) {}

  double slope(std::size_t input, std::size_t element) {
    Tensor moved = inputs_[input].clone();
    const double x = moved.span<double>()[element];
    // Not 2 · step, but what x really moves by after rounding.
    const double above = x + step_for(x);
    const double below = x - step_for(x);
    const std::vector<double> high = output_with(input, moved, element, above);
    const std::vector<double> low = output_with(input, moved, element, below);
    double sum = 0;
    // What stays the same cancels before it is weighed: a fill of -1e9 would take all digits away.
    for (std::size_t i = 0; i < high.size(); ++i) {
      if (high[i] != low[i]) sum += (high[i] - low[i]) * weights_[i];
    }
    return sum / (above - below);
  }

 private:
  std::vector<double> output_with(std::size_t input, Tensor& moved, std::size_t element, double value) {
    moved.mutable_span<double>()[element] = value;
    Inputs all = inputs_;
    all[input] = moved;
    return function_(all).to_vector<double>();
  }

  const Function& function_;
  const Inputs& inputs_;
  std::vector<double> weights_;
};

}  // namespace

std::string to_string(const GradcheckResult& result) {
  return "input " + std::to_string(result.input) + " at " + to_string(result.position) + ": backward gives " +
         repr(result.from_backward) + ", differences " + repr(result.from_differences);
}

Inputs gradients_of(const Function& function, const Inputs& inputs, const Tensor& weights,
                    std::optional<std::size_t> alone) {
  Inputs leaves;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    leaves.push_back(inputs[i].detach());
    if (is_floating(inputs[i].dtype()) && i == alone.value_or(i)) leaves.back().set_requires_grad(true);
  }
  const Tensor output = function(leaves);
  // What backward leaves unwritten shows.
  for (const Tensor& leaf : leaves) poison_memory(leaf.shape(), leaf.dtype());
  if (output.requires_grad()) output.backward(weights);
  Inputs gradients;
  for (const Tensor& leaf : leaves) {
    if (!leaf.requires_grad()) {
      gradients.emplace_back();
    } else {
      gradients.push_back(leaf.grad().defined() ? leaf.grad() : zeros(leaf.shape(), leaf.dtype()));
    }
  }
  return gradients;
}

GradcheckResult gradcheck(const Function& function, const Inputs& inputs, const GradcheckOptions& options) {
  require_float64(inputs);
  const Shape shape = [&] {
    const NoGrad no_grad;
    return function(inputs).shape();
  }();
  const Tensor weights = default_rng(options.seed)->standard_normal(shape, float64);
  const Inputs gradients = gradients_of(function, inputs, weights);

  const NoGrad no_grad;
  Differences differences(function, inputs, weights);
  GradcheckResult result;
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    if (!gradients[input].defined()) continue;
    const std::vector<double> from_backward = gradients[input].to_vector<double>();
    for (std::size_t element = 0; element < from_backward.size(); ++element) {
      const double backward = from_backward[element];
      const double difference = differences.slope(input, element);
      const double error = std::abs(backward - difference) / std::max(1.0, std::abs(difference));
      if (error <= result.worst_error) continue;
      result = {error <= options.tolerance,
                error,
                input,
                position_of(static_cast<std::int64_t>(element), inputs[input].shape()),
                backward,
                difference};
      if (std::isnan(error)) return result;  // nothing is worse
    }
  }
  return result;
}

}  // namespace wick::testing
