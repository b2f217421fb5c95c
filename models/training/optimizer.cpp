#include <algorithm>
#include <cmath>
#include <functional>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/tensors_by_name.h>
#include <wick/models/training/finite.h>
#include <wick/models/training/optimizer.h>
#include <wick/ops/optimizer_steps.h>
#include <wick/ops/overlap.h>

namespace wick {
namespace {

constexpr const char* kSteps = "steps";

void require_finite(const char* what, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw ValueError(std::string(what) + " is " + std::to_string(value) +
                   ", expected a finite number of 0 or more");
}

void require_beta(const char* what, double value) {
  if (value >= 0 && value < 1) return;
  throw ValueError("AdamW: " + std::string(what) + " is " + std::to_string(value) + ", expected [0, 1)");
}

bool has_negative(const Tensor& tensor) {
  return std::ranges::any_of(tensor.to_vector<double>(), [](double number) { return number < 0; });
}

std::string kind_of(const Tensor& tensor) {
  if (!tensor.defined()) return "undefined";
  return to_string(tensor.shape()) + " " + std::string(name(tensor.dtype()));
}

}  // namespace

Optimizer::Optimizer(const Module& module) {
  for (NamedTensor& parameter : module.named_parameters()) {
    const auto is_the_same = [&](const NamedTensor& other) { return other.tensor.is_same(parameter.tensor); };
    if (std::ranges::none_of(parameters_, is_the_same)) parameters_.push_back(std::move(parameter));
  }
  std::vector<std::span<const std::byte>> memory;
  memory.reserve(parameters_.size());
  for (const NamedTensor& parameter : parameters_) memory.push_back(memory_of(parameter.tensor));
  if (const auto both = first_overlap(memory)) {
    throw ValueError("the parameters " + parameters_[both->first].name + " and " +
                     parameters_[both->second].name + " share memory, but are not the same tensor");
  }
}

std::vector<Tensor> Optimizer::add_kept(const std::string& kind, Sign sign) {
  std::vector<Tensor> result;
  result.reserve(parameters_.size());
  for (const NamedTensor& parameter : parameters_) {
    result.push_back(zeros(parameter.tensor.shape(), parameter.tensor.dtype()));
    kept_.push_back({kind + "." + parameter.name, result.back()});
    if (sign == Sign::kNeverNegative) never_negative_.insert(kept_.back().name);
  }
  return result;
}

void Optimizer::step(double learning_rate, double gradient_scale) {
  require_finite("the learning rate", learning_rate);
  require_finite("the gradients' scale", gradient_scale);
  std::vector<std::size_t> numbers;
  numbers.reserve(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].tensor.grad().defined()) numbers.push_back(i);
  }
  update(numbers, learning_rate, gradient_scale);
  ++steps_;
}

std::vector<NamedTensor> Optimizer::state() const {
  std::vector<NamedTensor> result{{kSteps, full({}, steps_, int64)}};
  for (const NamedTensor& entry : kept_) result.push_back({entry.name, entry.tensor.clone()});
  return result;
}

std::vector<std::string> Optimizer::mismatches(const std::vector<NamedTensor>& state) const {
  std::vector<NamedTensor> expected{{kSteps, full({}, steps_, int64)}};
  expected.insert(expected.end(), kept_.begin(), kept_.end());
  const TensorsByName given_tensors(state);
  const TensorsByName expected_tensors(expected);
  std::vector<std::string> result;
  for (const NamedTensor& entry : state) {
    if (given_tensors.find(entry.name) != &entry) {
      result.push_back(entry.name + ": given twice");
    } else if (expected_tensors.find(entry.name) == nullptr) {
      result.push_back(entry.name + ": file " + kind_of(entry.tensor) + ", not in " + name());
    }
  }
  for (const NamedTensor& entry : expected) {
    const NamedTensor* given = given_tensors.find(entry.name);
    if (given == nullptr) {
      result.push_back(entry.name + ": not in the file, " + name() + " " + kind_of(entry.tensor));
    } else if (kind_of(given->tensor) != kind_of(entry.tensor)) {
      result.push_back(entry.name + ": file " + kind_of(given->tensor) + ", " + name() + " " +
                       kind_of(entry.tensor));
    } else if (entry.name == kSteps && given->tensor.item<std::int64_t>() < 0) {
      result.push_back(entry.name + ": file " + std::to_string(given->tensor.item<std::int64_t>()) +
                       ", expected 0 or more");
    } else if (!is_finite(given->tensor)) {
      result.push_back(entry.name + ": file has numbers that are not finite");
    } else if (never_negative_.contains(entry.name) && has_negative(given->tensor)) {
      result.push_back(entry.name + ": file has numbers below 0, expected 0 or more");
    }
  }
  return result;
}

std::optional<std::int64_t> Optimizer::steps_in(const std::vector<NamedTensor>& state) {
  const auto steps = std::ranges::find(state, kSteps, &NamedTensor::name);
  if (steps == state.end() || kind_of(steps->tensor) != kind_of(zeros({}, int64))) return std::nullopt;
  return steps->tensor.item<std::int64_t>();
}

void Optimizer::load_state(const std::vector<NamedTensor>& state) {
  if (const std::vector<std::string> wrong = mismatches(state); !wrong.empty()) {
    std::string message = name() + ": the state does not fit: ";
    for (std::size_t i = 0; i < wrong.size(); ++i) message += (i == 0 ? "" : "; ") + wrong[i];
    throw ValueError(message);
  }
  steps_ = *steps_in(state);
  const TensorsByName given(state);
  for (NamedTensor& entry : kept_) entry.tensor.copy_from(given.find(entry.name)->tensor);
}

void Sgd::update(std::span<const std::size_t> numbers, double learning_rate, double gradient_scale) {
  for (const std::size_t i : numbers) {
    Tensor parameter = parameters()[i].tensor;
    sgd_step(parameter, parameter.grad(), learning_rate, gradient_scale);
  }
}

AdamW::AdamW(const Module& module, const AdamWOptions& options) : Optimizer(module), options_(options) {
  require_beta("beta1", options.beta1);
  require_beta("beta2", options.beta2);
  require_finite("AdamW: epsilon", options.epsilon);
  require_finite("AdamW: weight_decay", options.weight_decay);
  first_moments_ = add_kept("first_moment", Sign::kAny);
  second_moments_ = add_kept("second_moment", Sign::kNeverNegative);
}

void AdamW::update(std::span<const std::size_t> numbers, double learning_rate, double gradient_scale) {
  std::vector<AdamWTensors> weights;  // which decay
  std::vector<AdamWTensors> others;
  for (const std::size_t i : numbers) {
    const Tensor& parameter = parameters()[i].tensor;
    (parameter.rank() < 2 ? others : weights)
        .push_back({parameter, parameter.grad(), first_moments_[i], second_moments_[i]});
  }
  AdamWStep how{.learning_rate = learning_rate,
                .beta1 = options_.beta1,
                .beta2 = options_.beta2,
                .epsilon = options_.epsilon,
                .weight_decay = options_.weight_decay,
                .step = steps() + 1,
                .gradient_scale = gradient_scale};
  adamw_step(weights, how);
  how.weight_decay = 0;
  adamw_step(others, how);
}

}  // namespace wick
