#include <gtest/gtest.h>

#include <wick/ops/instruction_set.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

std::string printed(const std::string& name) { return read_whole(WICK_GOLDENS "/" + name + ".txt"); }

// What the course prints, on each set and in both types.
void expect_printed(const std::string& name, std::vector<std::string> arguments) {
  ASSERT_NE(printed(name), "");
  EXPECT_EQ(output_of(arguments), printed(name));
  for (const std::string& set : present_instruction_sets()) {
    for (const std::string dtype : {"float32", "float64"}) {
      std::vector<std::string> typed = arguments;
      typed.insert(typed.end(), {"--dtype", dtype});
      EXPECT_EQ(output_of(typed, {.environment = {{"WICK_ISA", set}}}), printed(name)) << set << " " << dtype;
    }
  }
}

TEST(Lesson4, PrintsWhatTheCoursePrints) { expect_printed("lesson4", {"lesson", "4"}); }

TEST(Lesson4, ExercisesPrintWhatTheCoursePrints) {
  expect_printed("lesson4_exercises", {"lesson", "4", "--exercises"});
}

TEST(Lesson5, PrintsWhatTheCoursePrints) { expect_printed("lesson5", {"lesson", "5"}); }

TEST(Lesson5, ExercisesPrintWhatTheCoursePrints) {
  expect_printed("lesson5_exercises", {"lesson", "5", "--exercises"});
}

TEST(Lesson, TakesItsArgumentsInAnyOrder) {
  EXPECT_EQ(output_of({"lesson", "--dtype=float32", "--exercises", "4"}), printed("lesson4_exercises"));
  EXPECT_EQ(output_of({"lesson", "--", "5"}), printed("lesson5"));
}

TEST(Lesson, PrintsTheSameOnATerminal) {
  EXPECT_EQ(output_of({"lesson", "5"}, {.columns = 40}), printed("lesson5"));
}

TEST(Lesson, RefusesWhatThereIsNot) {
  const std::string hint = "; wick lesson --help tells the options";
  expect_refused({"lesson"}, 2, "a lesson's number is missing; there are 4 and 5");
  expect_refused({"lesson", "--exercises"}, 2, "a lesson's number is missing; there are 4 and 5");
  expect_refused({"lesson", "6"}, 2, "there is no lesson '6'; there are 4 and 5");
  expect_refused({"lesson", "04"}, 2, "there is no lesson '04'; there are 4 and 5");
  expect_refused({"lesson", "4\n"}, 2, "there is no lesson '4\\n'; there are 4 and 5");
  expect_refused({"lesson", "4", "5"}, 2, "unexpected argument '5'" + hint);
  expect_refused({"lesson", "4", "--dtype", "float16"}, 2,
                 "--dtype is 'float16', expected float32 or float64");
  expect_refused({"lesson", "4", "--exercise"}, 2, "unrecognised option '--exercise'" + hint);
  expect_refused({"lesson", "4", "--seed", "1"}, 2, "unrecognised option '--seed'" + hint);
}

}  // namespace
}  // namespace wick::tools
