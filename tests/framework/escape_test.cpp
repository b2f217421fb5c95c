#include <string>

#include <gtest/gtest.h>

#include <wick/framework/escape.h>

namespace wick {
namespace {

TEST(Escape, LeavesTextAlone) {
  for (const std::string text :
       {"", "x.npy", "with 'quotes' and \\", "\u00e9\u0434\u2026\U0001f56f", "\u00a0"}) {
    EXPECT_EQ(escaped(text), text);
  }
}

TEST(Escape, ShowsControls) {
  EXPECT_EQ(escaped("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(escaped(std::string("\0\x01\x1b[31m\x1f\x7f", 9)), "\\x00\\x01\\x1b[31m\\x1f\\x7f");
  EXPECT_EQ(escaped("\u0080\u0085\u009f"), "\\xc2\\x80\\xc2\\x85\\xc2\\x9f");
  EXPECT_EQ(escaped("\u2028\u2029"), "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
}

TEST(Escape, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("\xff"), "\\xff");
  EXPECT_EQ(escaped("a\x80z"), "a\\x80z");
  EXPECT_EQ(escaped("\xc3"), "\\xc3");                             // cut short
  EXPECT_EQ(escaped("\xe2\x80z"), "\\xe2\\x80z");                  // so too
  EXPECT_EQ(escaped("\xc0\xaf"), "\\xc0\\xaf");                    // overlong, two bytes
  EXPECT_EQ(escaped("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");           // three
  EXPECT_EQ(escaped("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf");  // four
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last
  EXPECT_EQ(escaped("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");  // no first byte
  EXPECT_EQ(escaped("\xf4\x8f\xbf\xbd"), "\xf4\x8f\xbf\xbd");      // within
}

}  // namespace
}  // namespace wick
