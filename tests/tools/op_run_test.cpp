// `wick op run`: ops over files, forward and backward, and what it says where that cannot be.

#include <sstream>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/framework/random.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/ops.h>
#include <wick/ops/testing/compare.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/ops/testing/specs.h>
#include <wick/tests/tools/run_command.h>
#include <wick/tools/command.h>

namespace wick::tools {
namespace {

using testing::same_bits;
using Words = std::vector<std::string>;

// A folder with two float64 matrices, a.npy (3, 4) and b.npy (4, 5), and what `wick op run` does in it.
class OpRun : public ::testing::Test {
 protected:
  OpRun() {
    save("a", a_);
    save("b", b_);
  }

  void save(const std::string& name, const Tensor& tensor) const { save_npy(file(name), tensor); }
  Tensor load(const std::string& name) const { return load_npy(file(name)); }
  std::string file(const std::string& name) const { return folder_ / (name + ".npy"); }

  // The words of a command line: "softmax --in a.npy --out y.npy".
  static Words words(const std::string& line) {
    Words words{"op", "run"};
    std::size_t start = 0;
    while (start < line.size()) {
      const std::size_t end = std::min(line.find(' ', start), line.size());
      words.push_back(line.substr(start, end - start));
      start = end + 1;
    }
    return words;
  }

  void run(const std::string& line) const {
    EXPECT_EQ(output_of(words(line), {.folder = folder_.path()}), "") << line;
  }

  // Refused, and no file is written.
  void refused(const std::string& line, int exit_code, const std::string& message) const {
    const Words before = folder_.names();
    expect_refused(words(line), exit_code, message, {.folder = folder_.path()});
    EXPECT_EQ(folder_.names(), before) << line;
  }

