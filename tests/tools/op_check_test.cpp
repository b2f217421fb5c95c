// `wick op check`, and the same of a user's own ops, some of which are wrong.

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/specs.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

const Surroundings kOwnOps{.program = WICK_OWN_OPS};

// What `check` of a user's op says, which is wrong.
std::vector<std::string> failed_check(const Words& arguments) {
  Words all{"check"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run_wick(all, kOwnOps);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "");
  return lines_of(outcome.out);
}

std::vector<std::string> failures_in(const std::vector<std::string>& lines) {
  std::vector<std::string> failures;
  for (const std::string& line : lines) {
    if (line.find("; again: ") != std::string::npos) failures.push_back(line);
  }
  return failures;
}

std::string command_in(const std::string& failure) {
  const std::string mark = "; again: ";
  return failure.substr(failure.find(mark) + mark.size());
}

// A command line through the shell, and what it prints.
std::pair<int, std::string> shell(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string out;
  for (int character = 0; (character = std::fgetc(pipe)) != EOF;) out += static_cast<char>(character);
  return {WEXITSTATUS(pclose(pipe)), out};
}

TEST(OpCheck, HasARowForEveryOpAndAColumnForEverySet) {
  const std::vector<std::string> lines = lines_of(output_of({"op", "check"}));
  ASSERT_EQ(lines.size(), testing::op_specs().size() + 2);
  Words heading{"op", "cases"};
  for (const std::string& set : present_instruction_sets()) heading.push_back(set);
  for (const std::string word : {"gradient", "breaks", "caught", "failures"}) heading.push_back(word);
  EXPECT_EQ(words_of(lines[0]), heading);
  for (std::size_t i = 0; i < testing::op_specs().size(); ++i) {
    const testing::OpSpec& spec = testing::op_specs()[i];
    const Words row = words_of(lines[i + 1]);
    ASSERT_EQ(row.size(), heading.size() - 1);
    EXPECT_EQ(row[0], spec.name);
    EXPECT_EQ(row[1], std::to_string(spec.cases.size()));
    EXPECT_EQ(row.back(), "-");
  }
  EXPECT_EQ(lines.back(), "all is well");
}

TEST(OpCheck, ShowsErrorsInUnitsOfTheirBound) {
  const Words row = words_of(lines_of(output_of({"op", "check", "softmax"}))[1]);
  for (std::size_t set = 0; set < present_instruction_sets().size(); ++set) {
    EXPECT_GT(std::stod(row[2 + set]), 0.01);
    EXPECT_LT(std::stod(row[2 + set]), 1);
  }
  EXPECT_LT(std::stod(row[row.size() - 3]), 1e-6);
  EXPECT_EQ(row[row.size() - 2], "5/5");
}

TEST(OpCheck, TakesTheOpsThatAreNamedInTheOrderOfTheList) {
  const std::vector<std::string> lines =
      lines_of(output_of({"op", "check", "argmax", "scale", "argmax", "--isa", "scalar"}));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(words_of(lines[0]), (Words{"op", "cases", "scalar", "gradient", "breaks", "caught", "failures"}));
  EXPECT_EQ(words_of(lines[1]),
            (Words{"scale", "23", words_of(lines[1])[2], words_of(lines[1])[3], "5/5", "-"}));
  EXPECT_EQ(words_of(lines[2]), (Words{"argmax", "33", "0", "-", "-", "-"}));
}

TEST(OpCheck, RunsOneCaseAlone) {
  const std::string out = output_of({"op", "check", "softmax", "--case", "rows of 17", "--isa", "scalar"});
  EXPECT_EQ(words_of(lines_of(out)[1])[1], "1");
}

TEST(OpCheck, AnotherSeedDrawsOtherNumbers) {
  const Words of_softmax{"op", "check", "softmax", "--isa", "scalar", "--seed"};
  const auto with_seed = [&](const std::string& seed) {
    Words arguments = of_softmax;
    arguments.push_back(seed);
    return output_of(arguments);
  };
  EXPECT_EQ(with_seed("0"), output_of({"op", "check", "softmax", "--isa", "scalar"}));
  EXPECT_EQ(with_seed("18446744073709551615"), with_seed("18446744073709551615"));
  EXPECT_NE(with_seed("1"), with_seed("0"));
}

