// Whatever is wrong with a training: an exit code, one line that names what, and no model lost.

#include <functional>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/safetensors.h>
#include <wick/tests/tools/training.h>

namespace wick::tools {
namespace {

using Names = std::vector<std::string>;

void expect_value_refused(const std::string& option, const std::string& value, const std::string& expected) {
  expect_refused({"train", "--" + option, value}, 2,
                 "--" + option + " is '" + value + "', expected " + expected, {.folder = "/proc"});
}

TEST(TrainBadInput, RefusesNumbersThatCannotBe) {
  for (const std::string value : {"-1", "0", "", "1e3", "600.0", "1000000001"}) {
    expect_value_refused("steps", value, "a whole number from 1 to 1000000000");
  }
  for (const std::string value : {"0", "-64", "16385"}) {
    for (const std::string option : {"block-size", "n-embd", "n-head"}) {
      expect_value_refused(option, value, "a whole number from 1 to 16384");
    }
  }
  expect_value_refused("batch", "0", "a whole number from 1 to 65536");
  expect_value_refused("n-layer", "0", "a whole number from 1 to 1024");
  expect_value_refused("threads", "0", "a whole number from 1 to 1024");
  expect_value_refused("save-every", "0", "a whole number from 1 to 1000000000");
  for (const std::string option : {"warmup", "eval-every", "sample-every"}) {
    expect_value_refused(option, "-1", "a whole number from 0 to 1000000000");
  }
  for (const std::string value : {"", "-1", "4294967296"}) {
    expect_value_refused("seed", value, "a whole number from 0 to 4294967295");
  }
  for (const std::string value : {"-0.1", "nan", "inf", "", "x"}) {
    expect_value_refused("lr", value, "a finite number from 0 on, such as 1e-5");
  }
  for (const std::string value : {"1", "1.5"}) {
    expect_value_refused("dropout", value, "a number from 0 to less than 1");
  }
  expect_refused({"train", "--n-embd", "64", "--n-head", "5"}, 2,
                 "--n-embd is 64, not divisible by --n-head 5");
  expect_refused({"train", "--out", ""}, 2, "--out is empty, expected a folder");
  expect_refused({"train", "--resume", ""}, 2, "--resume is empty, expected a folder");
  expect_refused({"train", "--file", ""}, 2, "--file is empty, expected a file");
  expect_refused({"train", "text"}, 2, "unexpected argument 'text'; wick train --help tells the options");
}

TEST(TrainBadInput, RefusesTextsThatCannotBeLearned) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  write_whole(folder / "short", "abcdéfgh");
  write_whole(folder / "empty", "");
  write_whole(folder / "latin", "caf\xe9 au lait, caf\xe9 au lait");
  expect_refused(small_run({"--file", "short"}), 1,
                 "the text has 8 characters, expected block_size + 1 = 9 or more", here);
  expect_refused(small_run({"--file", "empty"}), 1, (folder / "empty") + ": the file is empty", here);
  expect_refused(small_run({"--file", "none"}), 1,
                 (folder / "none") + ": cannot open: No such file or directory", here);
  const Outcome outcome = run_wick(small_run({"--file", "latin"}), here);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err.find("wick: " + (folder / "latin") + ": "), 0U) << outcome.err;
  EXPECT_EQ(folder.names(), (Names{"empty", "latin", "short"}));
}

TEST(TrainBadInput, FindsOutBeforeTheTrainingThatAFolderCannotBeWritten) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  write_whole(folder / "file", "mine");
  const auto refused = [&](const std::string& out, const std::string& reason) {
    expect_refused(small_run({"--out", out}), 1, "the folder '" + out + "' cannot be made: " + reason, here);
  };
  refused("file", "a file has that name");
  refused("none/run", "No such file or directory");
  refused("file/run", "Not a directory");
  // As root too: nobody writes a file of more than a kilobyte now.
  Surroundings full = here;
  full.largest_file = 1024;
  const Outcome outcome = run_wick(small_run({"--out", "run"}), full);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "wick: run/training.safetensors: cannot write: File too large\n");
  EXPECT_EQ(outcome.out.find("step "), std::string::npos);
  EXPECT_EQ(folder.names(), Names{"file"});
  EXPECT_EQ(read_whole(folder / "file"), "mine");
}

