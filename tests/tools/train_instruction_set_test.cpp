// A run that goes on with another instruction set says so: it is no longer the run that never stopped.

#include <gtest/gtest.h>

#include <wick/framework/safetensors.h>
#include <wick/ops/instruction_set.h>
#include <wick/tests/tools/training.h>

namespace wick::tools {
namespace {

constexpr const char* kNotice = "its last step was computed with ";

Surroundings with(const std::string& set) { return {.environment = {{"WICK_ISA", set}}}; }

// A folder with a run that was stopped, all its steps computed with the first of the sets.
class TrainInstructionSet : public ::testing::Test {
 protected:
  void SetUp() override {
    if (sets_.size() < 2) GTEST_SKIP() << "one instruction set";
    Surroundings around = with(sets_[0]);
    around.meanwhile = signal_after(run_, 5, SIGTERM);
    EXPECT_EQ(run_wick(small_run({"--out", run_, "--steps", "1000", "--save-every", "5"}), around).exit_code,
              1);
  }

  // Goes on to the end.
  std::string said_with(const std::string& set) const { return output_of(resumed(run_), with(set)); }

  void change_metadata(const std::function<void(std::map<std::string, std::string>&)>& how) const {
    SafetensorsFile file = load_safetensors(run_ + "/training.safetensors");
    how(file.metadata);
    save_safetensors(run_ + "/training.safetensors", file.tensors, file.metadata);
  }

  std::string recorded() const {
    return load_safetensors(run_ + "/training.safetensors").metadata["instruction_set"];
  }

  const std::vector<std::string> sets_ = present_instruction_sets();
  const TestFolder folder_;
  const std::string run_ = folder_ / "run";
};

TEST_F(TrainInstructionSet, AnotherOneIsTold) {
  EXPECT_EQ(recorded(), sets_[0]);
  const std::string out = said_with(sets_[1]);
  EXPECT_NE(out.find("\n" + (kNotice + sets_[0]) + ", the next ones are with " + sets_[1] +
                     ": the bits will not be those of a run that never stopped; WICK_ISA=" + sets_[0] +
                     " in the environment keeps to " + sets_[0] + "\n"),
            std::string::npos)
      << out;
  EXPECT_EQ(recorded(), sets_[1]);
}

TEST_F(TrainInstructionSet, TheSameOneIsNot) {
  EXPECT_EQ(said_with(sets_[0]).find(kNotice), std::string::npos);
}

// Whatever the file has for its name, it does not read as advice.
TEST_F(TrainInstructionSet, OneThatThisMachineLacksCannotBeForced) {
  change_metadata([](auto& metadata) { metadata["instruction_set"] = "\x1b[31m; rm -rf x"; });
  const std::string out = said_with(sets_[0]);
  EXPECT_NE(out.find(std::string(kNotice) + "'\\x1b[31m; rm -rf x', the next ones are with " + sets_[0]),
            std::string::npos);
  EXPECT_NE(out.find("; this machine has no '\\x1b[31m; rm -rf x'\n"), std::string::npos) << out;
}

TEST_F(TrainInstructionSet, AnOldCheckpointSaysNothing) {
  change_metadata([](auto& metadata) { metadata.erase("instruction_set"); });
  EXPECT_EQ(said_with(sets_[1]).find(kNotice), std::string::npos);
  EXPECT_EQ(recorded(), sets_[1]);
}

// There are no more steps to differ, and nothing of the run changes.
TEST_F(TrainInstructionSet, AFinishedRunStays) {
  said_with(sets_[0]);
  std::filesystem::copy(run_, folder_ / "before");
  EXPECT_EQ(said_with(sets_[1]).find(kNotice), std::string::npos);
  expect_same_files(run_, folder_ / "before");
}

}  // namespace
}  // namespace wick::tools
