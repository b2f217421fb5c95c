#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/ops/instruction_set.h>
#include <wick/tools/learning.h>
#include <wick/tools/pipe_signal.h>
#include <wick/tools/shell.h>

namespace wick::tools {
namespace {

// How much work a killed run may lose, where --save-every does not say.
constexpr std::chrono::seconds kBetweenSaves{30};

// The folder as the value of an option, in a command to type.
std::string typed(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  return shell_quoted(name.starts_with('-') ? "./" + name : name);
}

// The command that shows what was learned; none where no prompt is known that could be typed.
std::string sample_line(const std::filesystem::path& folder, const std::string& prompt) {
  if (prompt.empty()) return "";
  return "to see it write:\nwick sample --model " + typed(folder) +
         (prompt.starts_with('-') ? " --prompt=" : " --prompt ") + shell_quoted(prompt) + "\n";
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

void introduce_text(const TrainingRun& run, std::ostream& out) {
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

// The run goes on, but not as if it had never stopped. The name comes from a file: what is no instruction set
// here is quoted, so that none of it reads as advice.
std::string other_set_line(const std::string& before) {
  const std::vector<std::string> present = present_instruction_sets();
  const bool is_present = std::ranges::find(present, before) != present.end();
  const std::string shown = is_present ? before : repr(before);
  return "its last step was computed with " + shown + ", the next ones are with " +
         std::string(instruction_set()) + ": the bits will not be those of a run that never stopped; " +
         (is_present ? "WICK_ISA=" + before + " in the environment keeps to " + before
                     : "this machine has no " + shown) +
         "\n";
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

}  // namespace

Learning::Learning(Work work, const Habits& habits, std::ostream& out)
    : work_(std::move(work)), habits_(habits), out_(out), first_step_(steps_done()) {}

int Learning::run() {
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

int Learning::learn_all(const StopRequest& stop) {
  introduce();
  save();  // now, rather than after the training, it turns out whether it can be saved at all
  Progress progress(out_, steps_done() + 1, steps(),
                    work_.run->settings().batch * work_.run->settings().block_size);
  while (!work_.run->trainer().is_done() && !stop.is_made()) learn(progress);
  progress.clear();
  save_news();
  return work_.run->trainer().is_done() ? tell_end(progress.seconds()) : tell_stop();
}

void Learning::introduce() {
  out_ << summary(work_.run->gpt());
  introduce_text(*work_.run, out_);
  if (steps_done() > 0) out_ << "going on after step " << steps_done() << "\n";
  const std::string& before = work_.run->instruction_set_before();
  if (!before.empty() && before != instruction_set() && !work_.run->trainer().is_done()) {
    out_ << other_set_line(before);
  }
  out_ << std::flush;
}

// Errors of the work say what there is still.
template <typename Run>
auto Learning::or_what_is_kept(const Run& run) {
  try {
    return run();
  } catch (const ValueError& error) {
    throw ValueError(error.what() + kept());
  } catch (const FileError& error) {
    throw FileError(error.what() + kept());
  }
}

// What there is still, where the run cannot go on.
std::string Learning::kept() const {
  if (saved_step_ < 0) return "";
  return "; " + repr(work_.folder.path().string()) + " keeps the run after step " +
         std::to_string(saved_step_);
}

void Learning::learn(Progress& progress) {
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

StepReport Learning::step() {
  return or_what_is_kept([&] { return work_.run->trainer().step(); });
}

void Learning::require_finite() {
  or_what_is_kept([&] { work_.run->require_finite(); });
}

// A model that no longer gives numbers replaces none that did.
void Learning::save() {
  require_finite();
  or_what_is_kept([&] { work_.folder.save(*work_.run); });
  saved_step_ = steps_done();
  saved_at_ = Progress::Clock::now();
}

void Learning::save_news() {
  if (steps_done() != saved_step_) save();
}

bool Learning::is_line_due(const StepReport& report) const {
  if (report.step == 1 || report.step == steps() || report.validation) return true;
  const std::int64_t every = work_.run->settings().eval_every;
  return report.step % (every > 0 ? every : std::max<std::int64_t>(1, steps() / 10)) == 0;
}

bool Learning::is_save_due() const {
  if (habits_.save_every > 0) return steps_done() % habits_.save_every == 0;
  return Progress::Clock::now() - saved_at_ >= kBetweenSaves;
}

int Learning::tell_stop() const {
  out_ << "stopped after step " << steps_done() << " of " << steps() << ", and saved; to go on:\n"
       << "wick train --resume " << typed(work_.folder.path()) << "\n";
  return 1;
}

int Learning::tell_end(double seconds) const {
  const std::filesystem::path& folder = work_.folder.path();
  out_ << counted(steps() - first_step_, "step") << " in " << formatted("%.1f", seconds) << " s; "
       << escaped(folder.string())
       << " holds model.safetensors, training.safetensors, loss.csv and loss.svg\n"
       << sample_line(folder, prompt_for(*work_.run));
  return 0;
}

}  // namespace wick::tools
