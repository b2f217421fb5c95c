#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include <wick/framework/error.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

// Made by Python 3.11: print(repr(text)).
const std::vector<std::pair<std::string, std::string>> kPythonsRepr{
    {"", "''"},
    {"a", "'a'"},
    {"the lamp", "'the lamp'"},
    {"it's", "\"it's\""},
    {"say \"hi\"", "'say \"hi\"'"},
    {"it's \"both\"", "'it\\'s \"both\"'"},
    {"\\", "'\\\\'"},
    {"a\\'b", "\"a\\\\'b\""},
    {"'", "\"'\""},
    {"\"", "'\"'"},
    {"''\"\"", "'\\'\\'\"\"'"},
    {"\t\n\r", "'\\t\\n\\r'"},
    {std::string("\0", 1), "'\\x00'"},
    {"\001\037\177", "'\\x01\\x1f\\x7f'"},
    {"\u0080\u009f", "'\\x80\\x9f'"},
    {"\u00a0\u00a1\u00ac\u00ad\u00ae", "'\\xa0\u00a1\u00ac\\xad\u00ae'"},
    {"é", "'é'"},
    {"ÿ", "'ÿ'"},
    {"\u0300\u0301e\u0301", "'\u0300\u0301e\u0301'"},
    {"\u0600\u0606\u061c\u06dd\u06de\u070f\u0890\u08e2",
     "'\\u0600\u0606\\u061c\\u06dd\u06de\\u070f\\u0890\\u08e2'"},
    {"\u1680\u180e\u2000\u200a\u200b\u200f\u2010\u2028\u2029\u202f\u2030",
     "'\\u1680\\u180e\\u2000\\u200a\\u200b\\u200f\u2010\\u2028\\u2029\\u202f\u2030'"},
    {"\u205f\u2060\u2064\u2066\u206f\u2070", "'\\u205f\\u2060\\u2064\\u2066\\u206f\u2070'"},
    {"\u3000\u3001", "'\\u3000\u3001'"},
    {"日本語", "'日本語'"},
    {"\ue000\uf8ff\uf900", "'\\ue000\\uf8ff\uf900'"},
    {"\ufe0f\ufeff\ufff9\ufffb\ufffc\ufffd\uffff", "'\ufe0f\\ufeff\\ufff9\\ufffb\ufffc\ufffd\\uffff'"},
    {"\U0001f44d", "'\U0001f44d'"},
    {"\U0001f469\u200d\U0001f680", "'\U0001f469\\u200d\U0001f680'"},
    {"\U000110bd\U000110be\U000110cd", "'\\U000110bd\U000110be\\U000110cd'"},
    {"\U00013430\U0001bca0\U0001d173\U0001d17a\U0001d17b",
     "'\\U00013430\\U0001bca0\\U0001d173\\U0001d17a\U0001d17b'"},
    {"\U000e0001\U000e0041\U000e0100\U000e01ef", "'\\U000e0001\\U000e0041\U000e0100\U000e01ef'"},
    {"\U000f0000\U0010fffd", "'\\U000f0000\\U0010fffd'"},
    {"שלום", "'שלום'"},
    {"مرحبا", "'مرحبا'"},
    {"नमस\u094dत\u0947", "'नमस\u094dत\u0947'"},
};

TEST(Repr, IsPythons) {
  for (const auto& [text, expected] : kPythonsRepr) EXPECT_EQ(repr(text), expected);
}

