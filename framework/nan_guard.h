#pragma once

#include <wick/framework/observer.h>

namespace wick {

/// Stops at the first NaN or infinity, forward or backward, with the op and the module that *made* it, not
/// the one that passed it on:
///
///     NanGuard guard;
///     model.forward(x);  // gpt.head.query: matmul made inf at (0, 3, 1) of its result (1, 12, 16)
///
/// It throws ValueError out of the op, or out of backward(). What no op made while the guard was open (a
/// value in the data, in a parameter, in a gradient given to backward, or the sum of several gradients) is
/// reported by the first op that meets it, as met. Every op costs a pass over its inputs and output.
class NanGuard final : public Observer {
 public:
  enum class Infinities { reported, allowed };

  /// Infinities are allowed where they are meant, as in scores that are masked with them.
  explicit NanGuard(Infinities infinities = Infinities::reported) : infinities_(infinities) {}

  void on_op(const OpEvent& event) override;
  void on_backward(const BackwardEvent& event) override;
  bool wants_steps() const override { return false; }

 private:
  Infinities infinities_;
};

}  // namespace wick