TEST(OpCheck, RefusesWhatThereIsNot) {
  std::string names;
  for (const testing::OpSpec& spec : testing::op_specs()) names += (names.empty() ? " " : ", ") + spec.name;
  expect_refused({"op", "check", "softmx"}, 2, "there is no op 'softmx'; there are" + names);
  expect_refused({"op", "check", "softmax", ""}, 2, "there is no op ''; there are" + names);
  expect_refused(
      {"op", "check", "softmax", "--case", "rows of 99"}, 2,
      "--case is 'rows of 99', which softmax does not have; list --json has the names of its cases");
  expect_refused({"op", "check", "softmax", "--case", ""}, 2, "--case is empty, expected the name of a case");
  expect_refused({"op", "check", "--case", "x"}, 2, "--case needs the one op whose case it is");
  expect_refused({"op", "check", "softmax", "sum", "--case", "x"}, 2,
                 "--case needs the one op whose case it is");
  expect_refused({"op", "check", "--seed", "-1"}, 2,
                 "--seed is '-1', expected a whole number from 0 to 18446744073709551615");
  expect_refused({"op", "check", "--sed", "1"}, 2,
                 "unrecognised option '--sed'; wick op check --help tells the options");
}

TEST(OpCheck, ListsTheInstructionSetsWhereItIsGivenNone) {
  std::string sets;
  for (const std::string& set : present_instruction_sets()) sets += (sets.empty() ? "" : ", ") + set;
  for (const std::string wrong : {"nonsense", "", "AVX2"}) {
    expect_refused({"op", "check", "--isa", wrong}, 2,
                   "--isa: instruction set '" + wrong + "': no such instruction set; there are " + sets);
  }
  expect_refused({"op", "check", "--isa", "scalar"}, 1,
                 "WICK_ISA=nonsense: no such instruction set; there are " + sets,
                 {.environment = {{"WICK_ISA", "nonsense"}}});
}

TEST(OwnOps, ARightOneIsWell) {
  const std::vector<std::string> lines = lines_of(output_of({"check", "square"}, kOwnOps));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(words_of(lines[1])[0], "square");
  EXPECT_EQ(lines[2], "all is well");
}

TEST(OwnOps, AWrongOneIsShownWithTheCommandThatRunsItsCaseAgain) {
  const std::vector<std::string> lines = failed_check({"wrong_value", "--isa", "scalar", "--seed", "7"});
  EXPECT_EQ(lines.back(), "1 of 1 ops failed");
  const std::vector<std::string> failures = failures_in(lines);
  ASSERT_EQ(failures.size(), 4U);  // two cases in float32 and float64
  EXPECT_EQ(words_of(lines[1]).back(), "4");
  EXPECT_NEAR(std::stod(words_of(lines[1])[2]), std::ldexp(0.5, 52), std::ldexp(0.05, 52));  // x²/2 over x² ε
  EXPECT_EQ(failures[0].substr(0, failures[0].find(" is ")),
            "wrong_value, one, scalar: float32: element (0,)");
  EXPECT_EQ(command_in(failures[0]),
            std::string(WICK_OWN_OPS) + " check wrong_value --case one --isa scalar --seed 7");
  EXPECT_EQ(command_in(failures[2]),
            std::string(WICK_OWN_OPS) +
                " check wrong_value --case 'it'\\''s 2 \"rows\" of $HOME' --isa scalar --seed 7");
  for (const std::string& failure : {failures[0], failures[2]}) {
    const auto [exit_code, out] = shell(command_in(failure));
    EXPECT_EQ(exit_code, 1);
    const std::vector<std::string> again = failures_in(lines_of(out));
    ASSERT_EQ(again.size(), 2U) << out;
    EXPECT_EQ(again[0], failure);
  }
}

TEST(OwnOps, AProgramWithABlankInItsNameIsQuoted) {
  const TestFolder folder;
  const std::string program = folder / "my ops";
  std::filesystem::create_symlink(WICK_OWN_OPS, program);
  const Outcome outcome = run_wick({"check", "throwing", "--isa", "scalar"}, {.program = program});
  const std::vector<std::string> failures = failures_in(lines_of(outcome.out));
  ASSERT_EQ(failures.size(), 6U);
  EXPECT_EQ(command_in(failures[0]), "'" + program + "' check throwing --case one --isa scalar --seed 0");
  EXPECT_EQ(shell(command_in(failures[0])).first, 1);
}

