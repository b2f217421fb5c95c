// A run's folder: whose it is, and what is changed in it when.

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/tests/framework/errors.h>
#include <wick/tests/framework/watched_fsync.h>
#include <wick/tests/tools/training.h>
#include <wick/tools/run_folder.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const Names kFiles{"loss.csv", "loss.svg", "model.safetensors", "training.safetensors"};

TEST(RunFolder, ANewOnesNameIsOnTheDisk) {
  for (const std::string name : {"run", "run/"}) {
    const TestFolder folder;
    std::vector<fs::path> synced;
    const FsyncWatch watch([&](const fs::path& path) {
      synced.push_back(path);
      return 0;
    });
    const RunFolder run = RunFolder::create(folder / name);
    EXPECT_EQ(synced, std::vector<fs::path>{folder.path()}) << name;
  }
}

TEST(RunFolder, OneThatWasThereIsNotWaitedFor) {
  const TestFolder folder;
  int synced = 0;
  const FsyncWatch watch([&](const fs::path&) { return ++synced; });
  const RunFolder run = RunFolder::create(folder.path());
  EXPECT_EQ(synced, 0);
}

TEST(RunFolder, ANewOneThatMayNotOutliveThePowerIsNone) {
  const TestFolder folder;
  const FsyncWatch watch([](const fs::path&) { return EIO; });
  EXPECT_EQ(error_of<FileError>([&] { RunFolder::create(folder / "run"); }),
            (folder / "run/..") + ": cannot write: Input/output error");
  EXPECT_EQ(folder.names(), Names{});
}

TEST(RunFolder, NothingIsRemovedBeforeItIsKnownToBeARuns) {
  const TestFolder folder;
  write_whole(folder / ".wick-0.tmp", "mine");
  expect_refused(
      {"train", "--resume", folder.path()}, 1,
      (folder / "training.safetensors") + ": cannot open: No such file or directory; wick train writes it");
  write_whole(folder / "training.safetensors", "mine too");
  EXPECT_EQ(run_wick({"train", "--resume", folder.path()}).exit_code, 1);
  EXPECT_EQ(run_wick(small_run({"--out", folder.path()})).exit_code, 1);
  EXPECT_EQ(folder.names(), (Names{".wick-0.tmp", "training.safetensors"}));
  EXPECT_EQ(read_whole(folder / ".wick-0.tmp"), "mine");
}

// A run that was killed in its first save leaves nothing else.
TEST(RunFolder, WhatAKilledFirstSaveLeftIsRemovedByTheNext) {
  const TestFolder folder;
  fs::create_directory(folder / "run");
  write_whole(folder / "run/.wick-0.tmp", "half of a");
  write_whole(folder / "run/.wick-17.tmp", "");
  output_of(small_run({"--out", folder / "run"}));
  EXPECT_EQ(TestFolder::names_in(folder / "run"), kFiles);
}

// With --out . another program may be writing there.
TEST(RunFolder, WhatIsBeingWrittenStays) {
  const TestFolder folder;
  write_whole(folder / ".wick-0.tmp", "left");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a file's time is that of the last clock tick
  RunFolder run = RunFolder::create(folder.path());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  write_whole(folder / ".wick-1.tmp", "half of");
  run.save(TrainingRun({.block_size = 8, .n_embd = 8, .n_head = 2, .n_layer = 1}, "she sells sea shells"));
  Names expected = kFiles;
  expected.insert(expected.begin(), ".wick-1.tmp");
  EXPECT_EQ(folder.names(), expected);
}

}  // namespace
}  // namespace wick::tools
