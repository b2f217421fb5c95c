#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/tests/tools/run_command.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

TEST(DiffOfFolders, ShowsTheFirstDifferenceInOrderOfTheGraph) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "a"});
  output_of({"attend", "--save", folder / "b"});
  for (const std::string name : {"head.key", "head.weights", "head.out"}) {
    Tensor changed = load_npy(folder / "b/" + name + ".npy");
    changed.set({0, 3, 5}, changed.at({0, 3, 5}) + 1);
    changed.set({0, 4, 0}, std::nextafter(changed.at({0, 4, 0}), 9.0));
    save_npy(folder / "b/" + name + ".npy", changed);
  }
  const Outcome outcome = run_wick({"diff", folder / "a", folder / "b"});
  EXPECT_EQ(outcome.exit_code, 1);
  const std::string start = "first difference: head.key[0, 3, 5], ";
  EXPECT_EQ(outcome.out.substr(0, start.size()), start);
  EXPECT_NE(outcome.out.find(" ULP (1) apart\n  A  "), std::string::npos) << outcome.out;
  const std::string table = outcome.out.substr(outcome.out.find("\n\n"));
  EXPECT_EQ(table.substr(0, table.find("at most")),
            "\n\nx             equal\n"
            "head.query    equal\n"
            "head.key      2 of 192 elements differ, ");
  EXPECT_NE(table.find("\nhead.value    equal\nhead.scores   equal\nhead.weights  2 of 144 "),
            std::string::npos)
      << table;
}

TEST(DiffOfFolders, SavesOfOneRunAreEqual) {
  const TestFolder folder;
  for (const std::string name : {"a", "b"}) output_of({"attend", "--save", folder / name, "--causal"});
  EXPECT_EQ(output_of({"diff", folder / "a", folder / "b"}), "7 arrays, equal to the bit\n");
  EXPECT_EQ(output_of({"diff", folder / "a/x.npy", folder / "b/x.npy"}), "1 array, equal to the bit\n");
}

TEST(DiffOfFolders, FitsANarrowTerminal) {
  const TestFolder folder;
  output_of({"attend", "--save", folder / "a"});
  output_of({"attend", "--save", folder / "b", "--seed", "43"});
  for (const int columns : {40, 60, 80}) {
    const Outcome outcome = run_wick({"diff", folder / "a", folder / "b"}, {.columns = columns});
    EXPECT_EQ(outcome.exit_code, 1);
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns_of(line), static_cast<std::size_t>(columns)) << line;
    }
  }
}

// Folders with x, y and z, which hold 0.
class Folders {
 public:
  Folders() {
    for (const std::string side : {"a", "b"}) {
      fs::create_directory(folder_ / side);
      for (const std::string name : {"x", "y", "z"}) save_npy(file(side, name), zeros({1}));
    }
  }

  std::string file(const std::string& side, const std::string& name) const {
    return folder_ / (side + "/" + name + ".npy");
  }
  void order(const std::string& side, const std::string& names) const {
    write_whole(folder_ / (side + "/steps.json"), "{\"steps\": [" + names + "]}");
  }
  void change(const std::string& side, const std::string& name) const {
    save_npy(file(side, name), full({1}, 1));
  }
  const TestFolder& folder() const { return folder_; }

  Outcome diff() const { return run_wick({"diff", "a", "b"}, {.folder = folder_.path()}); }

  // The names of the lines, in their order.
  std::string names() const {
    const std::string out = diff().out;
    std::string names;
    for (std::size_t line = out.find("\n\n") + 1; line + 1 < out.size() && out[line + 1] != '\n';
         line = out.find('\n', line + 1)) {
      names += out[line + 1];
      if (out.find('\n', line + 1) == std::string::npos) break;
    }
    return names;
  }

 private:
  TestFolder folder_;
};

TEST(DiffOfFolders, WithoutAnOrderIsAlphabeticalAndSaysSo) {
  const Folders folders;
  folders.change("b", "y");
  folders.change("b", "z");
  const Outcome outcome = folders.diff();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out,
            "first difference: y[0], 1065353216 ULP (1) apart\n"
            "  A  0.0\n"
            "  B  1.0\n"
            "\n"
            "x  equal\n"
            "y  1 of 1 element differs, at most 1065353216 ULP and 1 apart\n"
            "z  1 of 1 element differs, at most 1065353216 ULP and 1 apart\n"
            "\n"
            "the order is alphabetical: neither folder has a steps.json\n");
}

