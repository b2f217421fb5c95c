#include <sstream>
#include <sys/stat.h>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/makers.h>
#include <wick/framework/npy.h>
#include <wick/framework/print.h>
#include <wick/models/corpus.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/compare.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

using Json = nlohmann::json;

Json attend_json(std::vector<std::string> options, const Surroundings& around = {}) {
  options.insert(options.begin(), {"attend", "--format", "json"});
  return Json::parse(output_of(options, around));
}

Tensor weights_of(const Json& json) {
  std::vector<double> numbers;
  for (const auto& row : json["weights"]) {
    for (const auto& number : row) numbers.push_back(number.get<double>());
  }
  const auto count = static_cast<std::int64_t>(json["weights"].size());
  return from_vector(numbers, {1, count, count});
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

TEST(Attend, TheDefaultsAreLesson5) {
  const Json json = attend_json({});
  EXPECT_EQ(json["text"], "the lamp kee");
  EXPECT_EQ(json["tokens"], Json({"t", "h", "e", " ", "l", "a", "m", "p", " ", "k", "e", "e"}));
  EXPECT_EQ(json["ids"], Json({19, 9, 6, 0, 12, 2, 13, 16, 0, 11, 6, 6}));
  EXPECT_EQ(json["argmax"], Json({0, 4, 4, 9, 3, 9, 9, 6, 9, 7, 4, 4}));
  EXPECT_EQ(json.size(), 5U);
  EXPECT_LE(testing::relative_difference(weights_of(json), load_npy(WICK_GOLDENS "/lesson5/weights.npy")),
            1e-14);
}

TEST(Attend, WrittenOutTheDefaultsAreTheSame) {
  EXPECT_EQ(output_of({"attend"}),
            output_of({"attend",  "--text",   lantern_bay(), "--start",        "0",   "--length",
                       "12",      "--width",  "32",          "--head-size",    "16",  "--seed",
                       "42",      "--rng",    "legacy",      "--weight-scale", "0.1", "--dtype",
                       "float64", "--format", "table"}));
}

TEST(Attend, TheExercisesOfLesson5AreOptions) {
  const auto difference = [](const std::vector<std::string>& options, const std::string& folder) {
    const Tensor golden = load_npy(std::string(WICK_GOLDENS) + "/" + folder + "/weights.npy");
    return testing::relative_difference(weights_of(attend_json(options)), golden);
  };
  EXPECT_LE(difference({"--start", "100"}, "lesson5_exercise1"), 1e-14);
  EXPECT_LE(difference({"--causal"}, "lesson5_exercise2"), 1e-14);
  EXPECT_LE(difference({"--positions", "0.1"}, "lesson5_exercise3"), 1e-14);
  EXPECT_LE(difference({"--dtype", "float32"}, "lesson5"), 1e-6);
  EXPECT_GT(difference({"--dtype", "float32"}, "lesson5"), 0) << "float32 was asked for";
  EXPECT_GT(difference({"--rng", "pcg64"}, "lesson5"), 0.01);
}

TEST(Attend, EverySetGivesTheSameTable) {
  const std::string table = output_of({"attend"});
  for (const std::string& set : present_instruction_sets()) {
    EXPECT_EQ(output_of({"attend"}, {.environment = {{"WICK_ISA", set}}}), table) << set;
  }
}

TEST(Attend, TheTableHasTokensOnBothSidesAndTheArgmax) {
  EXPECT_EQ(output_of({"attend", "--length", "3", "--causal"}),
            "attention weights: a row per query, a column per key; ->: attended most\n"
            "\n"
            "           0      1      2\n"
            "         't'    'h'    'e'\n"
            "0 't'  1.000  0.000  0.000 -> 0 't'\n"
            "1 'h'  0.518  0.482  0.000 -> 0 't'\n"
            "2 'e'  0.417  0.353  0.229 -> 0 't'\n");
}

TEST(Attend, OneCharacterAttendsToItself) {
  EXPECT_EQ(output_of({"attend", "--text", "x", "--length", "1"}),
            "attention weights: a row per query, a column per key; ->: attended most\n"
            "\n"
            "           0\n"
            "         'x'\n"
            "0 'x'  1.000 -> 0 'x'\n");
}

TEST(Attend, TheTableEscapesWhatCannotBeSeen) {
  const std::string table = output_of({"attend", "--text", "\t\r\n\u200b", "--length", "4"});
  EXPECT_NE(table.find("\n                '\\t'      '\\r'      '\\n'  '\\u200b'\n"), std::string::npos)
      << table;
}

TEST(Attend, TheTableStandsStraightBesideWideCharacters) {
  const std::string table = output_of({"attend", "--text", "日a👍e\u0301", "--length", "5"});
  EXPECT_NE(table.find("\n            0      1      2      3      4\n"
                       "         '日'    'a'   '👍'    'e'     '\u0301'\n"
                       "0 '日' "),
            std::string::npos)
      << table;
}

TEST(Attend, CsvHasARowPerQuery) {
  const std::vector<std::string> lines = split(output_of({"attend", "--format", "csv"}), '\n');
  const Tensor weights = load_npy(WICK_GOLDENS "/lesson5/weights.npy");
  ASSERT_EQ(lines.size(), 13U);
  EXPECT_EQ(lines[0], "position,token,0,1,2,3,4,5,6,7,8,9,10,11,argmax");
  for (std::int64_t query = 0; query < 12; ++query) {
    const std::vector<std::string> fields = split(lines[static_cast<std::size_t>(query) + 1], ',');
    ASSERT_EQ(fields.size(), 15U);
    EXPECT_EQ(fields[0], std::to_string(query));
    EXPECT_EQ(fields[1], std::string(1, "the lamp kee"[query]));
    for (std::int64_t key = 0; key < 12; ++key) {
      EXPECT_NEAR(std::stod(fields[static_cast<std::size_t>(key) + 2]), weights.at({0, query, key}), 2e-15);
    }
  }
}

TEST(Attend, CsvAndJsonHoldTheSavedBits) {
  for (const std::string dtype : {"float32", "float64"}) {
    const TestFolder folder;
    const Json json = attend_json({"--dtype", dtype, "--save", folder / "saved"});
    const Tensor saved = load_npy(folder / "saved/head.weights.npy");
    EXPECT_TRUE(testing::same_bits(weights_of(json), saved.to(float64)));
    const std::string csv = output_of({"attend", "--dtype", dtype, "--format", "csv"});
    for (const double weight : saved.to_vector<double>()) {
      EXPECT_NE(csv.find("," + repr(weight) + ","), std::string::npos);
    }
  }
}

TEST(Attend, CsvQuotesAsRfc4180Says) {
  const std::string csv =
      output_of({"attend", "--text", "a,\"\r\n'", "--length", "6", "--format", "csv", "--weight-scale", "0"});
  const std::string sixth = "0.16666666666666666";
  std::string weights;
  for (int i = 0; i < 6; ++i) weights += "," + sixth;
  EXPECT_EQ(csv, "position,token,0,1,2,3,4,5,argmax\n0,a" + weights + ",0\n1,\",\"" + weights +
                     ",0\n2,\"\"\"\"" + weights + ",0\n3,\"\r\"" + weights + ",0\n4,\"\n\"" + weights +
                     ",0\n5,'" + weights + ",0\n");
}

TEST(Attend, JsonKeepsEveryCharacter) {
  const std::string text("\0\t\r\n\"\\\x7f\u200b日👍e\u0301", 20);
  const TestFolder folder;
  write_whole(folder / "text", text);
  const Json json = attend_json({"--file", folder / "text", "--length", "12"});
  EXPECT_EQ(json["text"].get<std::string>(), text);
  EXPECT_EQ(json["tokens"].size(), 12U);
  EXPECT_EQ(json["tokens"][0].get<std::string>(), std::string(1, '\0'));
  EXPECT_EQ(json["tokens"][9], "👍");
}

TEST(Attend, JsonHasNullWhereThereIsNoNumber) {
  const Json json = attend_json({"--weight-scale", "1e300", "--length", "2"});
  EXPECT_TRUE(json["weights"][0][0].is_null()) << json;
}

TEST(Attend, TheVocabularyIsOfTheWholeText) {
  // 'a' has the id 0 in "a", but 1 in " a".
  EXPECT_EQ(attend_json({"--text", "a ", "--length", "1"})["ids"], Json({1}));
  EXPECT_EQ(attend_json({"--text", "a", "--length", "1"})["ids"], Json::array({0}));
}

TEST(Attend, StartAndLengthCountCharacters) {
  EXPECT_EQ(attend_json({"--text", "日本語👍é", "--start", "2", "--length", "3"})["text"], "語👍é");
}

TEST(Attend, ReadsAFileAsItIs) {
  const TestFolder folder;
  write_whole(folder / "text", "\uFEFFab\r\ncd");
  EXPECT_EQ(attend_json({"--file", folder / "text", "--length", "7"})["text"], "\uFEFFab\r\ncd");
}

TEST(Attend, ReadsStandardInput) {
  EXPECT_EQ(attend_json({"--file", "/dev/stdin", "--length", "5"}, {.in = "wicks"})["text"], "wicks");
}

TEST(Attend, ReadsANamedPipe) {
  const TestFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(100000, 'x');
  std::thread writer([&] { write_whole(pipe, text); });
  EXPECT_EQ(attend_json({"--file", pipe, "--start", "99999", "--length", "1"})["text"], "x");
  writer.join();
}

TEST(Attend, TakesTheWholeText) {
  EXPECT_EQ(attend_json({"--text", "the whole", "--length", "9"})["text"], "the whole");
  EXPECT_EQ(attend_json({"--start", "10008"})["text"], "ts at dawn. ");
}

TEST(Attend, TakesALongPiece) {
  const std::vector<std::string> lines =
      split(output_of({"attend", "--length", "2000", "--dtype", "float32"}), '\n');
  EXPECT_EQ(lines.size(), 2004U);
}

TEST(Attend, TakesSizesOfOne) {
  EXPECT_EQ(attend_json({"--width", "1", "--head-size", "1", "--length", "2"})["ids"], Json({19, 9}));
}

}  // namespace
}  // namespace wick::tools
