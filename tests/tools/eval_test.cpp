#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/models/corpus.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/tests/tools/tiny_gpt.h>

namespace wick::tools {
namespace {

using Json = nlohmann::json;

struct Expected {
  double nats = 0;
  std::int64_t windows = 0;
  std::int64_t predictions = 0;
};

// Window by window, in float64: the mean of -ln of what was given to the character that came.
Expected evaluated(const TinyGpt& tiny, const std::string& text, std::int64_t stride) {
  const Tensor ids = tiny.tokenizer.encode(text);
  const std::int64_t T = tiny.gpt.config().block_size;
  Expected expected;
  for (std::int64_t start = 0; start + T < ids.numel(); start += stride) {
    const Tensor logits = tiny.gpt.forward(reshape(slice(ids, 0, start, start + T), {1, T}));  // (1, T, V)
    for (std::int64_t t = 0; t < T; ++t) {
      double sum = 0;
      for (std::int64_t id = 0; id < logits.size(2); ++id) sum += std::exp(logits.at({0, t, id}));
      const auto next = static_cast<std::int64_t>(ids.at({start + t + 1}));
      expected.nats += std::log(sum) - logits.at({0, t, next});
      ++expected.predictions;
    }
    ++expected.windows;
  }
  expected.nats /= static_cast<double>(expected.predictions);
  return expected;
}

// `wick eval` of a text with a model, and these options besides.
std::vector<std::string> arguments_for(const TinyGpt& tiny, const std::string& text,
                                       const std::vector<std::string>& options = {}) {
  write_whole(tiny.folder / "text", text);
  std::vector<std::string> arguments{"eval", "--model", tiny.model(), "--file", tiny.folder / "text"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

Json eval_json(const TinyGpt& tiny, const std::string& text, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"--format", "json"});
  return Json::parse(output_of(arguments_for(tiny, text, options)));
}

TEST(Eval, IsTheMeanOverEveryPositionOfEveryWindow) {
  for (const DType dtype : {float32, float64}) {
    const TinyGpt tiny(kSmallGpt, dtype);
    const std::string text = tiny.text(40);
    for (const std::int64_t stride : {1, 3, 27, 28, 1000}) {
      const Expected expected = evaluated(tiny, text, stride);
      const Json json = eval_json(tiny, text, {"--stride", std::to_string(stride)});
      EXPECT_NEAR(json["nats"].get<double>(), expected.nats, dtype == float64 ? 1e-14 : 1e-6) << stride;
      EXPECT_EQ(json["windows"], expected.windows);
      EXPECT_EQ(json["predictions"], expected.predictions);
      EXPECT_EQ(json["block_size"], 12);
      EXPECT_EQ(json["stride"], stride);
      EXPECT_EQ(json.size(), 5U);
    }
  }
}

TEST(Eval, IsTheMeanOverMoreThanOneBatchOfWindows) {
  const TinyGpt tiny(kSmallGpt, float64);
  const std::string text = tiny.text(400);
  const Expected expected = evaluated(tiny, text, 1);
  const Json json = eval_json(tiny, text);
  EXPECT_NEAR(json["nats"].get<double>(), expected.nats, 1e-13);
  EXPECT_EQ(json["windows"], 388);
  EXPECT_EQ(json["predictions"], 388 * 12);
}

TEST(Eval, TheTableHasWhatTheJsonHas) {
  const TinyGpt tiny;
  const std::string text = tiny.text(40);
  char nats[32];
  std::snprintf(nats, sizeof(nats), "%.6f", eval_json(tiny, text)["nats"].get<double>());
  EXPECT_EQ(output_of(arguments_for(tiny, text)),
            "nats a character  " + std::string(nats) +
                "\nwindows           28 of 12 characters, one every character\npredictions       336\n");
  EXPECT_NE(output_of(arguments_for(tiny, text, {"--stride", "5"}))
                .find("\nwindows           6 of 12 characters, one every 5 characters\n"),
            std::string::npos);
}

TEST(Eval, OneWindowIsEnough) {
  const TinyGpt tiny;
  EXPECT_EQ(eval_json(tiny, tiny.text(13))["windows"], 1);
}

// A model of the course's corpus.
class LanternBay : public TinyGpt {
 public:
  LanternBay()
      : TinyGpt({.vocab_size = 24, .block_size = 64, .n_layer = 1, .n_head = 1, .n_embd = 2}, float32,
                " .abcdefghiklmnoprstuvwy") {}
};

TEST(Eval, OneWholePeriodOfTheCorpusIs501Windows) {
  const LanternBay tiny;
  const std::string passage(lantern_bay_passage());
  const Json json = eval_json(tiny, passage + passage.substr(0, 64));
  EXPECT_EQ(json["windows"], 501);
  EXPECT_EQ(json["predictions"], 501 * 64);
  EXPECT_EQ(Json::parse(output_of({"eval", "--model", tiny.model(), "--length", "565", "--format", "json"})),
            json);
}

TEST(Eval, ThePieceIsOfTheTextOrOfTheCorpus) {
  const TinyGpt tiny;
  const std::string text = tiny.text(40);
  const auto after = [&](std::int64_t count) {
    return tiny.tokenizer.decode(slice(tiny.tokenizer.encode(text), 0, count, 40));
  };
  EXPECT_EQ(eval_json(tiny, text, {"--start", "7"}), eval_json(tiny, after(7)));
  EXPECT_EQ(eval_json(tiny, text, {"--start", "7", "--length", "33"}), eval_json(tiny, after(7)));
  EXPECT_EQ(eval_json(tiny, text, {"--length", "13"})["windows"], 1);

  const LanternBay bay;
  const Json all =
      Json::parse(output_of({"eval", "--model", bay.model(), "--stride", "100", "--format", "json"}));
  EXPECT_EQ(all, eval_json(bay, lantern_bay(), {"--stride", "100"}));
}

TEST(Eval, HasTheSameBitsAtAnyNumberOfThreads) {
  const TinyGpt tiny;
  const std::string text = tiny.text(400);
  const Json expected = eval_json(tiny, text, {"--threads", "1"});
  for (const std::string threads : {"2", "3"}) {
    EXPECT_EQ(eval_json(tiny, text, {"--threads", threads}), expected) << threads;
  }
  EXPECT_EQ(eval_json(tiny, text), expected);
}

TEST(Eval, DropsNothing) {
  GptConfig config = kSmallGpt;
  config.dropout = 0.5;
  const TinyGpt tiny(config);
  const std::string text = tiny.text(40);
  EXPECT_NEAR(eval_json(tiny, text)["nats"].get<double>(), evaluated(tiny, text, 1).nats, 1e-6);
}

TEST(Eval, LooksForTheModelWhereTrainWritesIt) {
  const TinyGpt tiny;
  write_whole(tiny.folder / "text", tiny.text(40));
  std::filesystem::rename(tiny.model(), tiny.folder / "wick-model");
  EXPECT_NE(output_of({"eval", "--file", "text"}, {.folder = tiny.folder.path()}), "");
}

TEST(Eval, ATextWithoutAWindowNamesBothLengths) {
  const TinyGpt tiny;
  const Surroundings here{.folder = tiny.folder.path()};
  write_whole(tiny.folder / "short", tiny.text(12));
  expect_refused({"eval", "--model", "model", "--file", "short"}, 1,
                 "short has 12 characters, expected block_size + 1 = 13 or more", here);
  write_whole(tiny.folder / "long", tiny.text(30));
  expect_refused({"eval", "--model", "model", "--file", "long", "--start", "20"}, 1,
                 "the piece of long has 10 characters, expected block_size + 1 = 13 or more", here);
  expect_refused({"eval", "--model", "model", "--file", "long", "--start", "20", "--length", "11"}, 1,
                 "start 20 and length 11 reach beyond the text, which has 30 characters", here);
  expect_refused({"eval", "--model", "model", "--file", "long", "--start", "31"}, 1,
                 "start 31 and length 0 reach beyond the text, which has 30 characters", here);
  expect_refused({"eval", "--model", "model"}, 1,
                 "Lantern Bay: the character 'r' at offset 14 is not among the 11 of the vocabulary", here);
}

TEST(Eval, NamesAFileThatItCannotUse) {
  const TinyGpt tiny;
  const Surroundings here{.folder = tiny.folder.path()};
  const auto refused = [&](const std::string& message) {
    expect_refused({"eval", "--model", "model", "--file", "te\nxt"}, 1, "te\\nxt: " + message, here);
  };
  refused("cannot open: No such file or directory");
  write_whole(tiny.folder / "te\nxt", "");
  refused("the file is empty");
  write_whole(tiny.folder / "te\nxt", "a\xff");
  refused("the text is not UTF-8: the byte 0xff at byte offset 1 does not begin a whole character");
  write_whole(tiny.folder / "te\nxt", "the 日 lamq");
  refused("the character 'q' at offset 9 is not among the 11 of the vocabulary");
}

TEST(Eval, RefusesOptionsThatCannotBe) {
  const auto refused = [](const std::string& option, const std::string& value, const std::string& expected) {
    expect_refused({"eval", "--file", "x", "--" + option, value}, 2,
                   "--" + option + " is '" + value + "', expected " + expected);
  };
  for (const std::string value : {"0", "-1", "x", "1.5", ""}) {
    refused("stride", value, "a whole number from 1 to 9223372036854775807");
    refused("threads", value, "a whole number from 1 to 1024");
  }
  refused("format", "csv", "table or json");
  refused("start", "-1", "a whole number from 0 to 9223372036854775807");
  refused("length", "0", "a whole number from 1 to 9223372036854775807");
  expect_refused({"eval", "--file", ""}, 2, "--file is empty, expected a file");
  expect_refused({"eval", "x"}, 2, "unexpected argument 'x'; wick eval --help tells the options");
}

TEST(Eval, HelpNamesEveryOptionWithItsDefault) {
  const std::string help = output_of({"eval", "--help"});
  for (const std::string option :
       {"--model DIR (=wick-model)", "--file FILE ", "--start N (=0)", "--length N ", "--stride N (=1)",
        "--threads N ", "--format FORMAT (=table)"}) {
    EXPECT_NE(help.find("\n  " + option), std::string::npos) << option << "\n" << help;
  }
}

}  // namespace
}  // namespace wick::tools
