// Whatever is wrong: an exit code, one line that names what, and nothing on standard output.

#include <gtest/gtest.h>

#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

constexpr const char* kHint = "; wick attend --help tells the options";

// wick attend --option=value is refused with "--option is 'value', expected …".
void expect_value_refused(const std::string& option, const std::string& value, const std::string& expected) {
  expect_refused({"attend", "--" + option, value}, 2,
                 "--" + option + " is '" + value + "', expected " + expected);
}

TEST(CommandLine, NeedsACommandThatThereIs) {
  expect_refused({}, 2, "a command is missing; wick --help lists them");
  expect_refused({""}, 2, "there is no command ''; wick --help lists them");
  expect_refused({"atend"}, 2, "there is no command 'atend'; wick --help lists them");
  expect_refused({"att"}, 2, "there is no command 'att'; wick --help lists them");
  expect_refused({"--versio"}, 2, "there is no command '--versio'; wick --help lists them");
  expect_refused({"--help", "attend"}, 2, "--help stands alone, without 'attend'");
  expect_refused({"--version", "x"}, 2, "--version stands alone, without 'x'");
}

TEST(CommandLine, RefusesOptionsThatThereAreNot) {
  expect_refused({"attend", "--foo"}, 2, std::string("unrecognised option '--foo'") + kHint);
  expect_refused({"attend", "--foo=1"}, 2, std::string("unrecognised option '--foo=1'") + kHint);
  expect_refused({"attend", "-x"}, 2, std::string("unrecognised option '-x'") + kHint);
  expect_refused({"attend", "--Length", "3"}, 2, std::string("unrecognised option '--Length'") + kHint);
  expect_refused({"attend", "--a\nb"}, 2, std::string("unrecognised option '--a\\nb'") + kHint);
}

TEST(CommandLine, GuessesNoAbbreviations) {
  expect_refused({"attend", "--len", "3"}, 2, std::string("unrecognised option '--len'") + kHint);
  expect_refused({"attend", "--h"}, 2, std::string("unrecognised option '--h'") + kHint);
}

TEST(CommandLine, RefusesMissingSuperfluousAndRepeatedValues) {
  expect_refused({"attend", "--length"}, 2,
                 std::string("the required argument for option '--length' is missing") + kHint);
  expect_refused({"attend", "--causal=yes"}, 2,
                 std::string("option '--causal' does not take any arguments") + kHint);
  expect_refused({"attend", "--length", "3", "--length", "3"}, 2,
                 std::string("option '--length' cannot be specified more than once") + kHint);
  expect_refused({"attend", "--causal", "--causal"}, 2,
                 std::string("option '--causal' cannot be specified more than once") + kHint);
  expect_refused({"attend", "12"}, 2, std::string("unexpected argument '12'") + kHint);
  expect_refused({"attend", "--", "--causal"}, 2, std::string("unexpected argument '--causal'") + kHint);
}

TEST(CommandLine, NoOptionIsAValueOfAnother) {
  const auto message = [](const std::string& option, const std::string& value) {
    return "the required argument for option '" + option + "' is missing; '" + value + "' is an option" +
           kHint;
  };
  expect_refused({"attend", "--length", "--causal"}, 2, message("--length", "--causal"));
  expect_refused({"attend", "--save", "--text", "a"}, 2, message("--save", "--text"));
  expect_refused({"attend", "--text", "--help"}, 2, message("--text", "--help"));
  output_of({"attend", "--text=--causal", "--length", "8"});
  output_of({"attend", "--text", "--other", "--length", "7"});
}

TEST(CommandLine, RefusesSizesThatCannotBe) {
  for (const std::string option : {"length", "width", "head-size"}) {
    for (const std::string value : {"0", "-1", "abc", "1e3", "99999999999999999999", "-99999999999999999999",
                                    "", " 3", "3 ", "+3", "3.0", "0x10", "3,000", "16385", "nan", "--none"}) {
      expect_value_refused(option, value, "a whole number from 1 to 16384");
    }
  }
}

TEST(CommandLine, RefusesAStartThatIsNoPlace) {
  for (const std::string value : {"-1", "abc", "", "9223372036854775808"}) {
    expect_value_refused("start", value, "a whole number from 0 to 9223372036854775807");
  }
}

TEST(CommandLine, RefusesSeedsThatNumPyRefuses) {
  for (const std::string value : {"", "-1", "4294967296", "x", "1.5"}) {
    expect_value_refused("seed", value, "a whole number from 0 to 4294967295");
  }
  for (const std::string value : {"", "-1", "18446744073709551616"}) {
    expect_refused({"attend", "--rng", "pcg64", "--seed", value}, 2,
                   "--seed is '" + value + "', expected a whole number from 0 to 18446744073709551615");
  }
}

