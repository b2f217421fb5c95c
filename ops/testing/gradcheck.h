#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <wick/framework/tensor.h>
#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

struct GradcheckOptions {
  std::uint64_t seed = 0;   ///< of the numbers that weigh the output
  double tolerance = 1e-6;  ///< for the error as GradcheckResult has it
};

struct GradcheckResult {
  bool passed = true;
  double worst_error = 0;  ///< |backward - difference| / max(1, |difference|), the largest; NaN where one is
  std::size_t input = 0;   ///< where that is
  Dimensions position;
  double from_backward = 0;
  double from_differences = 0;
};

/// "input 1 at (0, 3): backward gives 0.5, differences 0.25".
std::string to_string(const GradcheckResult& result);

/// Compares the gradients that backward gives, of every floating input, with central differences (Dennis and
/// Schnabel, Numerical Methods for Unconstrained Optimization, section 5.6), element by element. The output
/// is weighed with fixed random numbers: its plain sum would hide errors (that of softmax is 1 whatever
/// backward does).
///
/// `function` maps the inputs to one floating tensor. Floating inputs are float64: in float32 differences
/// tell nothing, and it throws TypeError. An input that the output does not depend on has the gradient 0.
GradcheckResult gradcheck(const std::function<Tensor(const Inputs&)>& function, const Inputs& inputs,
                          const GradcheckOptions& options = {});

/// The gradients of sum(function(inputs) * weights) with respect to every floating input, in the inputs' own
/// layouts; undefined for the others. `weights` is of the output's shape and type. Where `alone` is given,
/// that input is the only one to require a gradient.
Inputs gradients_of(const std::function<Tensor(const Inputs&)>& function, const Inputs& inputs,
                    const Tensor& weights, std::optional<std::size_t> alone = {});

}  // namespace wick::testing
