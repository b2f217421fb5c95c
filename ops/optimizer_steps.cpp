#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/optimizer_steps.h>
#include <wick/ops/overlap.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

// Of squared_norm: long enough that the sum of its sums is nothing beside it.
constexpr std::int64_t kChunk = 4096;

void require_like(std::string_view op, std::string_view input, const Tensor& tensor,
                  const Tensor& parameter) {
  require_type(op, input, tensor, parameter.dtype());
  if (tensor.shape() == parameter.shape()) return;
  throw ShapeError(std::string(op) + ": " + std::string(input) + " is " + to_string(tensor.shape()) +
                   ", expected the parameter's shape " + to_string(parameter.shape()));
}

void require_contiguous(std::string_view op, std::string_view input, const Tensor& tensor) {
  if (tensor.is_contiguous()) return;
  throw ShapeError(std::string(op) + ": " + std::string(input) + " " + to_string(tensor.shape()) +
                   " with strides " + to_string(tensor.strides()) + ", expected a contiguous one");
}

void require_steppable(const AdamWTensors& tensors) {
  const Tensor& parameter = tensors.parameter;
  require_floating("adamw_step", "parameter", parameter);
  require_like("adamw_step", "gradient", tensors.gradient, parameter);
  require_like("adamw_step", "first_moment", tensors.first_moment, parameter);
  require_like("adamw_step", "second_moment", tensors.second_moment, parameter);
  require_contiguous("adamw_step", "parameter", parameter);
  require_contiguous("adamw_step", "first_moment", tensors.first_moment);
  require_contiguous("adamw_step", "second_moment", tensors.second_moment);
}

void require_beta(const char* name, double value) {
  if (value >= 0 && value < 1) return;
  throw ValueError("adamw_step: " + std::string(name) + " is " + std::to_string(value) + ", expected [0, 1)");
}

// Threads would write there at once, or one after the other twice, or before another has read it.
void require_apart(std::span<const AdamWTensors> all, const std::vector<Tensor>& gradients) {
  std::vector<std::span<const std::byte>> written;
  std::vector<std::span<const std::byte>> read;
  written.reserve(3 * all.size());
  read.reserve(all.size());
  for (const AdamWTensors& tensors : all) {
    for (const Tensor* tensor : {&tensors.parameter, &tensors.first_moment, &tensors.second_moment}) {
      written.push_back(memory_of(*tensor));
    }
  }
  for (const Tensor& gradient : gradients) read.push_back(memory_of(gradient));
  const auto name_of = [](std::size_t i) {
    constexpr const char* kNames[] = {"parameter", "first_moment", "second_moment"};
    return kNames[i % 3] + (" " + std::to_string(i / 3));
  };
  if (const auto both = first_overlap(written)) {
    throw ValueError("adamw_step: " + name_of(both->first) + " and " + name_of(both->second) +
                     " share memory, expected apart from each other what is written to");
  }
  if (const auto both = first_overlap(written, read)) {
    throw ValueError("adamw_step: " + name_of(both->first) + " and gradient " + std::to_string(both->second) +
                     " share memory, expected gradients apart from what is written to");
  }
}

// Every number is worked out in float64 and rounded once, as those of PyTorch 1.13 are.
template <typename T>
kernels::AdamW<T> rounded(const AdamWStep& how) {
  const double step = static_cast<double>(how.step);
  return {.parameter_kept = static_cast<T>(1 - how.learning_rate * how.weight_decay),
          .gradient_scale = static_cast<T>(how.gradient_scale),
          .mean_kept = static_cast<T>(how.beta1),
          .mean_added = static_cast<T>(1 - how.beta1),
          .square_kept = static_cast<T>(how.beta2),
          .square_added = static_cast<T>(1 - how.beta2),
          .root_scale = static_cast<T>(1 / std::sqrt(1 - std::pow(how.beta2, step))),
          .epsilon = static_cast<T>(how.epsilon),
          .step_size = static_cast<T>(how.learning_rate / (1 - std::pow(how.beta1, step)))};
}

