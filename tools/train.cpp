// wick train: a GPT that learns a text.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <ostream>
#include <sstream>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/models/corpus.h>
#include <wick/tools/command.h>
#include <wick/tools/options.h>
#include <wick/tools/pipe_signal.h>
#include <wick/tools/progress.h>
#include <wick/tools/run_folder.h>
#include <wick/tools/shell.h>
#include <wick/tools/stop_request.h>
#include <wick/tools/text_file.h>
#include <wick/tools/thread_option.h>
#include <wick/tools/training_run.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000;
// How much work a killed run may lose, where --save-every does not say.
constexpr std::chrono::seconds kBetweenSaves{30};

void declare(Options& options) {
  add_settings(options);
  options.add("out", "DIR", "wick-model", "the folder for a new run's files");
  options.add("resume", "DIR", "",
              "go on with the run in this folder, as if it had never stopped; its options are kept, and only "
              "--threads, --sample-every, --save-every and a --file that has moved may be given");
  options.add("sample-every", "N", "200", "show what the model writes after so many steps each; 0: never");
  options.add("save-every", "N", "", "save after so many steps each (default: every 30 seconds)");
  add_thread_option(options);
}

std::string text_of(const TrainSettings& settings) {
  return settings.file.empty() ? lantern_bay() : read_text(settings.file);
}

std::string name_of_text(const TrainSettings& settings) {
  return settings.file.empty() ? "Lantern Bay" : escaped(settings.file);
}

std::string resume_line(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  return "wick train --resume " + shell_quoted(name.starts_with('-') ? "./" + name : name);
}

// A run, and where it is kept.
struct Work {
  RunFolder folder;
  std::unique_ptr<TrainingRun> run;
};

Work new_work(const Options& options) {
  const std::string& path = options.text_of("out", "a folder");
  const TrainSettings settings = settings_from(options);
  auto run = std::make_unique<TrainingRun>(settings, text_of(settings));
  return {RunFolder::create(path), std::move(run)};
}

Work resumed_work(const Options& options) {
  const std::string& path = options.text_of("resume", "a folder");
  if (options.is_given("out") && options.text("out") != path) {
    throw UsageError("--out is " + repr(options.text("out")) + ", but the run in " + repr(path) +
                     " goes on where it is");
  }
  RunFolder folder = RunFolder::open(path);
  const std::string name = escaped(folder.training_file().string());
  const TrainingState state = load_training(folder.training_file());
  TrainSettings settings = settings_of(state, name);
  require_same(options, settings, path);
  const std::string saved_text = name_of_text(settings);
  if (options.has("file")) settings.file = std::filesystem::absolute(options.text_of("file", "a file"));
  const std::string text = text_of(settings);
  if (!is_text_of(state, text, name)) {
    if (options.has("file")) {
      throw UsageError("--file is " + repr(options.text("file")) + ", but the run in " + repr(path) +
                       " learns another text, that of " + saved_text);
    }
    throw ValueError(saved_text + " is no longer the text that the run in " + repr(path) +
                     " learns; --file names where that is now");
  }
  return {std::move(folder), std::make_unique<TrainingRun>(std::move(settings), text, state, name)};
}

// The root and what it is made of, without what these are made of.
std::string summary(const Gpt& gpt) {
  std::istringstream tree(to_string(gpt));
  std::string lines;
  for (std::string line; std::getline(tree, line);) {
    if (line.find_first_not_of(' ') <= 2) lines += line + "\n";
  }
  return lines;
}

void introduce(const TrainingRun& run, std::ostream& out) {
  out << summary(run.gpt());
  const std::int64_t learned = run.parts().training.numel();
  const std::int64_t kept = run.parts().validation.numel();
  out << "text: " << name_of_text(run.settings()) << ", " << counted(learned + kept, "character") << ", "
      << run.vocab_size() << " different; ";
  if (run.has_validation()) {
    out << "the last " << kept << " are for validation\n";
  } else {
    out << "too short for validation, all are learned\n";
  }
}

std::string formatted(const char* format, double number) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

// "step 100  loss 1.2345  validation 1.3456  48211 tokens/s".
std::string report_line(const StepReport& report, double tokens_a_second) {
  std::string line = "step " + std::to_string(report.step) + "  loss " + formatted("%.4f", report.loss);
  if (report.validation) line += "  validation " + formatted("%.4f", *report.validation);
  return line + "  " + formatted("%.0f", tokens_a_second) + " tokens/s";
}

// A prompt that the model knows all characters of: what can be typed of the beginning of its text.
std::string prompt_for(const TrainingRun& run) {
  if (run.settings().file.empty()) return "the lamp";
  std::string prompt;
  int characters = 0;
  for (const char32_t character : decode_utf8(run.beginning(100))) {
    const bool is_typed = character >= U' ' && character != 0x7f;
    if ((!is_typed && !prompt.empty()) || characters == 12) break;
    if (!is_typed) continue;
    prompt += encode_utf8(character);
    ++characters;
  }
  return prompt;
}

// What may be another each time that a run goes on.
struct Habits {
  std::int64_t sample_every;
  std::int64_t save_every;  // 0: by the clock
};

