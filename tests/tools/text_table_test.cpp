#include <gtest/gtest.h>

#include <wick/tools/shell.h>
#include <wick/tools/text_table.h>

namespace wick::tools {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_EQ(text_table({{"op", "n", "what"}, {"softmax", "7", ""}, {"日本", "123", "x"}},
                       {Align::left, Align::right, Align::left}),
            "op         n  what\n"
            "softmax    7\n"
            "日本     123  x\n");
}

TEST(ShellQuoted, WordsThatNeedNoQuotesHaveNone) {
  for (const std::string word : {"softmax", "a-b_c.d", "/usr/bin/x", "0,2,1", "3x5@5x3"})
    EXPECT_EQ(shell_quoted(word), word);
}

TEST(ShellQuoted, AllOthersStandInSingleQuotes) {
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("rows of 17"), "'rows of 17'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  for (const std::string word : {"a*", "~", "$x", "a;b", "#x", "a\nb", "a\\b", "é", "!x", "a b", "x=~"})
    EXPECT_EQ(shell_quoted(word), "'" + word + "'");
}

}  // namespace
}  // namespace wick::tools