  TestFolder folder_;
  Tensor a_ = default_rng(1)->standard_normal({3, 4}, float64);
  Tensor b_ = default_rng(2)->standard_normal({4, 5}, float64);
};

TEST_F(OpRun, WritesWhatTheOpGives) {
  run("matmul --in a.npy b.npy --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), matmul(a_, b_)));
  run("matmul --in a.npy --in b.npy --out again.npy");
  EXPECT_EQ(read_whole(file("again")), read_whole(file("y")));
}

TEST_F(OpRun, TakesAttributes) {
  run("softmax --in a.npy --arg axis=0 --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), softmax(a_, 0)));
  run("sum --in a.npy --arg axis=-1 keepdims=true --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), sum(a_, -1, true)));
  run("slice --in a.npy --arg axis=1 --arg stop=4 --arg start=1 --arg step=2 --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), slice(a_, 1, 1, 4, 2)));
  run("reshape --in a.npy --arg shape=2,-1 --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), reshape(a_, {2, -1})));
}

TEST_F(OpRun, ComputesInTheTypeOfTheFiles) {
  save("a", a_.to(float32));
  run("scale --in a.npy --arg factor=0.1 --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), scale(a_.to(float32), 0.1)));
  save("ids", arange(6));
  run("reshape --in ids.npy --arg shape=2,3 --out y.npy");
  EXPECT_TRUE(same_bits(load("y"), reshape(arange(6), {2, 3})));
}

TEST_F(OpRun, GoesBackward) {
  const Tensor dy = default_rng(3)->standard_normal({3, 5}, float64);
  save("dy", dy);
  run("matmul --in a.npy b.npy --out y.npy --grad-out dy.npy --grad-in da.npy db.npy");
  EXPECT_TRUE(same_bits(load("y"), matmul(a_, b_)));
  EXPECT_TRUE(same_bits(load("da"), matmul(dy, transpose(b_))));
  EXPECT_TRUE(same_bits(load("db"), matmul(transpose(a_), dy)));
}

TEST_F(OpRun, LeavesOutTheGradientsThatAreNotWanted) {
  save("dy", default_rng(3)->standard_normal({3, 5}, float64));
  run("matmul --in a.npy b.npy --out y.npy --grad-out dy.npy --grad-in da.npy db.npy");
  run("matmul --in a.npy b.npy --out y.npy --grad-out dy.npy --grad-in - --grad-in only.npy");
  EXPECT_EQ(read_whole(file("only")), read_whole(file("db")));
  EXPECT_EQ(folder_.names(), (Words{"a.npy", "b.npy", "da.npy", "db.npy", "dy.npy", "only.npy", "y.npy"}));
}

TEST_F(OpRun, OnlyFloatingInputsHaveAGradient) {
  save("ids", tensor({1, 1}));
  save("dy", ones({2, 4}, float64));
  run("embedding --in a.npy ids.npy --out y.npy --grad-out dy.npy --grad-in da.npy");
  EXPECT_TRUE(same_bits(load("da"), tensor({{0, 0, 0, 0}, {2, 2, 2, 2}, {0, 0, 0, 0}}, float64)));
}

TEST_F(OpRun, AResultMayReplaceAnInput) {
  run("scale --in a.npy --arg factor=2 --out a.npy");
  EXPECT_TRUE(same_bits(load("a"), scale(a_, 2)));
}

TEST_F(OpRun, RunsOnTheSetThatIsNamed) {
  save("x", default_rng(4)->standard_normal({64, 300}, float32));
  std::vector<std::string> results;
  for (const std::string& set : present_instruction_sets()) {
    run("softmax --in x.npy --out y.npy --isa " + set);
    use_instruction_set(set);
    EXPECT_TRUE(same_bits(load("y"), softmax(load("x"))));
    results.push_back(read_whole(file("y")));
  }
  if (results.size() > 1) {
    EXPECT_NE(results.front(), results.back());
  }
}

TEST_F(OpRun, UsesAsManyThreadsAsItIsGiven) {
  save("x", default_rng(4)->standard_normal({600, 400}, float32));
  save("w", default_rng(5)->standard_normal({400, 300}, float32));
  run("matmul --in x.npy w.npy --out y1.npy --threads 1");
  run("matmul --in x.npy w.npy --out y3.npy --threads 3");
  EXPECT_EQ(read_whole(file("y1")), read_whole(file("y3")));

  const ThreadCount restored_later(1);
  std::ostringstream out;
  op_command(
      Words{"run", "scale", "--in", file("x"), "--arg", "factor=2", "--out", file("y"), "--threads", "3"},
      out);
  EXPECT_EQ(thread_count(), has_openmp() ? 3 : 1);
}

TEST_F(OpRun, RefusesCountsOfThreadsThatCannotBe) {
  for (const std::string wrong : {"0", "-1", "1025", "many", "1.5"}) {
    refused("softmax --in a.npy --out y.npy --threads " + wrong, 2,
            "--threads is '" + wrong + "', expected a whole number from 1 to 1024");
  }
}

TEST_F(OpRun, RefusesOpsThatThereAreNot) {
  std::string names;
  for (const testing::OpSpec& spec : testing::op_specs()) names += (names.empty() ? " " : ", ") + spec.name;
  refused("softmx --in a.npy --out y.npy", 2, "there is no op 'softmx'; there are" + names);
  refused("", 2, "the name of an op is missing; wick op run --help tells the options");
  refused("--in a.npy --out y.npy", 2, "the name of an op is missing; wick op run --help tells the options");
  refused("softmax a.npy", 2, "unexpected argument 'a.npy'; wick op run --help tells the options");
}

TEST_F(OpRun, NamesTheInputsWhereTheirCountIsWrong) {
  refused("softmax --out y.npy", 2, "softmax(x, axis=-1) takes 1 input (x), --in names 0 files");
  refused("softmax --in a.npy b.npy --out y.npy", 2,
          "softmax(x, axis=-1) takes 1 input (x), --in names 2 files");
  refused("matmul --in a.npy --out y.npy", 2, "matmul(a, b) takes 2 inputs (a, b), --in names 1 file");
}

TEST_F(OpRun, RefusesAttributesThatCannotBe) {
  const auto with = [&](const std::string& arg, const std::string& message) {
    refused("softmax --in a.npy --out y.npy --arg " + arg, 2, "--arg: " + message);
  };
  with("ax=1", "there is no attribute 'ax'; there are axis");
  with("=1", "there is no attribute ''; there are axis");
  with("axis", "the attribute 'axis' has no value, expected name=value");
  with("axis=x", "the attribute axis is 'x', expected a whole number");
  with("axis=", "the attribute axis is '', expected a whole number");
  with("axis=0.5", "the attribute axis is '0.5', expected a whole number");
  with("axis=0 axis=0", "the attribute axis is given more than once");
  refused("scale --in a.npy --out y.npy", 2, "--arg: the attribute factor is missing, expected a number");
  refused("transpose --in a.npy --out y.npy --arg axes=0,x", 2,
          "--arg: the attribute axes is '0,x', expected whole numbers with commas between them");
  for (const std::string list : {",", "0,1,", ",0,1", "0,,1"}) {
    refused("transpose --in a.npy --out y.npy --arg axes=" + list, 2,
            "--arg: the attribute axes is '" + list + "', expected whole numbers with commas between them");
  }
  refused("sum --in a.npy --out y.npy --arg keepdims=1", 2,
          "--arg: the attribute keepdims is '1', expected true or false");
  refused("matmul --in a.npy b.npy --out y.npy --arg axis=1", 2,
          "--arg: there is no attribute 'axis'; the op has none");
  refused("softmax --in a.npy --out y.npy --arg axis=2", 1,
          "softmax: axis 2: axes of a tensor of rank 2 lie in [-2, 1]");
  refused("softmax --in a.npy --out y.npy --arg axis=4294967296", 1,
          "the attribute axis is 4294967296, which no int can hold");
}

TEST_F(OpRun, SaysWhichFilesDoNotFit) {
  save("ids", arange(3));
  save("half", a_.to(float32));
  write_whole(file("text"), "abc");
  refused("matmul --in a.npy a.npy --out y.npy", 1,
          "matmul: (3, 4) @ (3, 4): inner dimensions 4 and 3 differ");
  refused("softmax --in ids.npy --out y.npy", 1, "softmax: x is int64, expected float32 or float64");
  refused("add --in a.npy half.npy --out y.npy", 1,
          "add: float64 and float32: one type is needed; to() converts");
  refused("softmax --in none.npy --out y.npy", 1, "none.npy: cannot open: No such file or directory");
  EXPECT_EQ(run_wick(words("softmax --in text.npy --out y.npy"), {.folder = folder_.path()}).exit_code, 1);
}

TEST_F(OpRun, RefusesTypesThatTheReaderDoes) {
  std::string bytes = read_whole(file("a"));
  bytes.replace(bytes.find("<f8"), 3, "<c8");
  write_whole(file("complex"), bytes);
  refused(
      "softmax --in complex.npy --out y.npy", 1,
      "complex.npy: header: descr is '<c8', expected one of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1");
}

TEST_F(OpRun, RefusesFilesThatAreNotNamed) {
  refused("softmax --in a.npy", 2, "--out is missing, expected a file for the result");
  expect_refused({"op", "run", "softmax", "--in", "a.npy", "--out", ""}, 2,
                 "--out is empty, expected a file");
  expect_refused({"op", "run", "softmax", "--in", "", "--out", "y"}, 2, "--in is empty, expected a file");
}

TEST_F(OpRun, GradientsNeedAllTheirFiles) {
  save("dy", ones({3, 4}, float64));
  const std::string together = "--grad-out and --grad-in need each other: one is given without the other";
  refused("softmax --in a.npy --out y.npy --grad-out dy.npy", 2, together);
  refused("softmax --in a.npy --out y.npy --grad-in dx.npy", 2, together);
  refused("add --in a.npy a.npy --out y.npy --grad-out dy.npy --grad-in da.npy", 2,
          "add(a, b) has gradients for 2 inputs (a, b), --grad-in names 1 file; - stands for one that is not "
          "wanted");
  refused("add --in a.npy a.npy --out y.npy --grad-out dy.npy --grad-in d.npy d.npy", 2,
          "two results would go into one file, 'd.npy'");
  refused("add --in a.npy a.npy --out y.npy --grad-out dy.npy --grad-in y.npy -", 2,
          "two results would go into one file, 'y.npy'");
}

TEST_F(OpRun, OneFileOfSeveralNamesTakesOneResult) {
  save("dy", ones({3, 4}, float64));
  std::filesystem::create_symlink("a.npy", file("link"));
  std::filesystem::create_directory(folder_ / "d");
  for (const std::string names : {"./y.npy y.npy", "d/../y.npy y.npy", "a.npy ./link.npy"}) {
    const std::size_t blank = names.find(' ');
    const std::string out = names.substr(0, blank);
    refused("softmax --in a.npy --out " + out + " --grad-out dy.npy --grad-in " + names.substr(blank + 1), 2,
            "two results would go into one file, '" + out + "'");
  }
}

TEST_F(OpRun, GradientsHaveTheResultsShapeAndType) {
  save("wide", ones({4, 3}, float64));
  save("narrow", ones({3, 4}, float32));
  refused("softmax --in a.npy --out y.npy --grad-out wide.npy --grad-in dx.npy", 1,
          "--grad-out: wide.npy is (4, 3) of float64, the result is (3, 4) of float64");
  refused("softmax --in a.npy --out y.npy --grad-out narrow.npy --grad-in dx.npy", 1,
          "--grad-out: narrow.npy is (3, 4) of float32, the result is (3, 4) of float64");
  refused("argmax --in a.npy --out y.npy --grad-out narrow.npy --grad-in dx.npy", 2,
          "--grad-out: the result is (3,) of int64, which has no gradient");
}

TEST_F(OpRun, AResultThatCannotBeWrittenIsNamed) {
  refused("softmax --in a.npy --out none/y.npy", 1, "none/y.npy: cannot write: No such file or directory");
}

TEST_F(OpRun, WritesAllResultsOrNone) {
  save("dy", ones({3, 4}, float64));
  const std::string old = read_whole(file("a"));
  for (const std::string place : {"none/y.npy", ".", "/dev/full"}) {
    const std::string reason = place == "."           ? "Is a directory"
                               : place == "/dev/full" ? "No space left on device"
                                                      : "No such file or directory";
    refused("softmax --in a.npy --out " + place + " --grad-out dy.npy --grad-in dx.npy", 1,
            place + ": cannot write: " + reason);
    refused("softmax --in a.npy --out a.npy --grad-out dy.npy --grad-in " + place, 1,
            place + ": cannot write: " + reason);
    EXPECT_EQ(read_whole(file("a")), old);
  }
}

}  // namespace
}  // namespace wick::tools