TEST(TrainBadInput, LeavesAModelThatIsThereAlone) {
  for (const std::string name : {"training.safetensors", "model.safetensors", "loss.csv", "loss.svg"}) {
    const TestFolder folder;
    std::filesystem::create_directory(folder / "wick-model");
    write_whole(folder / "wick-model/" + name, "mine");
    expect_refused(small_run({}), 1,
                   "the folder 'wick-model' is left as it is: it holds '" + name +
                       "'; --resume goes on with a run, --out names another folder for a new one",
                   {.folder = folder.path()});
    EXPECT_EQ(TestFolder::names_in(folder / "wick-model"), Names{name});
    EXPECT_EQ(read_whole(folder / "wick-model/" + name), "mine");
  }
}

TEST(TrainBadInput, TakesAFolderOfOtherThings) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "run");
  write_whole(folder / "run/notes.txt", "mine");
  output_of(small_run({"--out", folder / "run"}));
  EXPECT_EQ(read_whole(folder / "run/notes.txt"), "mine");
}

TEST(TrainBadInput, TwoRunsDoNotShareAFolder) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  const Outcome outcome =
      run_wick(small_run({"--out", "run", "--steps", "100000"}),
               {.folder = folder.path(), .meanwhile = [&](pid_t process) {
                  signal_after(folder / "run", 0, SIGCONT)(process);
                  expect_refused({"train", "--resume", "run"}, 1,
                                 "the folder 'run' is at work: another wick train writes into it", here);
                  kill(process, SIGTERM);
                }});
  EXPECT_EQ(outcome.exit_code, 1);
}

// Step 1 leaves weights that are finite, but of no use: they replace nothing.
TEST(TrainBadInput, StopsWhereTheLossIsNoLongerFinite) {
  for (const std::string often : {"--save-every", "--sample-every", "--eval-every"}) {
    const TestFolder folder;
    const Surroundings here{.folder = folder.path()};
    const Outcome outcome =
        run_wick(small_run({"--out", "run", "--lr", "1e30", "--dropout", "0", often, "1"}), here);
    EXPECT_EQ(outcome.exit_code, 1);
    const std::string& err = outcome.err;
    EXPECT_EQ(err.find("wick: after step 1: gpt."), 0U) << err;
    EXPECT_NE(err.find(" made "), std::string::npos) << err;
    EXPECT_NE(err.find("; 'run' keeps the run after step 0\n"), std::string::npos) << err;
    EXPECT_EQ(lines_of(read_whole(folder / "run/loss.csv")).size(), 1U);
    const Outcome again =
        run_wick({"train", "--resume", "run", often == "--eval-every" ? "--save-every" : often, "1"}, here);
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_EQ(again.err, err);
  }
}

TEST(TrainBadInput, NamesTheStepWhoseLossIsNotFinite) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  const Outcome outcome = run_wick(small_run({"--out", "run", "--lr", "1e30", "--dropout", "0",
                                              "--sample-every", "0", "--eval-every", "0"}),
                                   here);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err.find("wick: step 2: the loss is "), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("; 'run' keeps the run after step 0\n"), std::string::npos) << outcome.err;
}

// --- checkpoints that are none
// ----------------------------------------------------------------------------------

void expect_resume_refused(const std::string& folder, const std::string& message) {
  expect_refused({"train", "--resume", folder}, 1, folder + "/training.safetensors: " + message);
}

TEST(TrainBadInput, RefusesAFolderWithoutARun) {
  const TestFolder folder;
  expect_resume_refused(folder.path(), "cannot open: No such file or directory; wick train writes it");
  expect_refused({"train", "--resume", folder / "none"}, 1,
                 "the folder '" + (folder / "none") + "' cannot be read: No such file or directory");
  EXPECT_EQ(folder.names(), Names{});
}

