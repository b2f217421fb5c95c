#include <sstream>

#include <gtest/gtest.h>

#include <wick/tools/options.h>

namespace wick::tools {
namespace {

using Words = std::vector<std::string>;

struct Lists {
  Words in;
  std::string name;
};

// A command of two positionals, of which the second may be left out, with a list and a switch.
Lists parsed(const Words& arguments) {
  Options options("wick try", "NAME [FILE] [options]", "");
  options.add_positional("name");
  options.add_positional("file");
  options.add_list("in", "FILE", "files");
  options.add_switch("fast", "faster");
  std::ostringstream out;
  EXPECT_TRUE(options.parse(arguments, out));
  return {options.texts("in"), options.argument("name", "a name")};
}

std::string refusal(const Words& arguments) {
  try {
    parsed(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, AListTakesValuesTogetherOrOneByOne) {
  for (const Words& arguments :
       {Words{"softmax", "--in", "a", "b", "c"}, Words{"softmax", "--in", "a", "--in", "b", "--in", "c"},
        Words{"softmax", "--in", "a", "b", "--in=c"},
        Words{"--in", "a", "b", "--fast", "--in", "c", "--", "softmax"},
        Words{"--fast", "softmax", "--in", "a", "b", "c"}}) {
    const Lists lists = parsed(arguments);
    EXPECT_EQ(lists.in, (Words{"a", "b", "c"}));
    EXPECT_EQ(lists.name, "softmax");
  }
}

TEST(Options, AListThatIsNotGivenIsEmpty) { EXPECT_EQ(parsed({"softmax"}).in, Words{}); }

TEST(Options, AListWithoutValuesIsRefused) {
  EXPECT_EQ(refusal({"softmax", "--in"}),
            "the required argument for option '--in' is missing; wick try --help tells the options");
}

TEST(Options, AListDoesNotBeginWithAnotherOption) {
  EXPECT_EQ(refusal({"softmax", "--in", "--fast"}),
            "the required argument for option '--in' is missing; '--fast' is an option; wick try --help "
            "tells the options");
  EXPECT_EQ(parsed({"softmax", "--in=--fast", "--in", "a", "--fast"}).in, (Words{"--fast", "a"}));
}

TEST(Options, APositionalThatHasToBeThereIsNamed) {
  for (const Words& arguments : {Words{}, Words{""}, Words{"--in", "a"}}) {
    EXPECT_EQ(refusal(arguments), "a name is missing; wick try --help tells the options");
  }
}

TEST(Options, PositionalsBeyondTheDeclaredAreRefused) {
  EXPECT_EQ(refusal({"a", "b", "c"}), "unexpected argument 'c'; wick try --help tells the options");
}

}  // namespace
}  // namespace wick::tools