TEST(OwnOps, AWrongGradientIsFoundOnEverySet) {
  const std::vector<std::string> lines = failed_check({"wrong_gradient"});
  const std::vector<std::string> failures = failures_in(lines);
  ASSERT_EQ(failures.size(), 2 * present_instruction_sets().size());
  for (const std::string& failure : failures) {
    EXPECT_NE(failure.find(": gradient: input 0 at (0"), std::string::npos) << failure;
  }
  const Words row = words_of(lines[1]);
  EXPECT_GT(std::stod(row[row.size() - 3]), 1);
}

TEST(OwnOps, WhatAnOpThrowsIsOneLine) {
  const std::vector<std::string> failures =
      failures_in(failed_check({"throwing", "--case", "one", "--isa", "scalar"}));
  ASSERT_EQ(failures.size(), 3U);
  const std::string what = "throwing, one, scalar: float32: threw: no\\nluck with (1,); again: ";
  EXPECT_EQ(failures[0].substr(0, what.size()), what);
}

TEST(OwnOps, WhateverAnOpThrowsEndsNothing) {
  const std::vector<std::string> failures =
      failures_in(failed_check({"throwing_a_number", "--case", "one", "--isa", "scalar"}));
  ASSERT_EQ(failures.size(), 3U);
  EXPECT_NE(failures[0].find("float32: threw what is no std::exception; again: "), std::string::npos);
  const TestFolder folder;
  save_npy(folder / "x.npy", ones({2}));
  expect_refused({"run", "throwing_a_number", "--in", folder / "x.npy", "--out", folder / "y.npy"}, 1,
                 "something was thrown that is no std::exception", kOwnOps);
}

TEST(OwnOps, AGradientThatNoCaseTestsIsAFailureOfTheOp) {
  const std::vector<std::string> lines = failed_check({"unnoticed", "--isa", "scalar"});
  EXPECT_EQ(words_of(lines[1])[4], "0/5");
  const std::vector<std::string> failures = failures_in(lines);
  ASSERT_EQ(failures.size(), 5U);
  EXPECT_EQ(failures[0], "unnoticed: no case notices where the gradient of x is 0; again: " +
                             std::string(WICK_OWN_OPS) + " check unnoticed --seed 0");
  EXPECT_EQ(shell(command_in(failures[0])).first, 1);
}

TEST(OwnOps, TheFirstFailuresAreShownAndTheOthersCounted) {
  const std::vector<std::string> lines = failed_check({"--isa", "scalar"});
  EXPECT_EQ(failures_in(lines).size(), 20U);
  EXPECT_EQ(lines[lines.size() - 2], "and more: 3 of unnoticed, 96 of often wrong");
  EXPECT_EQ(lines.back(), "6 of 7 ops failed");
}

TEST(OwnOps, HelpAndMessagesNameTheProgram) {
  EXPECT_EQ(lines_of(output_of({"--help"}, kOwnOps))[0],
            "usage: " + std::string(WICK_OWN_OPS) + " COMMAND [options]");
  const std::string usage = "usage: " + std::string(WICK_OWN_OPS);
  EXPECT_EQ(output_of({"run", "--help"}, kOwnOps).substr(0, usage.size()), usage);
  expect_refused({}, 2, "a command is missing; " + std::string(WICK_OWN_OPS) + " --help lists them", kOwnOps);
  expect_refused({"check", "softmax"}, 2,
                 "there is no op 'softmax'; there are square, wrong_value, wrong_gradient, throwing, "
                 "throwing_a_number, unnoticed, often "
                 "wrong",
                 kOwnOps);
  EXPECT_EQ(lines_of(output_of({"list"}, kOwnOps))[1].substr(0, 9), "square(x)");
}

TEST(OwnOps, OutputEndsAsThatOfWick) {
  const Outcome full = run_wick({"list"}, {.out_path = "/dev/full", .program = WICK_OWN_OPS});
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_EQ(full.err, "wick_own_ops: standard output: write failed: No space left on device\n");
  const Outcome gone =
      run_wick({"list"}, {.ignores_sigpipe = true, .out_is_closed_pipe = true, .program = WICK_OWN_OPS});
  EXPECT_EQ(gone.exit_code, 0);
  EXPECT_EQ(gone.err, "");
}

}  // namespace
}  // namespace wick::tools
