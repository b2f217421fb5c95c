// A GPT, whole: steps of training, a run from nothing, and sampling. "gpt/step/first/avx512",
// "gpt/step/small/…", "gpt/run/first/…", "gpt/sample/first/…" (one token).

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/limits.h>
#include <wick/bench/program.h>
#include <wick/framework/graph.h>
#include <wick/framework/random.h>
#include <wick/models/corpus.h>
#include <wick/models/generate.h>
#include <wick/models/gpt.h>
#include <wick/models/tokenizer.h>
#include <wick/models/training/trainer.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/slice.h>

namespace wick::bench {
namespace {

struct GptWork {
  std::string name;
  std::int64_t T, C, H, L, B;
};

const GptWork kFirst{"first", 64, 64, 4, 4, 16};
const GptWork kSmall{"small", 16, 32, 2, 2, 8};

// Steps of the run that trains the first GPT; any other count only keeps the rate of learning from falling
// soon.
constexpr std::int64_t kStepsOfRun = 600;

// A model on the course's corpus, and what trains it: everything that `wick train` does in a step.
class Training {
 public:
  Training(const GptWork& work, std::int64_t steps)
      : ids_(CharTokenizer(lantern_bay()).encode(lantern_bay())),
        gpt_({.vocab_size = CharTokenizer(lantern_bay()).vocab_size(),
              .block_size = work.T,
              .n_layer = work.L,
              .n_head = work.H,
              .n_embd = work.C},
             {}, *default_rng(1)),
        trainer_(gpt_, [this](const Tensor& ids, const Tensor& targets) { return gpt_.loss(ids, targets); },
                 std::make_unique<AdamW>(gpt_), Batches(ids_, work.T, work.B, default_rng(2)),
                 {.schedule = {.peak = 3e-3, .warmup = 50, .steps = steps}}) {}

  double step() { return trainer_.step().loss; }
  Gpt& gpt() { return gpt_; }
  const Tensor& ids() const { return ids_; }

 private:
  Tensor ids_;
  Gpt gpt_;
  Trainer trainer_;
};

// The numbers themselves are held to PyTorch's by tests/models/; here, that a step learns something.
void require_learning(const GptWork& work) {
  Training training(work, kStepsOfRun);
  const double first = training.step();
  double last = first;
  for (int i = 0; i < 30; ++i) last = training.step();
  const double uniform = std::log(24.0);  // 24 characters, each as likely
  if (!(std::abs(first - uniform) < 0.2 && last < first - 0.2)) {
    throw std::runtime_error("wrong: the loss went from " + std::to_string(first) + " to " +
                             std::to_string(last));
  }
}

void step(benchmark::State& state, const GptWork& work, const std::string& set) {
  use_instruction_set(set);
  check_once("gpt/" + work.name + "/" + set, [&] { require_learning(work); });
  Training training(work, 1'000'000'000);
  for (int i = 0; i < 3; ++i) training.step();  // memory is there after that
  time_calls(state, {1, "steps/s", 0}, [&] { training.step(); });
}

void run(benchmark::State& state, const GptWork& work, const std::string& set) {
  use_instruction_set(set);
  time_calls(state, {static_cast<double>(kStepsOfRun), "steps/s", 0}, [&] {
    Training training(work, kStepsOfRun);
    double loss = 0;
    for (std::int64_t i = 0; i < kStepsOfRun; ++i) loss = training.step();
    if (!(loss < 0.2)) throw std::runtime_error("wrong: the run ends with a loss of " + std::to_string(loss));
  });
}

// One token at a time, inside the window, keys and values cached: the mean over a window that fills.
void sample_token(benchmark::State& state, const GptWork& work, const std::string& set) {
  use_instruction_set(set);
  Training training(work, kStepsOfRun);
  Gpt& gpt = training.gpt();
  gpt.eval();
  const NoGrad no_grad;
  const Tensor prompt = slice(training.ids(), 0, 0, 1);
  const auto rng = default_rng(3);
  const GenerateOptions options{.tokens = work.T - 1};
  Bunches bunches(clock_of_ops());
  for (auto _ : state) {
    benchmark::DoNotOptimize(generate(gpt, prompt, options, *rng));
    bunches.count();
  }
  set_counters(state, {1, "tokens/s", 0}, bunches.best() / static_cast<double>(options.tokens));
}

using Run = void (*)(benchmark::State&, const GptWork&, const std::string&);

void register_gpt(const std::string& kind, Run run, const GptWork& work, const std::string& set) {
  register_benchmark("gpt/" + kind + "/" + work.name + "/" + set,
                     [run, work, set](benchmark::State& state) { run(state, work, set); });
}

void register_all() {
  register_fma_limits();
  for (const std::string& set : present_instruction_sets()) {
    register_gpt("step", step, kFirst, set);
    register_gpt("step", step, kSmall, set);
    register_gpt("run", run, kFirst, set);
    register_gpt("sample", sample_token, kFirst, set);
  }
}

}  // namespace
}  // namespace wick::bench

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, wick::bench::register_all); }
