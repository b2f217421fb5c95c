#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <wick/framework/module.h>
#include <wick/models/training/batches.h>
#include <wick/models/training/checkpoint.h>
#include <wick/models/training/evaluation.h>
#include <wick/models/training/optimizer.h>
#include <wick/models/training/schedule.h>

namespace wick {

struct TrainerOptions {
  Schedule schedule = {};
  double max_norm = 1.0;            ///< what gradients are clipped to (see clip_scale); infinity: never
  std::int64_t evaluate_every = 0;  ///< validation after each so many steps, and after the last; 0: never
};

/// What a step did.
struct StepReport {
  std::int64_t step = 0;  ///< counted from 1
  double loss = 0;        ///< of the batch, before the step
  double learning_rate = 0;
  double gradient_norm = 0;               ///< before clipping
  std::optional<double> validation = {};  ///< after the step, where it was due
};

/// Trains a module: draws a batch, computes its loss and the gradients, clips them, lets the optimizer step,
/// and validates now and then.
///
///     Trainer trainer(gpt, loss, std::make_unique<AdamW>(gpt), Batches(ids, T, B, default_rng(1)), options);
///     while (!trainer.is_done()) {
///       const StepReport report = trainer.step();
///       if (report.step % 100 == 0) save_training("training.safetensors", trainer.state());
///     }
///
/// Its state is all that it takes to go on: a trainer made alike and given it does, bit for bit, what this
/// one would have done. Nothing depends on the time or on the number of threads.
class Trainer {
 public:
  /// `model` outlives this; `loss` computes with it, and `optimizer` changes it. Throws ValueError for
  /// options that cannot be (see Schedule::validate; a max_norm that is not above 0; a negative
  /// evaluate_every).
  Trainer(Module& model, LossFunction loss, std::unique_ptr<Optimizer> optimizer, Batches batches,
          const TrainerOptions& options);

  /// A stream that the loss draws from (dropout's): part of the state under this name. Throws ValueError
  /// where the name is taken ("batches" is) or has a dot.
  void add_stream(const std::string& name, std::shared_ptr<Rng> rng);

  /// What gives the validation loss; called with the model in evaluation, outside of the graph. Draws from no
  /// stream of the trainer.
  void set_validation(std::function<double()> validate) { validate_ = std::move(validate); }

  /// One step. Throws ValueError where the loss or the gradients' norm is not finite: parameters, optimizer
  /// and streams are then as they were before the step, and the message says which op made the first number
  /// that is not finite, and in which module, found by computing the step once more under a NanGuard:
  ///
  ///     step 37: the loss is NaN: gpt.blocks.1.attention.query_key_value: linear made inf at (0, 3, 1)
  ///     of its result (1, 12, 192)
  ///
  /// Throws ValueError where the run is done. Where it is the validation that throws, the model has learnt
  /// already: the step is done and stays, without a validation loss, and the run goes on after it.
  StepReport step();

  std::int64_t steps_done() const { return steps_done_; }
  bool is_done() const { return steps_done_ >= options_.schedule.steps; }
  const std::vector<StepLosses>& losses() const { return losses_; }
  const TrainerOptions& options() const { return options_; }

  /// The state between two steps, with metadata of the caller's own. Throws ValueError naming the tensor
  /// where a parameter or a moment is not finite, so that a good checkpoint is never replaced by one that
  /// cannot go on.
  TrainingState state(std::map<std::string, std::string> metadata = {}) const;

  /// Goes on from there. Throws one ValueError with every mismatch (tensors of other sizes, numbers and
  /// training losses that are not finite, streams of other names or generators, more steps than the schedule
  /// has, an optimizer that has not taken each of the steps), and nothing is changed then.
  void load_state(const TrainingState& state);

 private:
  struct Stream {
    std::string name;
    std::shared_ptr<Rng> rng;
  };

  StepReport learn();
  [[noreturn]] void refuse(const std::string& what, const Batch& batch, const std::vector<RngState>& drawn);
  bool is_evaluation_due() const;
  double evaluate();
  std::vector<RngState> stream_states() const;
  void set_streams(const std::vector<RngState>& states);
  std::vector<std::string> mismatches(const TrainingState& state) const;

  Module& model_;
  LossFunction loss_;
  std::unique_ptr<Optimizer> optimizer_;
  Batches batches_;
  TrainerOptions options_;
  std::function<double()> validate_;
  std::vector<Stream> streams_;  // the batches' and those of the loss
  std::int64_t steps_done_ = 0;
  std::vector<StepLosses> losses_;
};

}  // namespace wick
