#include <sys/stat.h>

#include <gtest/gtest.h>

#include <wick/framework/npy.h>
#include <wick/ops/operators.h>
#include <wick/ops/testing/compare.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const Names kSaved{"head.key.npy",   "head.out.npy",     "head.query.npy", "head.scores.npy",
                   "head.value.npy", "head.weights.npy", "steps.json",     "x.npy"};

void expect_saved(const fs::path& folder) { EXPECT_EQ(TestFolder::names_in(folder), kSaved); }

void expect_goldens(const fs::path& folder, const std::string& lesson, double tolerance) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"x", "x"},          {"head.query", "q"},       {"head.key", "k"},
      {"head.value", "v"}, {"head.scores", "scores"}, {"head.weights", "weights"},
      {"head.out", "out"}};
  for (const auto& [ours, courses] : names) {
    fs::path golden = fs::path(WICK_GOLDENS) / lesson / (courses + ".npy");
    if (!fs::exists(golden)) golden = fs::path(WICK_GOLDENS) / "lesson5" / (courses + ".npy");
    EXPECT_LE(testing::relative_difference(load_npy(folder / (ours + ".npy")), load_npy(golden)), tolerance)
        << ours;
  }
}

TEST(Save, WritesEveryIntermediate) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "d"});
  expect_saved(folder / "d");
  expect_goldens(folder / "d", "lesson5", 1e-14);
  EXPECT_EQ(folder.names(), Names{"d"});
}

TEST(Save, WritesWhatWasComputed) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "causal", "--causal"});
  expect_goldens(folder / "causal", "lesson5_exercise2", 1e-14);
  output_of({"attend", "--save", folder / "float32", "--start", "100", "--dtype", "float32"});
  expect_goldens(folder / "float32", "lesson5_exercise1", 1e-6);
  EXPECT_EQ(load_npy(folder / "float32/x.npy").dtype(), float32);
}

TEST(Save, XHoldsThePositionsInTheirScale) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "d", "--positions", "0.2"});
  const Tensor x = load_npy(WICK_GOLDENS "/lesson5/x.npy");
  const Tensor tenth = load_npy(WICK_GOLDENS "/lesson5_exercise3/pos.npy");
  EXPECT_LE(testing::relative_difference(load_npy(folder / "d/x.npy"), x + 2 * tenth), 1e-15);
}

TEST(Save, PrintsWhatItPrintsWithout) {
  const TestFolder folder;
  EXPECT_EQ(output_of({"attend", "--save", folder / "d"}), output_of({"attend"}));
}

TEST(Save, ASlashAtTheEndChangesNothing) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "d/"});
  expect_saved(folder / "d");
  output_of({"attend", "--save", "e/./", "--length", "1"}, {.folder = folder.path()});
  output_of({"attend", "--save", "./e//"}, {.folder = folder.path()});
  expect_saved(folder / "e");
  EXPECT_EQ(folder.names(), (Names{"d", "e"}));
}

TEST(Save, TellsTheOrderOfTheSteps) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "d"});
  EXPECT_EQ(read_whole(folder / "d/steps.json"),
            "{\"steps\":[\"x\",\"head.query\",\"head.key\",\"head.value\",\"head.scores\",\"head.weights\","
            "\"head.out\"]}\n");
}

TEST(Save, LeavesAFolderWithAnotherStepsJsonAlone) {
  for (const std::string content : {"", "{}", "[1, 2]", "{\"steps\": 3}", "{\"steps\": [1]}"}) {
    const TestFolder folder;
    write_whole(folder / "steps.json", content);
    expect_refused({"attend", "--save", folder.path()}, 1,
                   "the folder '" + folder.path().string() +
                       "' is left as it is: it holds 'steps.json'; name a new folder or an empty one");
    EXPECT_EQ(read_whole(folder / "steps.json"), content);
    EXPECT_EQ(folder.names(), Names{"steps.json"});
  }
}

TEST(Save, FillsAnEmptyFolder) {
  const TestFolder folder;
  fs::create_directory(folder / "d");
  output_of({"attend", "--save", folder / "d"});
  expect_saved(folder / "d");
}

TEST(Save, ReplacesAnEarlierSave) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "d", "--length", "3", "--dtype", "float32"});
  fs::remove(folder / "d/steps.json");  // as versions before it was written left it
  output_of({"attend", "--save", folder / "d"});
  expect_saved(folder / "d");
  expect_goldens(folder / "d", "lesson5", 1e-14);
}

