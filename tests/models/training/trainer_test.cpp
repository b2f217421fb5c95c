#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/models/corpus.h>
#include <wick/models/tokenizer.h>
#include <wick/models/training/trainer.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

// A run on the corpus: a bigram with dropout, whose stream is RandomState's, and batches from PCG64.
struct CorpusRun {
  explicit CorpusRun(std::uint64_t seed = 1, TrainerOptions options = default_options(),
                     DType dtype = float32)
      : dropout_rng(random_state(static_cast<std::uint32_t>(seed))),
        model(24, 16, dtype, seed, dropout_rng),
        trainer(model, model.loss_function(), std::make_unique<AdamW>(model),
                Batches(parts().training, 12, 8, default_rng(seed)), options) {
    trainer.add_stream("dropout", dropout_rng);
    trainer.set_validation([this] {
      return mean_loss(model.loss_function(), parts().validation,
                       spaced_window_starts(parts().validation.numel(), 12, 5), 12, 2)
          .loss;
    });
  }

  static TrainerOptions default_options() {
    return {.schedule = {.peak = 0.05, .warmup = 3, .steps = 20}, .max_norm = 0.5, .evaluate_every = 4};
  }

  static const TextParts& parts() {
    static const TextParts parts = [] {
      const std::string text = lantern_bay();
      return split_by_position(CharTokenizer(text).encode(text));
    }();
    return parts;
  }

  std::shared_ptr<Rng> dropout_rng;
  Bigram model;
  Trainer trainer;
};

TEST(Trainer, TrainsAsPyTorch) {
  const nlohmann::json run = training_golden("run");
  for (const DType dtype : {float32, float64}) {
    const double tolerance = dtype == float64 ? 1e-13 : 1e-5;
    Bigram model(7, 5, dtype, 1);
    std::vector<NamedTensor> start = model.state();
    for (std::size_t i = 0; i < start.size(); ++i) start[i].tensor = array_in(run.at("parameters")[i], dtype);
    model.load_state(start);
    Trainer trainer(model, model.loss_function(),
                    std::make_unique<AdamW>(model, AdamWOptions{.weight_decay = 0.1}),
                    Batches(from_vector(run.at("ids").get<std::vector<std::int64_t>>()), run.at("block_size"),
                            run.at("batch_size"), default_rng(run.at("seed"))),
                    {.schedule = {.peak = run.at("peak"),
                                  .warmup = run.at("warmup"),
                                  .steps = run.at("steps"),
                                  .floor = run.at("floor")},
                     .max_norm = run.at("max_norm")});
    for (std::size_t i = 0; !trainer.is_done(); ++i) {
      const StepReport report = trainer.step();
      EXPECT_EQ(report.step, static_cast<std::int64_t>(i + 1));
      EXPECT_NEAR(report.loss, parsed(run.at("losses")[i]), tolerance * report.loss);
      EXPECT_NEAR(report.learning_rate, parsed(run.at("rates")[i]), 1e-15);
      EXPECT_NEAR(report.gradient_norm, parsed(run.at("norms")[i]), 10 * tolerance * report.gradient_norm);
      EXPECT_EQ(report.validation, std::nullopt);
      EXPECT_EQ(trainer.losses().back(), (StepLosses{report.step, report.loss, std::nullopt}));
    }
    ASSERT_EQ(trainer.steps_done(), 25);
    for (std::size_t i = 0; i < start.size(); ++i) {
      const Tensor actual = model.named_parameters()[i].tensor;
      EXPECT_LE(testing::relative_difference(actual, array_in(run.at("after")[i], dtype)), 10 * tolerance)
          << start[i].name;
    }
  }
}

TEST(Trainer, ValidatesWhenItIsDueAndInTheEnd) {
  TrainerOptions options = CorpusRun::default_options();
  options.schedule.steps = 10;
  CorpusRun run(1, options);
  std::vector<std::int64_t> validated;
  while (!run.trainer.is_done()) {
    const StepReport report = run.trainer.step();
    EXPECT_EQ(run.trainer.losses().back().validation, report.validation);
    EXPECT_TRUE(run.model.is_training());
    if (report.validation) validated.push_back(report.step);
  }
  EXPECT_EQ(validated, (std::vector<std::int64_t>{4, 8, 10}));
  EXPECT_EQ(error_of<ValueError>([&] { run.trainer.step(); }), "the run is done: 10 of 10 steps");
}

