#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick {

/// What an op did: told to observers when it is done.
struct OpEvent {
  std::string_view op;                    ///< "softmax"
  std::string_view module_path;           ///< the module that called it, "" outside of any
  std::span<const Tensor* const> inputs;  ///< in the order of the op's arguments
  const Tensor& output;
};

/// What the backward of an op did. A leaf reports one too, when it has added what arrived to its gradient.
struct BackwardEvent {
  std::string_view op;                      ///< "leaf" for one
  std::string_view module_path;             ///< the module that called the op in the forward pass
  const Tensor& gradient;                   ///< of the op's output; for a leaf, all that it has collected
  std::span<const Tensor> input_gradients;  ///< in the order of the inputs, undefined where none is needed
};

/// Sees what happens inside: open from its construction to its destruction, on the thread that made it.
///
/// While one is open, every op is reported when it has run, and when its backward has; modules report the
/// steps they name (`head.scores`). Everything that looks inside is an observer; with none open, the cost is
/// one comparison per op. Observers nest: each sees everything, the latest first. The ops of which a backward
/// is made, and those that an observer computes itself while it is told of something, are not reported. What
/// an observer throws reaches the caller of the op.
class Observer {
 public:
  Observer();
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// An op has computed its output.
  virtual void on_op(const OpEvent& event);

  /// backward() has differentiated an op.
  virtual void on_backward(const BackwardEvent& event);

  /// A module has reached a value it names: "head.scores".
  virtual void on_step(const std::string& name, const Tensor& value);

  /// False leaves a module on the path it would take unobserved, though its steps then do not exist: so that
  /// a fused path can be looked at too.
  virtual bool wants_steps() const { return true; }

 private:
  friend class OpenObservers;
  Observer* outer_;
};

/// The observers open on this thread, for those who report to them.
class OpenObservers {
 public:
  static bool any() { return innermost_ != nullptr; }
  /// True where one of them wants modules to compute step by step.
  static bool want_steps();
  static void report_op(const OpEvent& event);
  static void report_backward(const BackwardEvent& event);
  static void report_step(const std::string& name, const Tensor& value);

 private:
  friend class Observer;
  template <typename Tell>
  static void tell_all(Tell tell);

  static thread_local constinit Observer* innermost_;
};

/// While one lives, nothing on this thread is reported. Nests.
class PauseObservers {
 public:
  PauseObservers();
  ~PauseObservers();
  PauseObservers(const PauseObservers&) = delete;
  PauseObservers& operator=(const PauseObservers&) = delete;

 private:
  bool before_;
};

/// Keeps every named step, in the order of their making: for teaching, goldens and --save.
class Trace final : public Observer {
 public:
  void on_step(const std::string& name, const Tensor& value) override;

  /// Every step: its name, and its value outside the graph.
  const std::vector<std::pair<std::string, Tensor>>& steps() const { return steps_; }

  /// The latest step of this name. Throws IndexError listing the names there are.
  Tensor operator[](std::string_view name) const;

 private:
  std::vector<std::pair<std::string, Tensor>> steps_;
};

}  // namespace wick
