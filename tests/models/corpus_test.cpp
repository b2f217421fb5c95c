#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <wick/models/corpus.h>
#include <wick/models/tokenizer.h>

namespace wick {
namespace {

TEST(Corpus, ThePassageIsTheCourses) {
  std::ifstream file(WICK_GOLDENS "/lantern_bay.txt", std::ios::binary);
  const std::string passage(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(lantern_bay_passage(), passage);
  EXPECT_EQ(passage.size(), 501U);
  EXPECT_EQ(passage.back(), ' ');
}

TEST(Corpus, IsThePassageTwentyTimesOver) {
  std::string expected;
  for (int i = 0; i < 20; ++i) expected += lantern_bay_passage();
  EXPECT_EQ(lantern_bay(), expected);
  EXPECT_EQ(expected.size(), 10020U);
}

TEST(Corpus, HasTwentyFourCharacters) {
  const CharTokenizer tokenizer(lantern_bay());
  std::string vocabulary;
  for (std::int64_t id = 0; id < tokenizer.vocab_size(); ++id) vocabulary += tokenizer.character(id);
  EXPECT_EQ(vocabulary, " .abcdefghiklmnoprstuvwy");
}

}  // namespace
}  // namespace wick
