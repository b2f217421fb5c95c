#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/corpus.h>
#include <wick/models/tokenizer.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using Ids = std::vector<std::int64_t>;

Ids ids_of(const CharTokenizer& tokenizer, std::string_view text) {
  return tokenizer.encode(text).to_vector<std::int64_t>();
}

TEST(Tokenizer, IdsArePlacesInTheSortedSetOfCharacters) {
  const CharTokenizer tokenizer("banana");
  EXPECT_EQ(tokenizer.vocab_size(), 3);
  EXPECT_EQ(ids_of(tokenizer, "banana"), (Ids{1, 0, 2, 0, 2, 0}));
  EXPECT_EQ(tokenizer.encode("ban").shape(), Shape{3});
  EXPECT_EQ(tokenizer.encode("ban").dtype(), int64);
}

TEST(Tokenizer, GivesTheCoursesIds) {
  const CharTokenizer tokenizer(lantern_bay());
  EXPECT_EQ(ids_of(tokenizer, lantern_bay().substr(0, 12)), (Ids{19, 9, 6, 0, 12, 2, 13, 16, 0, 11, 6, 6}));
}

TEST(Tokenizer, DecodesWhatItEncoded) {
  for (const std::string& text :
       {lantern_bay(), std::string("ab\r\ncd"), std::string("\0a\0", 3), std::string("é日本👍e\u0301\u200b"),
        std::string("\xf4\x8f\xbf\xbf\x7f\xc2\x80")}) {
    const CharTokenizer tokenizer(text);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  }
}

TEST(Tokenizer, SortsByCodePoint) {
  // In UTF-16 an emoji, written with surrogates, would come before U+FFFD.
  const CharTokenizer tokenizer("👍\uFFFDéa\n");
  EXPECT_EQ(tokenizer.character(0), "\n");
  EXPECT_EQ(tokenizer.character(1), "a");
  EXPECT_EQ(tokenizer.character(2), "é");
  EXPECT_EQ(tokenizer.character(3), "\uFFFD");
  EXPECT_EQ(tokenizer.character(4), "👍");
}

TEST(Tokenizer, ALineEndOfWindowsIsTwoCharacters) {
  const CharTokenizer tokenizer("ab\r\ncd");
  EXPECT_EQ(tokenizer.vocab_size(), 6);
  EXPECT_EQ(ids_of(tokenizer, "ab\r\ncd"), (Ids{2, 3, 1, 0, 4, 5}));
}

TEST(Tokenizer, DoesNotJoinWhatUnicodeKeepsApart) {
  const CharTokenizer tokenizer("é");
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.encode("e\u0301"); }),
            "the character 'e' at offset 0 is not among the 1 of the vocabulary");
}

TEST(Tokenizer, NamesAnUnknownCharacterAndItsOffset) {
  const CharTokenizer tokenizer(lantern_bay());
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.encode("the z"); }),
            "the character 'z' at offset 4 is not among the 24 of the vocabulary");
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.encode("\r"); }),
            "the character '\\r' at offset 0 is not among the 24 of the vocabulary");
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.encode(std::string_view("a\0", 2)); }),
            "the character '\\x00' at offset 1 is not among the 24 of the vocabulary");
}

TEST(Tokenizer, CountsOffsetsInCharacters) {
  const CharTokenizer tokenizer("日本👍");
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.encode("日👍本語"); }),
            "the character '語' at offset 3 is not among the 3 of the vocabulary");
}

TEST(Tokenizer, RefusesTextThatIsNotUtf8) {
  const std::string half = "ab\xc3";
  const std::string message =
      "the text is not UTF-8: the byte 0xc3 at byte offset 2 does not begin a whole character";
  EXPECT_EQ(error_of<FormatError>([&] { CharTokenizer{half}; }), message);
  EXPECT_EQ(error_of<FormatError>([&] { CharTokenizer("ab").encode(half); }), message);
}

TEST(Tokenizer, AnEmptyTextHasNoVocabularyButHasIds) {
  EXPECT_EQ(error_of<ValueError>([] { CharTokenizer(""); }),
            "the text is empty: a vocabulary needs at least one character");
  EXPECT_EQ(CharTokenizer("a").encode("").shape(), Shape{0});
  EXPECT_EQ(CharTokenizer("a").decode(zeros({0}, int64)), "");
}

TEST(Tokenizer, DecodesIdsOfAnyShapeAndLayout) {
  const CharTokenizer tokenizer("abcd");
  const Tensor ids = tensor({{0, 1, 2}, {3, 0, 1}});
  for (const Layout& layout : layouts_of(ids)) {
    EXPECT_EQ(tokenizer.decode(layout.tensor), "abcdab") << layout.name;
  }
}

TEST(Tokenizer, RefusesIdsThatItDoesNotHave) {
  const CharTokenizer tokenizer(lantern_bay());
  EXPECT_EQ(error_of<IndexError>([&] { tokenizer.character(24); }),
            "no character has the id 24: ids lie in [0, 24)");
  EXPECT_EQ(error_of<IndexError>([&] {
              tokenizer.decode(tensor({0, -1}));
            }),
            "no character has the id -1: ids lie in [0, 24)");
  EXPECT_EQ(error_of<TypeError>([&] { tokenizer.decode(zeros({2}, float32)); }),
            "decode: ids is float32, expected int64");
}

}  // namespace
}  // namespace wick
