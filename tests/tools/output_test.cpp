// Standard output: help and version on it, and what happens where it cannot be written.

#include <gtest/gtest.h>

#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

const std::vector<std::vector<std::string>> kHelps{{"--help"},
                                                   {"-h"},
                                                   {"attend", "--help"},
                                                   {"attend", "-h"},
                                                   {"diff", "--help"},
                                                   {"lesson", "--help"},
                                                   {"graph", "--help"},
                                                   {"eval", "--help"},
                                                   {"sample", "--help"},
                                                   {"inspect", "--help"},
                                                   {"info", "--help"},
                                                   {"train", "--help"},
                                                   {"op", "--help"},
                                                   {"op", "-h"},
                                                   {"op", "list", "--help"},
                                                   {"op", "run", "--help"},
                                                   {"op", "check", "--help"}};

TEST(Help, GoesToStandardOutput) {
  for (const std::vector<std::string>& help : kHelps) {
    EXPECT_EQ(output_of(help).substr(0, 12), "usage: wick ") << help.front();
  }
}

TEST(Help, NamesEveryCommand) {
  const std::string help = output_of({"--help"});
  for (const std::string command :
       {"attend", "diff", "lesson", "train", "eval", "sample", "inspect", "graph", "op", "info"}) {
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << help;
  }
}

TEST(Help, NamesEveryOptionWithItsDefault) {
  const std::string help = output_of({"attend", "--help"});
  for (const std::string option :
       {"--text TEXT ", "--file FILE ", "--start N (=0)", "--length N (=12)", "--width N (=32)",
        "--head-size N (=16)", "--seed N (=42)", "--rng STREAM (=legacy)", "--weight-scale X (=0.1)",
        "--causal ", "--positions SCALE ", "--dtype TYPE (=float64)", "--format FORMAT (=table)",
        "--save DIR "}) {
    EXPECT_NE(help.find("\n  " + option), std::string::npos) << option << "\n" << help;
  }
}

TEST(Help, NamesEveryOptionOfTrainingWithItsDefault) {
  const std::string help = output_of({"train", "--help"});
  for (const std::string option :
       {"--file FILE ", "--steps N (=600)", "--batch N (=16)", "--block-size N (=64)", "--n-embd N (=64)",
        "--n-head N (=4)", "--n-layer N (=4)", "--lr X (=0.003)", "--warmup N (=50)", "--dropout X (=0)",
        "--seed N (=7)", "--threads N ", "--out DIR (=wick-model)", "--resume DIR ", "--eval-every N (=100)",
        "--sample-every N (=200)", "--save-every N "}) {
    EXPECT_NE(help.find("\n  " + option), std::string::npos) << option << "\n" << help;
  }
}

TEST(Help, ComesBeforeAnythingThatIsWrong) {
  EXPECT_EQ(output_of({"attend", "--length", "0", "--help"}), output_of({"attend", "--help"}));
}

TEST(Version, IsOneLine) {
  const std::string version = output_of({"--version"});
  EXPECT_EQ(version.substr(0, 5), "wick ");
  EXPECT_EQ(version.find('\n'), version.size() - 1);
}

TEST(Output, AFullDiskIsAnError) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"attend"},
                                                    {"attend", "--length", "300"},
                                                    {"lesson", "4"},
                                                    {"op", "list"},
                                                    {"op", "check", "argmax"},
                                                    {"info"},
                                                    {"--help"},
                                                    {"--version"}}) {
    const Outcome outcome = run_wick(arguments, {.out_path = "/dev/full"});
    EXPECT_EQ(outcome.exit_code, 1) << arguments.front();
    EXPECT_EQ(outcome.err, "wick: standard output: write failed: No space left on device\n");
  }
}

TEST(Output, AReaderThatHasGoneIsNoError) {
  for (const std::string length : {"1", "300"}) {
    const Outcome outcome =
        run_wick({"attend", "--length", length}, {.ignores_sigpipe = true, .out_is_closed_pipe = true});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    const Outcome signaled = run_wick({"attend", "--length", length}, {.out_is_closed_pipe = true});
    EXPECT_EQ(signaled.exit_code, -SIGPIPE);
    EXPECT_EQ(signaled.err, "");
  }
}

TEST(Output, TwiceIsTheSame) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"attend"},
        {"attend", "--format", "json", "--causal"},
        {"attend", "--format", "csv", "--rng", "pcg64", "--dtype", "float32"},
        {"info"}}) {
    EXPECT_EQ(output_of(arguments), output_of(arguments));
  }
}

}  // namespace
}  // namespace wick::tools