// A parameter as the kernel takes it, and where its elements begin among those of all.
template <typename T>
struct Run {
  std::int64_t first;
  std::int64_t count;
  T* parameter;
  const T* gradient;
  T* mean;
  T* square;
};

// Those of type T; `gradients` are theirs all, contiguous.
template <typename T>
void step_all(std::span<AdamWTensors> all, const std::vector<Tensor>& gradients, const AdamWStep& how) {
  std::vector<Run<T>> runs;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].parameter.dtype() != dtype_of<T>) continue;
    runs.push_back({total, all[i].parameter.numel(), all[i].parameter.mutable_data<T>(),
                    gradients[i].data<T>(), all[i].first_moment.mutable_data<T>(),
                    all[i].second_moment.mutable_data<T>()});
    total += runs.back().count;
  }
  const auto kernel = active_kernels().in<T>().adamw;
  const kernels::AdamW<T> numbers = rounded<T>(how);
  // A division and a root take as long as an exponential.
  parallel_for(total, kExponentialsPerPiece, [&](std::int64_t begin, std::int64_t end) {
    for (const Run<T>& run : runs) {
      const std::int64_t from = std::max<std::int64_t>(begin - run.first, 0);
      const std::int64_t to = std::min(end - run.first, run.count);
      if (from >= to) continue;
      kernel(numbers, run.parameter + from, run.gradient + from, run.mean + from, run.square + from,
             to - from);
    }
  });
}

}  // namespace

void adamw_step(std::span<AdamWTensors> all, const AdamWStep& how) {
  if (how.step < 1) {
    throw ValueError("adamw_step: step " + std::to_string(how.step) + ", expected 1 or more");
  }
  require_beta("beta1", how.beta1);
  require_beta("beta2", how.beta2);
  std::vector<Tensor> gradients;
  for (const AdamWTensors& tensors : all) {
    require_steppable(tensors);
    gradients.push_back(tensors.gradient.contiguous());
  }
  require_apart(all, gradients);
  step_all<float>(all, gradients, how);
  step_all<double>(all, gradients, how);
}

void adamw_step(Tensor& parameter, const Tensor& gradient, Tensor& first_moment, Tensor& second_moment,
                const AdamWStep& how) {
  AdamWTensors one{parameter, gradient, first_moment, second_moment};
  adamw_step(std::span(&one, 1), how);
}

void sgd_step(Tensor& parameter, const Tensor& gradient, double learning_rate, double gradient_scale) {
  require_floating("sgd_step", "parameter", parameter);
  require_like("sgd_step", "gradient", gradient, parameter);
  require_contiguous("sgd_step", "parameter", parameter);
  const Tensor values = gradient.contiguous();
  if (first_overlap({memory_of(parameter), memory_of(values)})) {
    throw ValueError("sgd_step: parameter and gradient share memory, expected them apart from each other");
  }
  visit_floating(parameter.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().sgd;
    T* to = parameter.mutable_data<T>();
    const T* from = values.data<T>();
    parallel_for(parameter.numel(), kElementsPerPiece, [=](std::int64_t begin, std::int64_t end) {
      kernel(static_cast<T>(learning_rate), static_cast<T>(gradient_scale), to + begin, from + begin,
             end - begin);
    });
  });
}

double squared_norm(const Tensor& x) {
  require_floating("squared_norm", "x", x);
  const Tensor values = x.contiguous();
  const std::int64_t n = x.numel();
  std::vector<double> sums(static_cast<std::size_t>((n + kChunk - 1) / kChunk));
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().sum_of_squares;
    const T* from = values.data<T>();
    double* to = sums.data();
    const auto chunks = static_cast<std::int64_t>(sums.size());
    parallel_for(chunks, rows_per_piece(kElementsPerPiece, {kChunk}),
                 [=](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t chunk = begin; chunk < end; ++chunk) {
                     to[chunk] = kernel(from + chunk * kChunk, std::min(kChunk, n - chunk * kChunk));
                   }
                 });
  });
  double total = 0;
  active_kernels().float64.sum(sums.data(), &total, 1, static_cast<std::int64_t>(sums.size()));
  return total;
}

}  // namespace wick
