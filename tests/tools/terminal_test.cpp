// What a terminal shows: nothing wider than it is.

#include <sstream>

#include <gtest/gtest.h>

#include <wick/tests/tools/run_command.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void expect_fits(const std::vector<std::string>& arguments, int columns) {
  for (const std::string& line : lines_of(output_of(arguments, {.columns = columns}))) {
    EXPECT_LE(columns_of(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(Terminal, HelpFits) {
  for (const int columns : {40, 60, 80, 200}) {
    expect_fits({"--help"}, columns);
    expect_fits({"attend", "--help"}, columns);
    expect_fits({"diff", "--help"}, columns);
    expect_fits({"lesson", "--help"}, columns);
    expect_fits({"info", "--help"}, columns);
    expect_fits({"train", "--help"}, columns);
    expect_fits({"op", "--help"}, columns);
    for (const std::string command : {"list", "run", "check"})
      expect_fits({"op", command, "--help"}, columns);
  }
}

TEST(Terminal, HelpElsewhereIsEightyWide) {
  for (const std::string& line : lines_of(output_of({"attend", "--help"}))) EXPECT_LE(line.size(), 80U);
}

TEST(Terminal, TheTableIsCutIntoBlocksThatFit) {
  for (const int columns : {20, 21, 33, 40, 41, 80, 100, 107, 108, 1000}) {
    for (const std::string length : {"1", "5", "12"}) expect_fits({"attend", "--length", length}, columns);
    expect_fits({"attend", "--text", "日本語👍e\u0301\u00e9\t", "--length", "8"}, columns);
  }
}

TEST(Terminal, AWideTerminalShowsWhatAFileGets) {
  EXPECT_EQ(output_of({"attend"}, {.columns = 108}), output_of({"attend"}));
  EXPECT_NE(output_of({"attend"}, {.columns = 90}), output_of({"attend"}));
}

TEST(Terminal, EveryKeyStandsInOneBlock) {
  EXPECT_EQ(output_of({"attend", "--length", "3"}, {.columns = 20}),
            "attention weights: a\n"
            "row per query, a\n"
            "column per key; ->:\n"
            "attended most\n"
            "\n"
            "           0      1\n"
            "         't'    'h'\n"
            "0 't'  0.373  0.319\n"
            "1 'h'  0.353  0.328\n"
            "2 'e'  0.417  0.353\n"
            "\n"
            "           2\n"
            "         'e'\n"
            "0 't'  0.308\n"
            "1 'h'  0.320\n"
            "2 'e'  0.229\n"
            "\n"
            "0 't' -> 0 't'\n"
            "1 'h' -> 0 't'\n"
            "2 'e' -> 0 't'\n");
}

TEST(Terminal, OneTooNarrowForAKeyGetsOneKeyPerBlock) {
  const auto blocks = [](int columns) {
    const std::string text = output_of({"attend", "--length", "3"}, {.columns = columns});
    return text.substr(text.find("\n\n"));
  };
  EXPECT_EQ(blocks(13).find("'t'    'h'"), std::string::npos);
  for (const int columns : {1, 4, 5, 6, 12}) EXPECT_EQ(blocks(columns), blocks(13)) << columns;
}

TEST(Terminal, FormatsForProgramsAreNotCut) {
  for (const std::string format : {"json", "csv"}) {
    EXPECT_EQ(output_of({"attend", "--format", format}, {.columns = 40}),
              output_of({"attend", "--format", format}));
  }
}

TEST(ColumnsOf, CountsWhatATerminalShows) {
  EXPECT_EQ(columns_of(""), 0U);
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("é"), 1U);
  EXPECT_EQ(columns_of("日本"), 4U);
  EXPECT_EQ(columns_of("👍"), 2U);
  EXPECT_EQ(columns_of("e\u0301"), 1U);
  EXPECT_EQ(columns_of("\uFFFE"), 1U);
}

TEST(Wrapped, BreaksBetweenWords) {
  EXPECT_EQ(wrapped("", 10), "");
  EXPECT_EQ(wrapped("one two", 7), "one two");
  EXPECT_EQ(wrapped("one two", 6), "one\ntwo");
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("extraordinary", 4), "extraordinary");
  EXPECT_EQ(wrapped("a extraordinary b", 4), "a\nextraordinary\nb");
}

TEST(Wrapped, IndentsFurtherLines) {
  EXPECT_EQ(wrapped("one two three", 11, 4), "one two\n    three");
  EXPECT_EQ(wrapped("one two three", 10, 4), "one\n    two\n    three");
}

}  // namespace
}  // namespace wick::tools