TEST(Repr, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(repr("\xff"), "'\\xff'");
  EXPECT_EQ(repr("a\xc3(\x80"), "'a\\xc3(\\x80'");
  EXPECT_EQ(repr("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");
  EXPECT_EQ(repr("caf\xc3"), "'caf\\xc3'");
}

TEST(Utf8, GivesCodePoints) {
  EXPECT_EQ(decode_utf8("aé日👍"), (std::vector<char32_t>{'a', 0xe9, 0x65e5, 0x1f44d}));
  EXPECT_EQ(decode_utf8(std::string_view("\0", 1)), std::vector<char32_t>{0});
  EXPECT_TRUE(decode_utf8("").empty());
}

TEST(Utf8, ReadsAndWritesTheFirstAndLastOfEachLength) {
  const std::vector<std::pair<char32_t, std::string>> ends{{0x01, "\x01"},
                                                           {0x7f, "\x7f"},
                                                           {0x80, "\xc2\x80"},
                                                           {0x7ff, "\xdf\xbf"},
                                                           {0x800, "\xe0\xa0\x80"},
                                                           {0xd7ff, "\xed\x9f\xbf"},
                                                           {0xe000, "\xee\x80\x80"},
                                                           {0xffff, "\xef\xbf\xbf"},
                                                           {0x10000, "\xf0\x90\x80\x80"},
                                                           {0x10ffff, "\xf4\x8f\xbf\xbf"}};
  for (const auto& [code_point, text] : ends) {
    EXPECT_EQ(decode_utf8(text), std::vector<char32_t>{code_point});
    EXPECT_EQ(encode_utf8(code_point), text);
  }
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t code_point = 0; code_point <= 0x10ffff; ++code_point) {
    if (code_point == 0xd800) code_point = 0xe000;
    ASSERT_EQ(decode_utf8(encode_utf8(code_point)), std::vector<char32_t>{code_point});
  }
}

TEST(Utf8, RefusesEveryDamageWithItsByteAndOffset) {
  const std::vector<std::string> damaged{
      "\x80",                      // a continuation without a beginning
      "\xbf\x80",                  //
      "\xc3",                      // cut short: of two, three and four bytes
      "\xe6\x97",                  //
      "\xe6",                      //
      "\xf0\x9f\x91",              //
      "\xf0\x9f",                  //
      "\xf0",                      //
      "\xc3(",                     // broken off by another character
      "\xe6\x97(",                 //
      "\xf0\x9f\x91(",             //
      "\xe6\xc3\xa9",              //
      "\xc0\x80",                  // overlong: of two, three and four bytes
      "\xc1\xbf",                  //
      "\xe0\x80\x80",              //
      "\xe0\x9f\xbf",              //
      "\xf0\x80\x80\x80",          //
      "\xf0\x8f\xbf\xbf",          //
      "\xed\xa0\x80",              // surrogates, first and last
      "\xed\xbf\xbf",              //
      "\xed\xa0\xbd\xed\xb1\x8d",  //
      "\xf4\x90\x80\x80",          // beyond U+10FFFF
      "\xf5\x80\x80\x80",          //
      "\xf8\x88\x80\x80\x80",      // five bytes, and six
      "\xfc\x84\x80\x80\x80\x80",  //
      "\xfe",                      // never in UTF-8
      "\xff",                      //
  };
  for (const std::string& bytes : damaged) {
    const std::string shown = repr(bytes.substr(0, 1));
    const std::string byte = "0x" + shown.substr(3, 2);
    EXPECT_EQ(
        error_of<FormatError>([&] { decode_utf8("é" + bytes); }),
        "the text is not UTF-8: the byte " + byte + " at byte offset 2 does not begin a whole character")
        << repr(bytes);
  }
}

TEST(Utf8, DamageIsFoundWhateverFollows) {
  EXPECT_EQ(error_of<FormatError>([] { decode_utf8("ab\xc3 and more"); }),
            "the text is not UTF-8: the byte 0xc3 at byte offset 2 does not begin a whole character");
}

TEST(Escaped, LeavesTextAlone) {
  for (const std::string text :
       {"", "x.npy", "with 'quotes' and \\", "\u00e9\u0434\u2026\U0001f56f", "\u00a0"}) {
    EXPECT_EQ(escaped(text), text);
  }
}

TEST(Escaped, ShowsControls) {
  EXPECT_EQ(escaped("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(escaped(std::string("\0\x01\x1b[31m\x1f\x7f", 9)), "\\x00\\x01\\x1b[31m\\x1f\\x7f");
  EXPECT_EQ(escaped("\u0080\u0085\u009f"), "\\xc2\\x80\\xc2\\x85\\xc2\\x9f");
  EXPECT_EQ(escaped("\u2028\u2029"), "\\xe2\\x80\\xa8\\xe2\\x80\\xa9");
}

TEST(Escaped, ShowsBytesThatAreNotUtf8) {
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

TEST(Counted, TakesAnSUnlessOne) {
  EXPECT_EQ(counted(0, "byte"), "0 bytes");
  EXPECT_EQ(counted(1, "byte"), "1 byte");
  EXPECT_EQ(counted(12, "byte"), "12 bytes");
}

}  // namespace
}  // namespace wick
