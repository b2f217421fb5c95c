#include <limits>

#include <gtest/gtest.h>

#include <wick/models/generate.h>
#include <wick/tests/tools/tiny_gpt.h>

namespace wick::tools {
namespace {

std::vector<std::string> arguments_for(const TinyGpt& tiny, const std::string& prompt,
                                       const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"sample", "--model", tiny.model(), "--prompt", prompt};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

std::string generated(const TinyGpt& tiny, const std::string& prompt, const GenerateOptions& options,
                      std::uint64_t seed) {
  const Tensor added = generate(tiny.gpt, tiny.tokenizer.encode(prompt), options, *default_rng(seed));
  return prompt + tiny.tokenizer.decode(added) + "\n";
}

TEST(Sample, IsThePromptAndWhatTheModelAdds) {
  for (const DType dtype : {float32, float64}) {
    const TinyGpt tiny(kSmallGpt, dtype);
    EXPECT_EQ(output_of(arguments_for(tiny, "the lamp")),
              generated(tiny, "the lamp", {.tokens = 200, .sampling = {.temperature = 0.8}}, 1));
    EXPECT_EQ(output_of(arguments_for(
                  tiny, "日", {"--tokens", "50", "--temperature", "1.5", "--top-k", "3", "--seed", "7"})),
              generated(tiny, "日", {.tokens = 50, .sampling = {.temperature = 1.5, .top_k = 3}}, 7));
    EXPECT_EQ(output_of(arguments_for(tiny, "t", {"--temperature", "0"})),
              generated(tiny, "t", {.tokens = 200, .sampling = {.temperature = 0}}, 1));
  }
}

TEST(Sample, IsTheSameTextWithTheCacheAndWithoutBeyondTheWindowToo) {
  const TinyGpt tiny;
  for (const std::int64_t length : {1, 12, 13, 100}) {
    const std::string prompt = tiny.text(length);
    const std::string cached = output_of(arguments_for(tiny, prompt));
    EXPECT_EQ(output_of(arguments_for(tiny, prompt, {"--no-cache"})), cached);
    EXPECT_EQ(cached, generated(tiny, prompt, {.tokens = 200, .sampling = {.temperature = 0.8}}, 1));
  }
}

TEST(Sample, TheSeedMakesTheText) {
  const TinyGpt tiny;
  EXPECT_EQ(output_of(arguments_for(tiny, "a")), output_of(arguments_for(tiny, "a", {"--seed", "1"})));
  EXPECT_NE(output_of(arguments_for(tiny, "a")), output_of(arguments_for(tiny, "a", {"--seed", "2"})));
  output_of(arguments_for(tiny, "a", {"--seed", "18446744073709551615", "--tokens", "1"}));
}

TEST(Sample, DropsNothing) {
  GptConfig config = kSmallGpt;
  config.dropout = 0.5;
  const TinyGpt tiny(config);
  EXPECT_EQ(output_of(arguments_for(tiny, "the lamp")),
            generated(tiny, "the lamp", {.tokens = 200, .sampling = {.temperature = 0.8}}, 1));
}

// So many characters would take longer than a test is given: it ends because every one is written at once,
// and the first finds that nobody reads.
TEST(Sample, EndsWhereTheReaderHasGone) {
  const TinyGpt tiny;
  const std::vector<std::string> endless = arguments_for(tiny, "the lamp", {"--tokens", "10000000"});
  const Outcome outcome = run_wick(endless, {.ignores_sigpipe = true, .out_is_closed_pipe = true});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const Outcome signaled = run_wick(endless, {.out_is_closed_pipe = true});
  EXPECT_EQ(signaled.exit_code, -SIGPIPE);
  EXPECT_EQ(signaled.err, "");
}

TEST(Sample, EndsWhereTheDiskIsFull) {
  const TinyGpt tiny;
  const Outcome outcome =
      run_wick(arguments_for(tiny, "the lamp", {"--tokens", "10000000"}), {.out_path = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "wick: standard output: write failed: No space left on device\n");
}

TEST(Sample, AModelThatHasNoNextCharacterPrintsNothing) {
  TinyGpt tiny;
  tiny.gpt.parameter("final_norm.bias").fill(std::numeric_limits<double>::quiet_NaN());
  save_model(tiny.file(), tiny.gpt, gpt_metadata({tiny.gpt.config(), kTinyVocabulary}));
  expect_refused(arguments_for(tiny, "the"), 1, "sample: the logit of id 0 is nan, expected finite numbers");
}

TEST(Sample, NamesTheCharacterThatTheModelDoesNotKnow) {
  const TinyGpt tiny;
  expect_refused(arguments_for(tiny, "日the Lamp"), 1,
                 "--prompt: the character 'L' at offset 5 is not among the 11 of the vocabulary");
  expect_refused(arguments_for(tiny, "a\n"), 1,
                 "--prompt: the character '\\n' at offset 1 is not among the 11 of the vocabulary");
  expect_refused(arguments_for(tiny, "a\xc3"), 1,
                 "--prompt: the text is not UTF-8: the byte 0xc3 at byte offset 1 does not begin a whole "
                 "character");
}

TEST(Sample, RefusesOptionsThatCannotBe) {
  const auto refused = [](const std::string& option, const std::string& value, const std::string& expected) {
    expect_refused({"sample", "--prompt", "a", "--" + option, value}, 2,
                   "--" + option + " is '" + value + "', expected " + expected);
  };
  for (const std::string value : {"0", "-1", "x", "1.5", ""}) {
    refused("tokens", value, "a whole number from 1 to 10000000");
    refused("top-k", value, "a whole number from 1 to 9223372036854775807");
  }
  for (const std::string value : {"-0.5", "nan", "inf", "x", ""}) {
    refused("temperature", value, "a finite number from 0 on, such as 1e-5");
  }
  refused("seed", "-1", "a whole number from 0 to 18446744073709551615");
  expect_refused({"sample"}, 2, "--prompt is missing; wick sample --help tells the options");
  expect_refused({"sample", "--prompt", ""}, 2, "--prompt is empty, expected at least one character");
  expect_refused({"sample", "the lamp"}, 2,
                 "unexpected argument 'the lamp'; wick sample --help tells the options");
}

TEST(Sample, HelpNamesEveryOptionWithItsDefault) {
  const std::string help = output_of({"sample", "--help"});
  for (const std::string option : {"--model DIR (=wick-model)", "--prompt TEXT ", "--tokens N (=200)",
                                   "--temperature X (=0.8)", "--top-k K ", "--seed N (=1)", "--no-cache "}) {
    EXPECT_NE(help.find("\n  " + option), std::string::npos) << option << "\n" << help;
  }
}

}  // namespace
}  // namespace wick::tools