TEST(DiffOfFolders, TakesTheOrderOfEither) {
  for (const std::string side : {"a", "b"}) {
    const Folders folders;
    folders.order(side, "\"z\", \"y\", \"x\"");
    folders.change("b", "y");
    EXPECT_EQ(folders.names(), "zyx");
    EXPECT_EQ(folders.diff().out.find("alphabetical"), std::string::npos);
  }
}

TEST(DiffOfFolders, PutsWhatTheOrderLacksLast) {
  const Folders folders;
  folders.order("a", "\"gone\", \"z\"");
  folders.change("b", "y");
  EXPECT_EQ(folders.names(), "zxy");
}

TEST(DiffOfFolders, ANameInOneOnlyIsADifferenceInItsPlace) {
  for (const std::string side : {"a", "b"}) {
    const Folders folders;
    folders.order("a", "\"z\", \"y\", \"x\"");
    folders.order("b", "\"z\", \"y\", \"x\"");
    fs::remove(folders.file(side, "y"));
    folders.change("b", "x");
    const Outcome outcome = folders.diff();
    EXPECT_EQ(outcome.exit_code, 1);
    const std::string there = "(1,) float32";
    EXPECT_EQ(outcome.out, "first difference: y: only in " + std::string(side == "a" ? "B" : "A") +
                               "\n  A  " + (side == "a" ? "is not there" : there) + "\n  B  " +
                               (side == "b" ? "is not there" : there) +
                               "\n\n"
                               "z  equal\n"
                               "y  only in " +
                               (side == "a" ? "B" : "A") +
                               "\n"
                               "x  1 of 1 element differs, at most 1065353216 ULP and 1 apart\n");
  }
}

TEST(DiffOfFolders, OtherFilesAreOfNoInterest) {
  const Folders folders;
  write_whole(folders.folder() / "a/notes.txt", "mine");
  fs::create_directory(folders.folder() / "b/more");
  EXPECT_EQ(folders.diff().out, "3 arrays, equal to the bit\n");
}

TEST(DiffOfFolders, ShowsNamesSafely) {
  const Folders folders;
  save_npy(folders.file("a", "\x1b[31m\n"), zeros({1}));
  EXPECT_NE(folders.diff().out.find("first difference: \\x1b[31m\\n: only in A\n"), std::string::npos)
      << folders.diff().out;
}

TEST(DiffOfFolders, RefusesAnOrderThatIsNone) {
  const Folders folders;
  for (const std::string content : {"", "x", "[]", "{\"steps\": \"x\"}", "{\"steps\": [1]}"}) {
    write_whole(folders.folder() / "b/steps.json", content);
    expect_refused({"diff", "a", "b"}, 1, "b/steps.json: expected {\"steps\": [names]}",
                   {.folder = folders.folder().path()});
  }
}

TEST(DiffOfFolders, NamesAnOrderThatCannotBeRead) {
  const Folders folders;
  fs::remove(folders.folder() / "b/steps.json");
  fs::create_directory(folders.folder() / "b/steps.json");
  expect_refused({"diff", "a", "b"}, 1, "b/steps.json: cannot read: Is a directory",
                 {.folder = folders.folder().path()});
}

TEST(DiffOfFolders, NamesWhatCannotBeRead) {
  const Folders folders;
  const Surroundings here{.folder = folders.folder().path()};
  fs::create_directory(folders.folder() / "none");
  expect_refused({"diff", "a", "none"}, 1, "the folder 'none' holds no .npy file", here);
  expect_refused({"diff", "a", "c"}, 1, "c: cannot open: No such file or directory", here);
  expect_refused({"diff", "a/none.npy", "a/x.npy"}, 1, "a/none.npy: cannot open: No such file or directory",
                 here);
  expect_refused({"diff", "a", "b/x.npy"}, 2,
                 "A is a folder and B a file, expected two folders or two .npy files", here);
  expect_refused({"diff", "a/x.npy", "b"}, 2,
                 "A is a file and B a folder, expected two folders or two .npy files", here);
  write_whole(folders.folder() / "b/y.npy", "broken");
  EXPECT_EQ(run_wick({"diff", "a", "b"}, here).exit_code, 1);
  EXPECT_EQ(run_wick({"diff", "a", "b"}, here).err.substr(0, 14), "wick: b/y.npy:");
  EXPECT_EQ(run_wick({"diff", "a", "b"}, here).out, "");
}

}  // namespace
}  // namespace wick::tools
