// A run that was stopped, and goes on: the same bytes as one that was not.

#include <algorithm>

#include <gtest/gtest.h>

#include <wick/framework/random.h>
#include <wick/tests/tools/training.h>

namespace wick::tools {
namespace {

// Killed again and again, each time a few steps on, at whatever it is doing then: between steps, in one,
// while it writes.
TEST(TrainResume, AKilledRunIsTheRunThatNeverStopped) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "whole"}));
  const auto rng = default_rng(static_cast<std::uint64_t>(getpid()));
  Outcome outcome = run_wick(small_run({"--out", folder / "killed", "--save-every", "1"}),
                             {.meanwhile = signal_after(folder / "killed", 3, SIGKILL)});
  EXPECT_EQ(outcome.exit_code, -SIGKILL);
  int kills = 1;
  while (steps_in(folder / "killed") < 30) {
    const std::size_t next = steps_in(folder / "killed") + static_cast<std::size_t>(rng->integers(1, 8));
    outcome = run_wick(resumed(folder / "killed", {"--save-every", std::to_string(rng->integers(1, 4))}),
                       {.meanwhile = signal_after(folder / "killed", next, SIGKILL)});
    if (outcome.exit_code == 0) break;
    ASSERT_EQ(outcome.exit_code, -SIGKILL) << outcome.err;
    ++kills;
  }
  EXPECT_GE(kills, 2);
  output_of(resumed(folder / "killed", {"--threads", "2"}));
  expect_same_files(folder / "whole", folder / "killed");
}

TEST(TrainResume, AKillBeforeTheFirstStepsLosesNothing) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "whole"}));
  run_wick(small_run({"--out", folder / "killed"}),
           {.meanwhile = signal_after(folder / "killed", 0, SIGKILL)});
  output_of(resumed(folder / "killed"));
  expect_same_files(folder / "whole", folder / "killed");
}

TEST(TrainResume, AFinishedRunStaysAndItsFilesComeAgain) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "whole"}));
  output_of(small_run({"--out", folder / "run"}));
  for (const std::string name : {"model.safetensors", "loss.csv"})
    std::filesystem::remove(folder / "run/" + name);
  write_whole(folder / "run/.wick-0.tmp", "half of a");
  const std::string out = output_of(resumed(folder / "run"));
  EXPECT_NE(out.find("\ngoing on after step 40\n0 steps in "), std::string::npos) << out;
  expect_same_files(folder / "whole", folder / "run");
}

TEST(TrainResume, TakesTheSameOptionsAndThoseThatChangeNothing) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "run"}));
  output_of(resumed(folder / "run", {"--lr", "3e-3", "--steps", "40", "--seed", "7", "--out", folder / "run",
                                     "--threads", "1", "--sample-every", "5", "--save-every", "9"}));
}

TEST(TrainResume, RefusesOptionsThatContradict) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  output_of(small_run({"--out", "run"}), here);
  const std::vector<std::vector<std::string>> contradictions{
      {"steps", "41", "40"},     {"batch", "8", "4"},     {"block-size", "16", "8"}, {"n-embd", "16", "8"},
      {"n-head", "4", "2"},      {"n-layer", "2", "1"},   {"warmup", "6", "5"},      {"seed", "43", "7"},
      {"eval-every", "5", "10"}, {"lr", "0.01", "0.003"}, {"dropout", "0", "0.1"}};
  for (const std::vector<std::string>& one : contradictions) {
    expect_refused(resumed("run", {"--" + one[0], one[1]}), 2,
                   "--" + one[0] + " is '" + one[1] + "', but the run in 'run' has " + one[2], here);
  }
  expect_refused(
      resumed("run", {"--steps", "30", "--n-embd", "16", "--lr", "0.01", "--batch", "4"}), 2,
      "--steps is '30', but the run in 'run' has 40; --n-embd is '16', but it has 8; --lr is '0.01', "
      "but it has 0.003",
      here);
  expect_refused(resumed("run", {"--out", "other"}), 2,
                 "--out is 'other', but the run in 'run' goes on where it is", here);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"run"});
}

TEST(TrainResume, KnowsItsText) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  write_whole(folder / "text", "she sells sea shells by the sea shore");
  write_whole(folder / "other", "she sells sea shells by the sea shorE");
  output_of(small_run({"--file", "text", "--out", "run"}), here);
  output_of(resumed("run", {"--file", "text"}), here);
  output_of(resumed(folder / "run"));  // from another folder
  expect_refused(resumed("run", {"--file", "other"}), 2,
                 "--file is 'other', but the run in 'run' learns another text, that of " + (folder / "text"),
                 here);
  std::filesystem::rename(folder / "text", folder / "moved");
  expect_refused(resumed("run"), 1,
                 (folder / "text") + ": cannot open: No such file or directory; --file names where it is now",
                 here);
  expect_refused(resumed("run", {"--file", "none"}), 1,
                 (folder / "none") + ": cannot open: No such file or directory", here);
  output_of(resumed("run", {"--file", "moved"}), here);
  output_of(resumed("run"), here);
  std::filesystem::copy_file(folder / "other", folder / "moved",
                             std::filesystem::copy_options::overwrite_existing);
  expect_refused(resumed("run"), 1,
                 (folder / "moved") +
                     " is no longer the text that the run in 'run' learns; --file names where that is now",
                 here);
}

}  // namespace
}  // namespace wick::tools
