#include <gtest/gtest.h>

#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

std::string joined(const std::string& separator) {
  std::string text;
  for (const std::string& set : present_instruction_sets()) text += (text.empty() ? "" : separator) + set;
  return text;
}

TEST(Info, NamesWhatThereIs) {
  const std::string info = output_of({"info"});
  for (const std::string line :
       {"wick              ", "instruction sets  ", "chosen            ", "threads           ",
        "compiler          ", "xsimd             ", "Boost             1.", "nlohmann_json     3."}) {
    EXPECT_EQ(("\n" + info).find("\n" + line) == std::string::npos, false) << line << "\n" << info;
  }
  EXPECT_NE(info.find("instruction sets  " + joined(" ") + "\n"), std::string::npos) << info;
}

TEST(Info, TellsHowManyThreadsThereAre) {
  const std::string info = output_of({"info"}, {.environment = {{"OMP_NUM_THREADS", "3"}}});
  EXPECT_NE(info.find(has_openmp() ? "threads           3 (OpenMP; OMP_NUM_THREADS sets them)\n"
                                   : "threads           1 (built without OpenMP)\n"),
            std::string::npos)
      << info;
}

TEST(Info, ChoosesTheWidestSet) {
  const std::string widest = present_instruction_sets().back();
  EXPECT_NE(output_of({"info"}).find("chosen            " + widest + "\n"), std::string::npos);
  const Surroundings empty{.environment = {{"WICK_ISA", ""}}};
  EXPECT_NE(output_of({"info"}, empty).find("chosen            " + widest + "\n"), std::string::npos);
}

TEST(Info, ShowsTheSetThatWickIsaNames) {
  for (const std::string& set : present_instruction_sets()) {
    const std::string info = output_of({"info"}, {.environment = {{"WICK_ISA", set}}});
    EXPECT_NE(info.find("chosen            " + set + "\n"), std::string::npos) << info;
  }
}

TEST(WickIsa, ListsWhatThereIsWhereItNamesNone) {
  for (const std::string wrong : {"nonsense", "AVX2", "avx", " avx2", "avx512 "}) {
    const Surroundings around{.environment = {{"WICK_ISA", wrong}}};
    const std::string message = "WICK_ISA=" + wrong + ": no such instruction set; there are " + joined(", ");
    expect_refused({"info"}, 1, message, around);
    expect_refused({"attend"}, 1, message, around);
    expect_refused({"lesson", "4"}, 1, message, around);
  }
}

TEST(WickIsa, IsShownInOneLine) {
  expect_refused({"info"}, 1, "WICK_ISA=a\\nb: no such instruction set; there are " + joined(", "),
                 {.environment = {{"WICK_ISA", "a\nb"}}});
}

TEST(WickIsa, DoesNotStandInTheWayOfHelp) {
  EXPECT_NE(output_of({"--help"}, {.environment = {{"WICK_ISA", "nonsense"}}}), "");
}

TEST(Info, TakesNothingElse) {
  expect_refused({"info", "x"}, 2, "unexpected argument 'x'; wick info --help tells the options");
  expect_refused({"info", "--dtype", "float32"}, 2,
                 "unrecognised option '--dtype'; wick info --help tells the options");
}

}  // namespace
}  // namespace wick::tools
