#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/models/gpt_file.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

const GptDescription kSmall{{.vocab_size = 3, .block_size = 8, .n_layer = 2, .n_head = 2, .n_embd = 4},
                            "\n ä"};

// As many numbers as a model of kSmall has in its matrices.
std::vector<NamedTensor> enough() {
  return {{"x", zeros({2 * 3 * 4 + 8 * 4, 1})}, {"y", zeros({2, 12, 4, 4})}};
}

using Metadata = std::map<std::string, std::string>;

TEST(GptFile, SaysWhatTheModelIs) {
  EXPECT_EQ(gpt_metadata(kSmall),
            (Metadata{{"format", "wick-gpt"},
                      {"config", R"({"vocab_size":3,"block_size":8,"n_layer":2,"n_head":2,"n_embd":4,)"
                                 R"("dropout":0.0,"bias":true})"},
                      {"vocabulary", "\n ä"}}));
}

TEST(GptFile, ComesBack) {
  GptDescription other = kSmall;
  other.config.dropout = 0.1;
  other.config.bias = false;
  for (const GptDescription& description : {kSmall, other}) {
    Metadata metadata = gpt_metadata(description);
    metadata["more"] = "of somebody else";
    EXPECT_EQ(gpt_description(metadata, enough(), "x"), description);
  }
}

std::string refusal(const std::string& key, const std::string& value) {
  Metadata metadata = gpt_metadata(kSmall);
  metadata[key] = value;
  return error_of<FormatError>([&] { gpt_description(metadata, enough(), "x"); });
}

std::string config_refusal(const std::string& field, const std::string& value) {
  std::string config = gpt_metadata(kSmall)["config"];
  const std::size_t at = config.find("\"" + field + "\":") + field.size() + 3;
  config.replace(at, config.find_first_of(",}", at) - at, value);
  return refusal("config", config);
}

TEST(GptFile, RefusesWhatIsNone) {
  for (const std::string key : {"format", "config", "vocabulary"}) {
    Metadata metadata = gpt_metadata(kSmall);
    metadata.erase(key);
    EXPECT_EQ(error_of<FormatError>([&] { gpt_description(metadata, enough(), "x"); }),
              "x: no GPT of wick: the metadata has no " + key);
  }
  EXPECT_EQ(refusal("format", "pt"), "x: no GPT of wick: its format is 'pt', expected 'wick-gpt'");
  for (const std::string text : {"", "[]", "1", "{", "{} x", "{\"a\":\xff}"}) {
    EXPECT_TRUE(refusal("config", text).starts_with("x: no GPT of wick: config is '")) << text;
  }
  EXPECT_EQ(refusal("config", "{}"), "x: no GPT of wick: config has no vocab_size");
  EXPECT_EQ(refusal("config", R"({"vocab_size":3,"vocab_size":4})"),
            "x: no GPT of wick: config has vocab_size twice");
  for (const std::string field : {"vocab_size", "block_size", "n_layer", "n_head", "n_embd"}) {
    for (const std::string value : {"0", "-1", "2.5", "\"4\"", "null", "18446744073709551615", "1e400"}) {
      EXPECT_TRUE(config_refusal(field, value).starts_with("x: no GPT of wick: config"))
          << field << " " << value << ": " << config_refusal(field, value);
    }
    EXPECT_EQ(config_refusal(field, "0"),
              "x: no GPT of wick: config: " + field + " is 0, expected 1 or more");
  }
  EXPECT_EQ(config_refusal("dropout", "\"0\""),
            "x: no GPT of wick: config: dropout is \"0\", expected a number");
  EXPECT_EQ(config_refusal("bias", "1"), "x: no GPT of wick: config: bias is 1, expected true or false");
  EXPECT_EQ(refusal("vocabulary", "ab"),
            "x: no GPT of wick: the vocabulary has 2 characters, expected vocab_size = 3");
  for (const std::string text : {"aab", "acb"}) {
    EXPECT_EQ(refusal("vocabulary", text),
              "x: no GPT of wick: the vocabulary's characters are not all different and in their order");
  }
  EXPECT_TRUE(
      refusal("vocabulary", "a\xff").starts_with("x: no GPT of wick: vocabulary: the text is not UTF-8"));
}

// As deep as a damaged or hostile file may have it, where to write it out would take more stack than there
// is.
TEST(GptFile, NestedConfigsAreNotWrittenOut) {
  constexpr std::size_t kDepth = 200'000;
  const std::string lists = std::string(kDepth, '[') + std::string(kDepth, ']');
  std::string objects;
  for (std::size_t i = 0; i < kDepth; ++i) objects += "{\"a\":";
  objects += "1" + std::string(kDepth, '}');
  const std::string none = "x: no GPT of wick: config: ";
  const auto with = [](const std::string& size, const std::string& dropout, const std::string& bias) {
    return refusal("config", R"({"vocab_size":3,"block_size":8,"n_layer":2,"n_head":2,"n_embd":)" + size +
                                 R"(,"dropout":)" + dropout + R"(,"bias":)" + bias + "}");
  };
  EXPECT_EQ(with(lists, "0", "true"), none + "n_embd is a list, expected 1 or more");
  EXPECT_EQ(with(objects, "0", "true"), none + "n_embd is an object, expected 1 or more");
  EXPECT_EQ(with("4", lists, "true"), none + "dropout is a list, expected a number");
  EXPECT_EQ(with("4", "0", objects), none + "bias is an object, expected true or false");
}

// Before anybody takes the memory.
TEST(GptFile, RefusesSizesThatTheFileCannotHave) {
  EXPECT_EQ(
      error_of<FormatError>([] {
        gpt_description(gpt_metadata(kSmall), {{"x", zeros({439})}}, "x");
      }),
      "x: no GPT of wick: a model of its config has more numbers than the 439 in the file: 440 or more, "
      "with vocab_size 3, block_size 8, n_layer 2, n_head 2, n_embd 4");
  for (const std::string field : {"block_size", "n_layer", "n_embd"}) {
    const std::string message = config_refusal(field, "4611686018427387904");
    EXPECT_TRUE(message.starts_with(
        "x: no GPT of wick: a model of its config has more numbers than the 440 in the file: "))
        << message;
    EXPECT_NE(message.find(field + " 4611686018427387904"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace wick
