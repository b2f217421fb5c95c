#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/graph.h>
#include <wick/framework/observer.h>
#include <wick/ops/reshape.h>
#include <wick/ops/testing/compare.h>
#include <wick/tests/tools/tiny_gpt.h>

namespace wick::tools {
namespace {

using Json = nlohmann::json;

std::vector<std::string> arguments_for(const TinyGpt& tiny, const std::string& text,
                                       const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"inspect", "--model", tiny.model(), "--text", text};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

// An object for each head.
std::vector<Json> inspect_json(const TinyGpt& tiny, const std::string& text,
                               std::vector<std::string> options = {}) {
  options.insert(options.end(), {"--format", "json"});
  std::istringstream lines(output_of(arguments_for(tiny, text, options)));
  std::vector<Json> heads;
  for (std::string line; std::getline(lines, line);) heads.push_back(Json::parse(line));
  return heads;
}

std::vector<std::string> names_of(const std::vector<Json>& heads) {
  std::vector<std::string> names;
  for (const Json& head : heads) names.push_back(head["name"]);
  return names;
}

std::string name_of(int layer, int head) {
  return "gpt.blocks." + std::to_string(layer) + ".attention.heads." + std::to_string(head);
}

TEST(Inspect, ShowsTheWeightsThatAnObserverSees) {
  for (const DType dtype : {float32, float64}) {
    const TinyGpt tiny(kSmallGpt, dtype);
    const std::string text = "the 日 lamp.";
    const Tensor ids = tiny.tokenizer.encode(text);
    const NoGrad no_grad;
    const Trace trace;
    tiny.gpt.forward(reshape(ids, {1, 11}));
    const std::vector<Json> heads = inspect_json(tiny, text);
    ASSERT_EQ(heads.size(), 6U);
    std::size_t number = 0;
    for (int layer = 0; layer < 2; ++layer) {
      for (int head = 0; head < 3; ++head) {
        const Json& json = heads[number++];
        EXPECT_EQ(json["name"], name_of(layer, head));
        EXPECT_EQ(json["text"], text);
        EXPECT_EQ(json["tokens"], Json({"t", "h", "e", " ", "日", " ", "l", "a", "m", "p", "."}));
        EXPECT_EQ(json["ids"].get<std::vector<std::int64_t>>(), ids.to_vector<std::int64_t>());
        const auto rows = json["weights"].get<std::vector<std::vector<double>>>();
        const auto argmax = json["argmax"].get<std::vector<std::size_t>>();
        const Tensor weights = trace[name_of(layer, head) + ".weights"];  // (1, T, T)
        ASSERT_EQ(rows.size(), 11U);
        for (std::size_t query = 0; query < 11; ++query) {
          ASSERT_EQ(rows[query].size(), 11U);
          double sum = 0;
          for (std::size_t key = 0; key < 11; ++key) {
            const double weight = rows[query][key];
            EXPECT_EQ(weight,
                      weights.at({0, static_cast<std::int64_t>(query), static_cast<std::int64_t>(key)}));
            if (key > query) {
              EXPECT_EQ(weight, 0);
            }
            EXPECT_GE(rows[query][argmax[query]], weight);
            sum += weight;
          }
          EXPECT_NEAR(sum, 1, dtype == float64 ? 1e-15 * 8 : 1e-6);
        }
      }
    }
  }
}

TEST(Inspect, LayerAndHeadLeaveOutTheOthers) {
  const TinyGpt tiny;
  const auto names = [&](const std::vector<std::string>& options) {
    return names_of(inspect_json(tiny, "the", options));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({"--layer", "1"}), (Names{name_of(1, 0), name_of(1, 1), name_of(1, 2)}));
  EXPECT_EQ(names({"--head", "2"}), (Names{name_of(0, 2), name_of(1, 2)}));
  EXPECT_EQ(names({"--layer", "1", "--head", "0"}), Names{name_of(1, 0)});
}

// A line of the table, as it has to be.
std::string row_of(const Json& head, std::size_t query) {
  const std::vector<std::string> labels{"0 't'", "1 'h'", "2 'e'"};
  std::string row = labels[query];
  for (const double weight : head["weights"][query].get<std::vector<double>>()) {
    char digits[16];
    std::snprintf(digits, sizeof(digits), "%7.3f", weight);
    row += digits;
  }
  return row + " -> " + labels[head["argmax"][query].get<std::size_t>()] + "\n";
}

TEST(Inspect, IsTheTableOfAttendForEachHead) {
  const TinyGpt tiny;
  std::string expected;
  for (const Json& head : inspect_json(tiny, "the")) {
    expected += (expected.empty() ? "" : "\n") + head["name"].get<std::string>() +
                ": a row per query, a column per key; ->: attended most\n"
                "\n"
                "           0      1      2\n"
                "         't'    'h'    'e'\n";
    for (std::size_t query = 0; query < 3; ++query) expected += row_of(head, query);
  }
  EXPECT_EQ(output_of(arguments_for(tiny, "the")), expected);
}

TEST(Inspect, TakesAWholeWindowAndOneCharacter) {
  const TinyGpt tiny;
  EXPECT_EQ(inspect_json(tiny, tiny.text(12)).size(), 6U);
  const Json one = inspect_json(tiny, "日", {"--layer", "0", "--head", "0"}).at(0);
  EXPECT_EQ(one["weights"], Json::parse("[[1.0]]"));
}

TEST(Inspect, ATextBeyondTheWindowNamesBothLengths) {
  const TinyGpt tiny;
  expect_refused(arguments_for(tiny, tiny.text(13)), 1,
                 "--text has 13 characters, expected block_size = 12 or fewer");
}

TEST(Inspect, SaysWhichLayersAndHeadsThereAre) {
  const TinyGpt tiny;
  expect_refused(arguments_for(tiny, "the", {"--layer", "2"}), 1,
                 "there is no layer 2: the model has 2 layers, counted from 0");
  expect_refused(arguments_for(tiny, "the", {"--layer", "0", "--head", "9223372036854775807"}), 1,
                 "there is no head 9223372036854775807: the model has 3 heads, counted from 0");
}

TEST(Inspect, NamesTheCharacterThatTheModelDoesNotKnow) {
  const TinyGpt tiny;
  expect_refused(arguments_for(tiny, "日the Lamp"), 1,
                 "--text: the character 'L' at offset 5 is not among the 11 of the vocabulary");
  expect_refused(arguments_for(tiny, "a\xc3"), 1,
                 "--text: the text is not UTF-8: the byte 0xc3 at byte offset 1 does not begin a whole "
                 "character");
}

TEST(Inspect, RefusesOptionsThatCannotBe) {
  for (const std::string option : {"layer", "head"}) {
    for (const std::string value : {"-1", "x", "0.5", ""}) {
      expect_refused(
          {"inspect", "--text", "a", "--" + option, value}, 2,
          "--" + option + " is '" + value + "', expected a whole number from 0 to 9223372036854775807");
    }
  }
  expect_refused({"inspect", "--text", "a", "--format", "csv"}, 2,
                 "--format is 'csv', expected table or json");
  expect_refused({"inspect"}, 2, "--text is missing; wick inspect --help tells the options");
  expect_refused({"inspect", "--text", ""}, 2, "--text is empty, expected at least one character");
}

TEST(Inspect, HelpNamesEveryOptionWithItsDefault) {
  const std::string help = output_of({"inspect", "--help"});
  for (const std::string option :
       {"--model DIR (=wick-model)", "--text TEXT ", "--layer L ", "--head H ", "--format FORMAT (=table)"}) {
    EXPECT_NE(help.find("\n  " + option), std::string::npos) << option << "\n" << help;
  }
}

}  // namespace
}  // namespace wick::tools