Habits habits_from(const Options& options) {
  return {options.whole_number("sample-every", 0, kMostSteps),
          options.has("save-every") ? options.whole_number("save-every", 1, kMostSteps) : 0};
}

class Learning {
 public:
  Learning(Work work, const Habits& habits, std::ostream& out)
      : work_(std::move(work)), habits_(habits), out_(out) {}

  // A reader that has gone away, or a terminal, is a request to stop too; whatever else it is, is seen to
  // once the run is saved.
  int run() {
    const StopRequest stop;
    PipeSignalHeld pipe_signal;
    try {
      return learn_all(stop);
    } catch (...) {
      if (!out_.bad()) throw;
      save_news();
      pipe_signal.let_through();
      throw;
    }
  }

 private:
  int learn_all(const StopRequest& stop) {
    introduce(*work_.run, out_);
    if (steps_done() > 0) out_ << "going on after step " << steps_done() << "\n";
    out_ << std::flush;
    save();  // now, rather than after the training, it turns out whether it can be saved at all
    Progress progress(out_, steps_done() + 1, steps(),
                      work_.run->settings().batch * work_.run->settings().block_size);
    while (!work_.run->trainer().is_done() && !stop.is_made()) learn(progress);
    progress.clear();
    save_news();
    return work_.run->trainer().is_done() ? tell_end(progress.seconds()) : tell_stop();
  }

  std::int64_t steps() const { return work_.run->settings().steps; }
  std::int64_t steps_done() const { return work_.run->trainer().steps_done(); }

  // Errors of the work say what there is still.
  template <typename Run>
  auto or_what_is_kept(const Run& run) {
    try {
      return run();
    } catch (const ValueError& error) {
      throw ValueError(error.what() + kept());
    } catch (const FileError& error) {
      throw FileError(error.what() + kept());
    }
  }

  // What there is still, where the run cannot go on.
  std::string kept() const {
    if (saved_step_ < 0) return "";
    return "; " + repr(work_.folder.path().string()) + " keeps the run after step " +
           std::to_string(saved_step_);
  }

  void learn(Progress& progress) {
    const StepReport report = step();
    progress.show(report.step, report.loss);
    if (is_line_due(report)) progress.add_line(report_line(report, progress.tokens_a_second(report.step)));
    if (report.validation && !std::isfinite(*report.validation)) require_finite();
    if (habits_.sample_every > 0 && report.step % habits_.sample_every == 0) {
      require_finite();
      progress.add_line("sample: " + repr(work_.run->sample()));
    }
    if (is_save_due()) save();
  }

  StepReport step() {
    return or_what_is_kept([&] { return work_.run->trainer().step(); });
  }

  void require_finite() {
    or_what_is_kept([&] { work_.run->require_finite(); });
  }

  // A model that no longer gives numbers replaces none that did.
  void save() {
    require_finite();
    or_what_is_kept([&] { work_.folder.save(*work_.run); });
    saved_step_ = steps_done();
    saved_at_ = Progress::Clock::now();
  }

  void save_news() {
    if (steps_done() != saved_step_) save();
  }

  bool is_line_due(const StepReport& report) const {
    if (report.step == 1 || report.step == steps() || report.validation) return true;
    const std::int64_t every = work_.run->settings().eval_every;
    return report.step % (every > 0 ? every : std::max<std::int64_t>(1, steps() / 10)) == 0;
  }

  bool is_save_due() const {
    if (habits_.save_every > 0) return steps_done() % habits_.save_every == 0;
    return Progress::Clock::now() - saved_at_ >= kBetweenSaves;
  }

  int tell_stop() const {
    out_ << "stopped after step " << steps_done() << " of " << steps() << ", and saved; to go on:\n"
         << resume_line(work_.folder.path()) << "\n";
    return 1;
  }

  int tell_end(double seconds) const {
    const std::string folder = work_.folder.path().string();
    out_ << counted(steps() - first_step_, "step") << " in " << formatted("%.1f", seconds) << " s; "
         << escaped(folder) << " holds model.safetensors, training.safetensors, loss.csv and loss.svg\n";
    const std::string prompt = prompt_for(*work_.run);
    out_ << "to see it write:\nwick sample --model " << shell_quoted(folder);
    if (!prompt.empty()) out_ << " --prompt " << shell_quoted(prompt);
    out_ << "\n";
    return 0;
  }

  Work work_;
  Habits habits_;
  std::ostream& out_;
  std::int64_t first_step_ = work_.run->trainer().steps_done();
  std::int64_t saved_step_ = -1;
  Progress::Clock::time_point saved_at_ = {};
};

}  // namespace

int train_command(Arguments arguments, std::ostream& out) {
  Options options(
      "wick train", "[options]",
      "A GPT learns to write a text, character by character. What it learned, and how well, is left "
      "in a folder, from where a run that was stopped at any moment goes on. The defaults take "
      "some seconds on a laptop.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  use_threads(options);
  const Habits habits = habits_from(options);
  Learning learning(options.has("resume") ? resumed_work(options) : new_work(options), habits, out);
  return learning.run();
}

}  // namespace wick::tools
