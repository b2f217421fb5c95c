// wick train: a GPT that learns a text.

#include <filesystem>
#include <memory>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/models/corpus.h>
#include <wick/tools/command.h>
#include <wick/tools/hint.h>
#include <wick/tools/learning.h>
#include <wick/tools/options.h>
#include <wick/tools/text_file.h>
#include <wick/tools/thread_option.h>

namespace wick::tools {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000;

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
  const TrainingState state = or_hint(folder.training_file(), "wick train writes it",
                                      [&] { return load_training(folder.training_file()); });
  TrainSettings settings = settings_of(state, name);
  require_same(options, settings, path);
  const std::string saved_text = name_of_text(settings);
  if (options.has("file")) settings.file = std::filesystem::absolute(options.text_of("file", "a file"));
  const std::string text = options.has("file") ? text_of(settings)
                                               : or_hint(settings.file, "--file names where it is now",
                                                         [&] { return text_of(settings); });
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

Habits habits_from(const Options& options) {
  return {options.whole_number("sample-every", 0, kMostSteps),
          options.has("save-every") ? options.whole_number("save-every", 1, kMostSteps) : 0};
}

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