TEST(TrainBadInput, RefusesDamagedCheckpoints) {
  const TestFolder folder;
  const std::string run = folder / "run";
  output_of(small_run({"--out", run}));
  const std::string whole = read_whole(run + "/training.safetensors");
  const auto expect_damage_found = [&](const std::string& content) {
    write_whole(run + "/training.safetensors", content);
    const Outcome outcome = run_wick({"train", "--resume", run});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err.find("wick: " + run + "/training.safetensors: "), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(read_whole(run + "/training.safetensors") == content);
  };
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100},
                                   whole.size() / 2, whole.size() - 1}) {
    expect_damage_found(whole.substr(0, length));
  }
  expect_damage_found(whole + "x");
  std::string other = whole;
  other[20] = '\0';
  expect_damage_found(other);
  expect_damage_found(read_whole(run + "/model.safetensors"));
}

// Loads the checkpoint, changes it, writes it again.
void change(const std::string& run, const std::function<void(SafetensorsFile&)>& how) {
  SafetensorsFile file = load_safetensors(run + "/training.safetensors");
  how(file);
  save_safetensors(run + "/training.safetensors", file.tensors, file.metadata);
}

TEST(TrainBadInput, NamesEverySizeThatDoesNotFit) {
  const TestFolder folder;
  const std::string run = folder / "run";
  output_of(small_run({"--out", run}));
  change(run, [](SafetensorsFile& file) {
    for (NamedTensor& entry : file.tensors) {
      if (entry.name == "model.output.weight") entry.tensor = zeros({9, 24});
      if (entry.name == "optimizer.first_moment.final_norm.bias") entry.tensor = zeros({7});
    }
  });
  expect_resume_refused(run,
                        "gpt: the checkpoint does not fit: output.weight: file (9, 24), model (8, 24); "
                        "first_moment.final_norm.bias: file (7,) float32, AdamW (8,) float32");
}

TEST(TrainBadInput, RefusesSettingsThatNoRunHas) {
  const TestFolder folder;
  const std::string run = folder / "run";
  output_of(small_run({"--out", run}));
  const SafetensorsFile whole = load_safetensors(run + "/training.safetensors");
  const auto expect_refusal = [&](const std::string& key, const std::string& from, const std::string& to,
                                  const std::string& message) {
    change(run, [&](SafetensorsFile& file) {
      file = whole;
      std::string& text = file.metadata.at(key);
      ASSERT_NE(text.find(from), std::string::npos) << text;
      text.replace(text.find(from), from.size(), to);
    });
    expect_resume_refused(run, message);
  };
  const std::string none = "no run of wick train: ";
  expect_refusal("settings", "{", "[", none + "its settings are no JSON object");
  expect_refusal("settings", "\"batch\":4", "\"batch\":0", none + "batch is 0, which no run has");
  expect_refusal("settings", "\"batch\":4", "\"batch\":\"4\"", none + "batch is \"4\", which no run has");
  expect_refusal("settings", "\"batch\":4,", "", none + "its settings have no batch");
  expect_refusal("settings", "\"dropout\":0.1", "\"dropout\":1", none + "dropout is 1, which no run has");
  expect_refusal("settings", "\"lr\":0.003", "\"lr\":-1", none + "lr is -1, which no run has");
  expect_refusal("settings", "\"n_embd\":8", "\"n_embd\":16384",
                 none + "its settings are not those of its model");
  expect_refusal("config", "\"n_embd\":8", "\"n_embd\":16384",
                 "no GPT of wick: a model of its config has more numbers than the 1336 in the file: "
                 "3222142976 or more, with vocab_size 24, block_size 8, n_layer 1, n_head 2, n_embd 16384");
}

}  // namespace
}  // namespace wick::tools
