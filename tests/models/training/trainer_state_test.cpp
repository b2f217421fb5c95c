// What a trainer's state may be: one that a run can go on from.

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/training/trainer.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

// On random ids; validation is due after the fourth step.
struct BigramRun {
  BigramRun()
      : model(24, 16, float32, 1),
        trainer(model, model.loss_function(), std::make_unique<AdamW>(model),
                Batches(default_rng(2)->integers(0, 24, {500}), 12, 8, default_rng(3)),
                {.schedule = {.peak = 0.05, .warmup = 3, .steps = 20}, .evaluate_every = 4}) {
    trainer.set_validation([] { return 1.5; });
  }

  Bigram model;
  Trainer trainer;
};

TEST(TrainerState, TakesNoStateThatCannotGoOn) {
  BigramRun run;
  run.trainer.step();
  const TrainingState before = run.trainer.state();
  TrainingState wrong = run.trainer.state();
  wrong.model[0].tensor.set({1, 2}, kNaN);
  wrong.optimizer.back().tensor.set({3}, -kInfinity);
  wrong.losses[0].training = kInfinity;
  EXPECT_EQ(error_of<ValueError>([&] { run.trainer.load_state(wrong); }),
            "bigram: the checkpoint does not fit: table.weight: file has numbers that are not finite; "
            "second_moment.output.bias: file has numbers that are not finite; the loss of step 1 is inf");
  expect_same_state(run.trainer.state(), before);
}

TEST(TrainerState, AStepWhoseValidationFailsIsDone) {
  BigramRun run;
  BigramRun other;
  for (int i = 0; i < 4; ++i) other.trainer.step();
  run.trainer.set_validation([]() -> double { throw IndexError("no"); });
  for (int i = 0; i < 3; ++i) run.trainer.step();
  EXPECT_EQ(error_of<IndexError>([&] { run.trainer.step(); }), "no");
  TrainingState expected = other.trainer.state();
  expected.losses.back().validation.reset();
  expect_same_state(run.trainer.state(), expected);
}

}  // namespace
}  // namespace wick
