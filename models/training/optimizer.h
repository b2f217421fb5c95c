#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include <wick/framework/module.h>

namespace wick {

/// Changes a module's parameters against their gradients, in place. A parameter that stands under two names
/// is changed once, under the first of them.
///
///     AdamW optimizer(gpt);
///     loss.backward();
///     optimizer.step(3e-3);
///     gpt.zero_grad();
///
/// Its own numbers (moments, the count of steps) can be written to a file and read again: it then goes on to
/// the bit as if nothing had been. No result depends on the number of threads.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// "AdamW".
  virtual std::string name() const = 0;

  /// One step. Every gradient counts times `gradient_scale`, which clip_scale() gives. A parameter that has
  /// no gradient stays as it is, and so do its moments. Throws ValueError unless rate and scale are finite
  /// and 0 or more; then, and where it throws anything else, the step is not counted.
  void step(double learning_rate, double gradient_scale = 1);

  /// The steps taken so far.
  std::int64_t steps() const { return steps_; }

  /// What is changed, with its first name, in the order of the module.
  const std::vector<NamedTensor>& parameters() const { return parameters_; }

  /// A copy of all that a later step depends on beside the parameters: `steps` (an int64 scalar), and for
  /// each parameter what the optimizer keeps of it ("first_moment.blocks.0.attention.output.weight").
  std::vector<NamedTensor> state() const;

  /// In what a state differs from what load_state() takes, each as "name: what is wrong" (missing, unknown,
  /// given twice, of another shape or type, with numbers that are not finite or that no step makes); empty
  /// where it fits.
  std::vector<std::string> mismatches(const std::vector<NamedTensor>& state) const;

  /// What steps() was of the optimizer that this is the state of; nothing where it does not say.
  static std::optional<std::int64_t> steps_in(const std::vector<NamedTensor>& state);

  /// Goes on from there. Throws one ValueError with every mismatch, and nothing is changed then.
  void load_state(const std::vector<NamedTensor>& state);

 protected:
  /// Keeps handles on the parameters, not the module. Throws ValueError naming two that share memory without
  /// being one tensor: threads would write there at once.
  explicit Optimizer(const Module& module);

  enum class Sign { kAny, kNeverNegative };

  /// A number for each of the parameters' own, in their types, zero at first; state() lists them as
  /// "kind.name", and a state where they have another sign does not fit. For constructors. In the order of
  /// parameters().
  std::vector<Tensor> add_kept(const std::string& kind, Sign sign);

 private:
  /// Changes the parameters of these numbers, which have gradients. steps() counts this step only when it is
  /// done.
  virtual void update(std::span<const std::size_t> numbers, double learning_rate, double gradient_scale) = 0;

  std::vector<NamedTensor> parameters_;
  std::vector<NamedTensor> kept_;                   // handles on what the derived class holds
  std::unordered_set<std::string> never_negative_;  // names of those
  std::int64_t steps_ = 0;
};

/// p -= learning_rate g. PyTorch: SGD, without momentum.
class Sgd final : public Optimizer {
 public:
  explicit Sgd(const Module& module) : Optimizer(module) {}
  std::string name() const override { return "Sgd"; }

 private:
  void update(std::span<const std::size_t> numbers, double learning_rate, double gradient_scale) override;
};

/// PyTorch's defaults.
struct AdamWOptions {
  double beta1 = 0.9;    ///< of the first moment, in [0, 1)
  double beta2 = 0.999;  ///< of the second, in [0, 1)
  double epsilon = 1e-8;
  double weight_decay = 0.01;  ///< of weights only: biases, gains (any parameter of rank 0 or 1) have none
};

/// Adam with decoupled weight decay (I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization",
/// 2019):
///
///     p -= learning_rate weight_decay p
///     m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g²
///     p -= learning_rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)       step t from 1
///
/// PyTorch: AdamW with two groups of parameters, of which those of rank below 2 have weight_decay 0. It
/// counts t for each parameter by itself, the steps in which that had a gradient; here t is steps(), for all
/// alike. The two differ where a parameter had no gradient in some step: its moments then stand still and t
/// does not. A first gradient that comes late, at t, is taken for the end of t - 1 gradients of 0: with these
/// betas it moves the parameter by 0.5 of PyTorch's step at t = 5, by 2.5 at t = 1000.
class AdamW final : public Optimizer {
 public:
  /// Throws ValueError for a beta outside of [0, 1), an epsilon or a decay that is negative or not finite.
  explicit AdamW(const Module& module, const AdamWOptions& options = {});
  std::string name() const override { return "AdamW"; }

 private:
  void update(std::span<const std::size_t> numbers, double learning_rate, double gradient_scale) override;

  AdamWOptions options_;
  std::vector<Tensor> first_moments_;
  std::vector<Tensor> second_moments_;
};

}  // namespace wick