TEST(Trainer, ValidatesWithoutDropoutOrGraph) {
  CorpusRun run;
  run.trainer.set_validation([&] {
    EXPECT_FALSE(run.model.is_training());
    EXPECT_FALSE(grad_enabled());
    return 7.5;
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run.trainer.step().validation, std::nullopt);
  EXPECT_EQ(run.trainer.step().validation, 7.5);
  EXPECT_TRUE(grad_enabled());
}

TEST(Trainer, LearnsTheCorpus) {
  TrainerOptions options = CorpusRun::default_options();
  options.schedule.steps = 150;
  CorpusRun run(3, options);
  while (!run.trainer.is_done()) run.trainer.step();
  EXPECT_NEAR(run.trainer.losses().front().training, std::log(24.0), 0.05);
  EXPECT_LT(*run.trainer.losses().back().validation, 2.3);
}

TEST(Trainer, LeavesNoGradients) {
  CorpusRun run;
  run.trainer.step();
  for (const NamedTensor& parameter : run.model.named_parameters()) {
    EXPECT_FALSE(parameter.tensor.grad().defined()) << parameter.name;
  }
}

// What a run of 20 steps comes to, in bits.
TrainingState whole_run(int threads = 1) {
  const ThreadCount count(threads);
  CorpusRun run;
  while (!run.trainer.is_done()) run.trainer.step();
  return run.trainer.state();
}

TEST(Trainer, GoesOnFromAnyStepBitForBit) {
  TemporaryFolder folder;
  const TrainingState expected = whole_run();
  for (std::int64_t stop = 0; stop <= 20; ++stop) {
    SCOPED_TRACE(stop);
    {
      CorpusRun run;
      while (run.trainer.steps_done() < stop) run.trainer.step();
      save_training(folder / "training.safetensors", run.trainer.state({{"seed", "1"}}));
    }
    CorpusRun run(99);  // other weights, other streams, and gone on a little
    run.trainer.step();
    run.trainer.load_state(load_training(folder / "training.safetensors"));
    EXPECT_EQ(run.trainer.steps_done(), stop);
    while (!run.trainer.is_done()) run.trainer.step();
    expect_same_state(run.trainer.state(), expected);
  }
}

TEST(Trainer, TheSameBitsAtAnyThreadCount) {
  // Large enough for ops to share their work out.
  const auto state_at = [](int threads) {
    const ThreadCount count(threads);
    const std::shared_ptr<Rng> rng = default_rng(2);
    Bigram model(24, 256, float32, 1, rng);
    Trainer trainer(model, model.loss_function(), std::make_unique<AdamW>(model),
                    Batches(CorpusRun::parts().training, 64, 16, default_rng(1)), {.schedule = {.steps = 4}});
    while (!trainer.is_done()) trainer.step();
    return trainer.state();
  };
  const TrainingState expected = state_at(1);
  for (const int threads : {2, 3, 4}) {
    expect_same_state(state_at(threads), expected);
    expect_same_state(whole_run(threads), whole_run());
  }
}

// The logits from which a step's loss becomes what it is: op, module and place are named.
TEST(Trainer, NamesTheMakerOfALossThatIsNotFinite) {
  CorpusRun run;
  for (int i = 0; i < 6; ++i) run.trainer.step();
  const TrainingState before = run.trainer.state();

  run.model.spoil = [](const Tensor& logits) { return logits * std::numeric_limits<float>::max(); };
  const std::string message = error_of<ValueError>([&] { run.trainer.step(); });
  EXPECT_TRUE(message.starts_with("step 7: the loss is NaN: bigram: scale made ")) << message;
  expect_same_state(run.trainer.state(), before);

  // Nothing was lost: without what spoiled it, the run is the one that was never spoiled.
  run.model.spoil = nullptr;
  while (!run.trainer.is_done()) run.trainer.step();
  expect_same_state(run.trainer.state(), whole_run());
}

TEST(Trainer, NamesTheParameterThatIsNotFinite) {
  CorpusRun run;
  run.trainer.step();
  Tensor table = run.model.parameter("table.weight");
  table.fill(kNaN);
  EXPECT_EQ(
      error_of<ValueError>([&] { run.trainer.step(); }),
      "step 2: the loss is NaN: bigram.table: embedding met NaN at (0, 0) of its input 0 (24, 16), which no "
      "op made");
}

// 0 / 1e-44 is 0, but its gradient is 1 / 1e-44 of what arrives, beyond float32.
TEST(Trainer, NamesTheMakerOfGradientsThatAreNotFinite) {
  CorpusRun run;
  run.trainer.step();
  const TrainingState before = run.trainer.state();
  run.model.spoil = [](const Tensor& logits) { return divide(logits * 0.0F, full({}, 1e-44F)) + logits; };
  const std::string message = error_of<ValueError>([&] { run.trainer.step(); });
  EXPECT_TRUE(message.starts_with("step 2: the gradients' norm is ")) << message;
  EXPECT_NE(message.find(": bigram: divide backward made "), std::string::npos) << message;
  expect_same_state(run.trainer.state(), before);
  for (const NamedTensor& parameter : run.model.named_parameters()) {
    EXPECT_FALSE(parameter.tensor.grad().defined());
  }
}

TEST(Trainer, AnyErrorLeavesTheRunAsItWas) {
  CorpusRun run;
  run.trainer.step();
  const TrainingState before = run.trainer.state();
  run.model.spoil = [](const Tensor&) -> Tensor { throw IndexError("no"); };
  EXPECT_EQ(error_of<IndexError>([&] { run.trainer.step(); }), "bigram: no");
  expect_same_state(run.trainer.state(), before);
}

TEST(Trainer, GivesNoStateThatCannotGoOn) {
  CorpusRun run;
  run.trainer.step();
  Tensor bias = run.model.parameter("output.bias");
  bias.set({3}, kInfinity);
  EXPECT_EQ(error_of<ValueError>([&] { run.trainer.state(); }),
            "after step 1: output.bias has numbers that are not finite, so a run cannot go on from here");
}

TEST(Trainer, TellsAllMismatchesOfACheckpointAtOnce) {
  CorpusRun run;
  run.trainer.step();
  const TrainingState before = run.trainer.state();
  TrainingState wrong = before;
  wrong.model[0].tensor = zeros({2, 2});
  wrong.optimizer.pop_back();
  wrong.streams.erase("dropout");
  wrong.streams["batches"] = random_state(1)->state();
  wrong.streams["other"] = random_state(1)->state();
  wrong.step = 21;
  EXPECT_EQ(
      error_of<ValueError>([&] { run.trainer.load_state(wrong); }),
      "bigram: the checkpoint does not fit: table.weight: file (2, 2), model (24, 16); "
      "second_moment.output.bias: not in the file, AdamW (24,) float32; the optimizer's steps are 1, "
      "expected 21 "
      "after step 21; the stream batches: the state is of "
      "MT19937, expected PCG64; the stream dropout: not in the file; the stream other: not in the run; step "
      "21 "
      "of a run of 20; the losses are not those of the steps 1 to 21");
  expect_same_state(run.trainer.state(), before);
}

TEST(Trainer, RefusesAnOptimizerThatHasTakenOtherSteps) {
  CorpusRun run;
  run.trainer.step();
  const TrainingState before = run.trainer.state();
  for (const std::int64_t steps : {0, 2}) {
    TrainingState wrong = before;
    wrong.optimizer[0].tensor = full({}, steps, int64);
    EXPECT_EQ(error_of<ValueError>([&] { run.trainer.load_state(wrong); }),
              "bigram: the checkpoint does not fit: the optimizer's steps are " + std::to_string(steps) +
                  ", expected 1 after step 1");
  }
  expect_same_state(run.trainer.state(), before);
}

TEST(Trainer, RefusesOptionsThatCannotBe) {
  EXPECT_EQ(error_of<ValueError>([] { CorpusRun(1, {.schedule = {.peak = -1}}); }),
            "the learning rate is -1.000000, expected a finite number of 0 or more");
  EXPECT_EQ(error_of<ValueError>([] { CorpusRun(1, {.max_norm = 0}); }),
            "max_norm is 0.000000, expected above 0");
  EXPECT_EQ(error_of<ValueError>([] { CorpusRun(1, {.evaluate_every = -1}); }),
            "evaluate_every is -1, expected 0 or more");
  CorpusRun run;
  EXPECT_EQ(error_of<ValueError>([&] { run.trainer.add_stream("batches", default_rng(1)); }),
            "there is a stream named \"batches\" already");
  EXPECT_EQ(error_of<ValueError>([&] { run.trainer.add_stream("a.b", default_rng(1)); }),
            "\"a.b\" cannot name a stream: a name is not empty and has no dot");
}

}  // namespace
}  // namespace wick
