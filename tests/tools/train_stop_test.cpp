// What ends a run before its last step: it saves first, and goes on from there.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <wick/tests/tools/training.h>

namespace wick::tools {
namespace {

TEST(TrainStop, ASignalStopsAfterTheStepAndSaves) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TestFolder folder;
    output_of(small_run({"--out", folder / "whole", "--steps", "2000", "--eval-every", "500"}));
    const std::string name = folder / "the run";
    const Outcome outcome =
        run_wick(small_run({"--out", name, "--steps", "2000", "--eval-every", "500", "--save-every", "5"}),
                 {.meanwhile = signal_after(name, 5, signal)});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, "");
    const std::string end = "stopped after step " + std::to_string(steps_in(name)) +
                            " of 2000, and saved; to go on:\nwick train --resume '" + name + "'\n";
    EXPECT_EQ(outcome.out.substr(outcome.out.size() - std::min(outcome.out.size(), end.size())), end);
    EXPECT_LT(steps_in(name), 2000U);
    const std::string out = output_of(resumed(name));
    EXPECT_EQ(out.find("wick train --resume"), std::string::npos);
    expect_same_files(folder / "whole", name);
  }
}

// Steps of some hundredth of a second and more, and two signals within one of them, behind the save of
// step 2.
Outcome run_with_two(int signal, const std::string& folder) {
  return run_wick(small_run({"--out", folder, "--steps", "500", "--batch", "256", "--block-size", "16",
                             "--n-embd", "64", "--n-layer", "2", "--eval-every", "0", "--save-every", "2"}),
                  {.meanwhile = [&](pid_t process) {
                    signal_after(folder, 2, SIGCONT)(process);
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                    kill(process, signal);
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    kill(process, signal);
                  }});
}

// A terminal that is closed: its shell sends SIGHUP, and so does the kernel.
TEST(TrainStop, TheSameSignalTwiceLosesNoWork) {
  for (const int signal : {SIGHUP, SIGTERM}) {
    const TestFolder folder;
    const Outcome outcome = run_with_two(signal, folder / "run");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, "");
    EXPECT_GT(steps_in(folder / "run"), 2U);
    EXPECT_NE(outcome.out.find(", and saved; to go on:\n"), std::string::npos) << outcome.out;
  }
}

TEST(TrainStop, ASecondCtrlCEndsItAtOnce) {
  const TestFolder folder;
  EXPECT_EQ(run_with_two(SIGINT, folder / "run").exit_code, -SIGINT);
  EXPECT_EQ(steps_in(folder / "run"), 2U);
}

// nohup wick train.
TEST(TrainStop, AnIgnoredSignalStopsNothing) {
  const TestFolder folder;
  const Outcome outcome =
      run_wick(small_run({"--out", folder / "run", "--steps", "400", "--save-every", "5"}),
               {.ignores_sighup = true, .meanwhile = signal_after(folder / "run", 5, SIGHUP)});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(steps_in(folder / "run"), 400U);
}

TEST(TrainStop, AClosedTerminalLosesNoWork) {
  const TestFolder folder;
  const std::vector<std::string> steps{"--steps", "2000", "--eval-every", "500"};
  const auto run = [&](const std::string& name, const std::vector<std::string>& more,
                       const Surroundings& around) {
    std::vector<std::string> arguments = small_run(steps);
    arguments.insert(arguments.end(), {"--out", folder / name});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_wick(arguments, around);
  };
  EXPECT_EQ(run("whole", {}, {}).exit_code, 0);
  const Outcome outcome =
      run("run", {"--save-every", "100"},
          {.columns = 80, .is_closed = true, .meanwhile = signal_after(folder / "run", 99, SIGCONT)});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_GE(steps_in(folder / "run"), 100U);
  EXPECT_LT(steps_in(folder / "run"), 2000U);
  output_of(resumed(folder / "run"));
  expect_same_files(folder / "whole", folder / "run");
}

// wick train | head -3, and what the shell hears of wick's own end.
TEST(TrainStop, AReaderThatGoesLosesNoWork) {
  const TestFolder folder;
  const std::vector<std::string> run = small_run({"--steps", "400", "--eval-every", "5"});
  const auto with_folder = [&](const std::string& name) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), {"--out", folder / name});
    return arguments;
  };
  output_of(with_folder("whole"));
  for (const bool is_ignored : {false, true}) {
    const std::string name = is_ignored ? "ignored" : "signaled";
    std::vector<std::string> arguments = with_folder(name);
    arguments.insert(arguments.begin(),
                     {"-c", "{ \"$0\" \"$@\"; echo $? >status; } | head -3", WICK_COMMAND});
    const Outcome outcome =
        run_wick(arguments, {.folder = folder.path(), .ignores_sigpipe = is_ignored, .program = "/bin/sh"});
    EXPECT_EQ(lines_of(outcome.out).size(), 3U);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(read_whole(folder / "status"), is_ignored ? "0\n" : std::to_string(128 + SIGPIPE) + "\n");
    EXPECT_GE(steps_in(folder / name), 1U);
    EXPECT_LT(steps_in(folder / name), 400U);
    output_of(resumed(folder / name));
    expect_same_files(folder / "whole", folder / name);
  }
}

// It was gone before the first line: there is a run all the same, at its beginning.
TEST(TrainStop, WithoutAReaderThereIsARunToGoOnWith) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "whole"}));
  const Outcome outcome = run_wick(small_run({"--out", folder / "run"}), {.out_is_closed_pipe = true});
  EXPECT_EQ(outcome.exit_code, -SIGPIPE);
  EXPECT_EQ(steps_in(folder / "run"), 0U);
  output_of(resumed(folder / "run"));
  expect_same_files(folder / "whole", folder / "run");
}

// The reader is gone, and so is the place to save: that is told, and not ended by the signal.
TEST(TrainStop, AReaderThatGoesHidesNoError) {
  const TestFolder folder;
  const Outcome outcome =
      run_wick(small_run({"--out", folder / "run"}), {.out_is_closed_pipe = true, .largest_file = 1024});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err,
            "wick: " + (folder / "run/training.safetensors") + ": cannot write: File too large\n");
}

}  // namespace
}  // namespace wick::tools