TEST(Save, TheFolderStaysTheSameFolder) {
  const TestFolder folder;
  fs::create_directory(folder / "d");
  fs::permissions(folder / "d", fs::perms::owner_all);
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(stat((folder / "d").c_str(), &before), 0);
  output_of({"attend", "--save", "."}, {.folder = folder / "d"});
  ASSERT_EQ(stat((folder / "d").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(before.st_mode, after.st_mode);
  expect_saved(folder / "d");
}

TEST(Save, FollowsALink) {
  const TestFolder folder;
  fs::create_directory(folder / "d");
  fs::create_directory_symlink("d", folder / "link");
  output_of({"attend", "--save", folder / "link"});
  output_of({"attend", "--save", folder / "link/new"}, {});
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(TestFolder::names_in(folder / "d/new"), kSaved);
}

TEST(Save, LeavesAFolderOfAnythingElseAlone) {
  const TestFolder folder;
  fs::create_directory(folder / "d");
  output_of({"attend", "--save", folder / "d"});
  write_whole(folder / "d/notes.txt", "mine");
  const std::string before = read_whole(folder / "d/x.npy");
  expect_refused({"attend", "--save", folder / "d", "--length", "3"}, 1,
                 "the folder '" + (folder / "d") +
                     "' is left as it is: it holds 'notes.txt'; name a new folder or an empty one");
  EXPECT_EQ(read_whole(folder / "d/x.npy"), before);
  EXPECT_EQ(read_whole(folder / "d/notes.txt"), "mine");
  EXPECT_EQ(TestFolder::names_in(folder / "d").size(), 9U);
  EXPECT_EQ(folder.names(), Names{"d"});
}

TEST(Save, LeavesAFolderWithAFolderOrALinkOfThatNameAlone) {
  for (const bool is_link : {false, true}) {
    const TestFolder folder;
    fs::create_directory(folder / "d");
    if (is_link) {
      write_whole(folder / "other", "mine");
      fs::create_symlink("../other", folder / "d/x.npy");
    } else {
      fs::create_directory(folder / "d/x.npy");
    }
    expect_refused({"attend", "--save", folder / "d"}, 1,
                   "the folder '" + (folder / "d") +
                       "' is left as it is: it holds 'x.npy'; name a new folder or an empty one");
    EXPECT_EQ(TestFolder::names_in(folder / "d"), Names{"x.npy"});
  }
}

TEST(Save, RefusesAFile) {
  const TestFolder folder;
  write_whole(folder / "d", "mine");
  expect_refused({"attend", "--save", folder / "d"}, 1,
                 "the folder '" + (folder / "d") + "' cannot be written: a file has that name");
  EXPECT_EQ(read_whole(folder / "d"), "mine");
  EXPECT_EQ(folder.names(), Names{"d"});
}

// As root too: nobody makes a folder in these.
TEST(Save, NamesAPlaceThatCannotBeWritten) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  expect_refused({"attend", "--save", "none/d"}, 1,
                 "the folder 'none/d' cannot be written: No such file or directory", here);
  write_whole(folder / "file", "mine");
  expect_refused({"attend", "--save", "file/d"}, 1, "the folder 'file/d' cannot be written: Not a directory",
                 here);
  fs::create_directory_symlink("nowhere", folder / "link");
  expect_refused({"attend", "--save", "link"}, 1, "the folder 'link' cannot be written: Not a directory",
                 here);
  EXPECT_EQ(folder.names(), (Names{"file", "link"}));
}

TEST(Save, AFailureBeforeItLeavesNothing) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  EXPECT_EQ(run_wick({"attend", "--save", "d", "--start", "10020"}, here).exit_code, 1);
  EXPECT_EQ(run_wick({"attend", "--save", "d", "--format", "xml"}, here).exit_code, 2);
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Save, AFailureWhileWritingLeavesNothing) {
  const TestFolder folder;
  // With a width of 1, x.npy is small enough to be written, and head.query.npy is not.
  const Surroundings here{.folder = folder.path(), .largest_file = 1024};
  const Outcome fresh = run_wick({"attend", "--save", "d", "--width", "1"}, here);
  EXPECT_EQ(fresh.exit_code, 1);
  EXPECT_NE(fresh.err.find("File too large"), std::string::npos) << fresh.err;
  EXPECT_EQ(folder.names(), Names{});

  output_of({"attend", "--save", folder / "d"});
  EXPECT_EQ(run_wick({"attend", "--save", "d", "--width", "1"}, here).exit_code, 1);
  EXPECT_EQ(folder.names(), Names{"d"});
  expect_saved(folder / "d");
  expect_goldens(folder / "d", "lesson5", 1e-14);
}

}  // namespace
}  // namespace wick::tools