TEST(CommandLine, TakesEverySeedThatNumPyTakes) {
  output_of({"attend", "--seed", "4294967295"});
  output_of({"attend", "--seed", "4294967296", "--rng", "pcg64"});
  output_of({"attend", "--seed", "18446744073709551615", "--rng", "pcg64"});
}

TEST(CommandLine, RefusesScalesThatAreNotFinite) {
  for (const std::string option : {"weight-scale", "positions"}) {
    for (const std::string value : {"nan", "inf", "-inf", "abc", "", "1e999", "0.1x", "0,1"}) {
      expect_value_refused(option, value, "a finite number, such as 0.1");
    }
  }
}

TEST(CommandLine, TakesNegativeScales) {
  EXPECT_EQ(output_of({"attend", "--weight-scale", "-0.1"}), output_of({"attend", "--weight-scale=-1e-1"}));
}

TEST(CommandLine, ListsTheChoices) {
  expect_value_refused("dtype", "float16", "float32 or float64");
  expect_value_refused("dtype", "", "float32 or float64");
  expect_value_refused("rng", "x", "legacy or pcg64");
  expect_value_refused("format", "xml", "table, json or csv");
  expect_value_refused("format", "JSON", "table, json or csv");
}

TEST(CommandLine, RefusesEmptyNamesAndTexts) {
  expect_refused({"attend", "--text", ""}, 2, "--text is empty, expected at least one character");
  expect_refused({"attend", "--file", ""}, 2, "--file is empty, expected a file");
  expect_refused({"attend", "--save", ""}, 2, "--save is empty, expected a folder");
  expect_refused({"attend", "--text", "a", "--file", "b"}, 2, "--text and --file exclude each other");
}

TEST(Attend, APieceBeyondTheTextNamesBoth) {
  const auto message = [](const std::string& piece, const std::string& text) {
    return piece + " reach beyond the text, which has " + text;
  };
  expect_refused({"attend", "--start", "10009"}, 1, message("start 10009 and length 12", "10020 characters"));
  expect_refused({"attend", "--start", "10020", "--length", "1"}, 1,
                 message("start 10020 and length 1", "10020 characters"));
  expect_refused({"attend", "--start", "9223372036854775807"}, 1,
                 message("start 9223372036854775807 and length 12", "10020 characters"));
  expect_refused({"attend", "--text", "日本語"}, 1, message("start 0 and length 12", "3 characters"));
  expect_refused({"attend", "--text", "語"}, 1, message("start 0 and length 12", "1 character"));
}

TEST(Attend, NamesAFileThatItCannotRead) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  expect_refused({"attend", "--file", "none"}, 1, "none: cannot open: No such file or directory", here);
  expect_refused({"attend", "--file", "a\nb"}, 1, "a\\nb: cannot open: No such file or directory", here);
  expect_refused({"attend", "--file", "."}, 1, ".: cannot read: Is a directory", here);
  write_whole(folder / "empty", "");
  expect_refused({"attend", "--file", "empty"}, 1, "empty: the file is empty", here);
  expect_refused({"attend", "--file", "empty/x"}, 1, "empty/x: cannot open: Not a directory", here);
}

TEST(Attend, GivesUpAFileWithoutAnEnd) {
  expect_refused({"attend", "--file", "/dev/zero"}, 1,
                 "/dev/zero: longer than 268435456 bytes, the most that is read");
}

TEST(Attend, NamesTheByteThatIsNotUtf8) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  const std::string message =
      "the text is not UTF-8: the byte 0xc3 at byte offset 4 does not begin a whole "
      "character";
  write_whole(folder / "half", "日a\xc3");
  write_whole(folder / "broken", "日a\xc3 and much more");
  expect_refused({"attend", "--file", "half"}, 1, "half: " + message, here);
  expect_refused({"attend", "--file", "broken"}, 1, "broken: " + message, here);
  expect_refused({"attend", "--text", "日a\xc3"}, 1, message);
}

TEST(Attend, ArgumentsThatAreNotUtf8AreShownSafely) {
  expect_refused({"attend", "--rng", "\xff\x1b[31m"}, 2,
                 "--rng is '\\xff\\x1b[31m', expected legacy or pcg64");
  expect_refused({"attend", "--\x1b[31m"}, 2, std::string("unrecognised option '--\\x1b[31m'") + kHint);
}

}  // namespace
}  // namespace wick::tools
