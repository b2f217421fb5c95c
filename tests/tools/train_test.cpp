// What a run of `wick train` prints and leaves.

#include <cmath>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/framework/safetensors.h>
#include <wick/models/corpus.h>
#include <wick/models/gpt.h>
#include <wick/models/gpt_file.h>
#include <wick/models/tokenizer.h>
#include <wick/tests/tools/training.h>

namespace wick::tools {
namespace {

using Names = std::vector<std::string>;

const Names kFiles{"loss.csv", "loss.svg", "model.safetensors", "training.safetensors"};

struct Row {
  std::int64_t step;
  double training;
  std::optional<double> validation;
};

std::vector<Row> rows_of(const std::string& csv) {
  std::vector<Row> rows;
  std::vector<std::string> lines = lines_of(csv);
  EXPECT_EQ(lines.at(0), "step,train_loss,val_loss");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t first = lines[i].find(',');
    const std::size_t second = lines[i].find(',', first + 1);
    Row row{std::stoll(lines[i]), std::stod(lines[i].substr(first + 1)), std::nullopt};
    if (second + 1 < lines[i].size()) row.validation = std::stod(lines[i].substr(second + 1));
    rows.push_back(row);
  }
  return rows;
}

// A model as its file tells it.
struct Loaded {
  explicit Loaded(const std::string& path)
      : file(load_safetensors(path)),
        description(gpt_description(file.metadata, file.tensors, path)),
        gpt(description.config, {}, *default_rng(0)) {
    gpt.load_state(file.tensors);
    gpt.eval();
  }

  Tensor tensor(const std::string& name) const {
    for (const NamedTensor& entry : file.tensors) {
      if (entry.name == name) return entry.tensor;
    }
    return {};
  }

  // The mean of -log p over the windows at these places of a text, by plain loops over the logits.
  double loss(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& starts) const {
    const auto T = description.config.block_size;
    const auto V = description.config.vocab_size;
    double sum = 0;
    for (const std::int64_t start : starts) {
      const std::vector<std::int64_t> window(ids.begin() + start, ids.begin() + start + T);
      const std::vector<double> logits = gpt.forward(from_vector(window, {1, T})).to_vector<double>();
      for (std::int64_t t = 0; t < T; ++t) {
        double total = 0;
        for (std::int64_t v = 0; v < V; ++v) total += std::exp(logits[static_cast<std::size_t>(t * V + v)]);
        const std::int64_t target = ids[static_cast<std::size_t>(start + t + 1)];
        sum += std::log(total) - logits[static_cast<std::size_t>(t * V + target)];
      }
    }
    return sum / static_cast<double>(T * std::ssize(starts));
  }

  SafetensorsFile file;
  GptDescription description;
  Gpt gpt;
};

std::vector<std::int64_t> ids_of(const std::string& text) {
  return CharTokenizer(text).encode(text).to_vector<std::int64_t>();
}

TEST(Train, LeavesFourFilesAndSaysSo) {
  const TestFolder folder;
  const Surroundings here{.folder = folder.path()};
  const std::vector<std::string> lines = lines_of(output_of(small_run({"--out", "run"}), here));
  EXPECT_EQ(folder.names(), Names{"run"});
  EXPECT_EQ(TestFolder::names_in(folder / "run"), kFiles);
  ASSERT_GE(lines.size(), 14U);
  EXPECT_EQ(lines[0].find("gpt: Gpt("), 0U) << lines[0];
  EXPECT_NE(lines[0].find(" numbers, "), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1].find("  token_embedding: "), 0U) << lines[1];
  const auto text = std::find(lines.begin(), lines.end(),
                              "text: Lantern Bay, 10020 characters, 24 different; the last 1002 are for "
                              "validation");
  ASSERT_NE(text, lines.end());
  const auto begins = [&](std::ptrdiff_t i, const std::string& beginning) {
    EXPECT_EQ(text[i].find(beginning), 0U) << text[i];
  };
  begins(1, "step 1  loss 3.1");
  begins(2, "step 10  loss ");
  EXPECT_NE(text[2].find("  validation "), std::string::npos) << text[2];
  begins(5, "step 40  loss ");
  begins(6, "40 steps in ");
  EXPECT_NE(text[6].find(" s; run holds model.safetensors, training.safetensors, loss.csv and loss.svg"),
            std::string::npos);
  EXPECT_EQ(text[7], "to see it write:");
  EXPECT_EQ(text[8], "wick sample --model run --prompt 'the lamp'");
  EXPECT_EQ(lines.end() - text, 9);
}

TEST(Train, TheTableOfLossesIsWhole) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "run", "--steps", "25"}));
  const std::vector<Row> rows = rows_of(read_whole(folder / "run/loss.csv"));
  ASSERT_EQ(rows.size(), 25U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].step, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(rows[i].validation.has_value(), rows[i].step == 10 || rows[i].step == 20 || rows[i].step == 25);
  }
  // Nothing is known at first: every character is as likely.
  EXPECT_NEAR(rows.front().training, std::log(24), 0.02);
  EXPECT_LT(rows.back().training, rows.front().training - 0.05);
}

TEST(Train, NothingIsValidatedWhereThatIsNotAsked) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "run", "--eval-every", "0"}));
  for (const Row& row : rows_of(read_whole(folder / "run/loss.csv"))) EXPECT_FALSE(row.validation);
}

// The first weights are default_rng(seed)'s, the first batch is default_rng([seed, 1])'s; a rate of 0 leaves
// the weights as they are.
TEST(Train, DrawsFromNumPysStreams) {
  const TestFolder folder;
  output_of(
      small_run({"--out", folder / "run", "--steps", "1", "--lr", "0", "--seed", "7", "--dropout", "0"}));
  const Loaded loaded(folder / "run/model.safetensors");
  const std::vector<float> table = loaded.tensor("token_embedding.weight").to_vector<float>();
  const auto weights = default_rng(7);
  for (const float number : table) EXPECT_EQ(number, static_cast<float>(0.02 * weights->standard_normal()));

  const std::vector<std::int64_t> ids = ids_of(lantern_bay());
  const auto batches = default_rng(7 + (std::uint64_t{1} << 32));
  const auto starts = batches->integers(0, 10020 - 1002 - 8, {4}).to_vector<std::int64_t>();
  const std::vector<Row> rows = rows_of(read_whole(folder / "run/loss.csv"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows[0].training, loaded.loss(ids, starts), 1e-6);
}

TEST(Train, ValidatesOverWindowsOfTheLastTenth) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "run"}));
  const Loaded loaded(folder / "run/model.safetensors");
  std::vector<std::int64_t> starts;
  for (std::int64_t i = 0; i < 32; ++i) starts.push_back(10020 - 1002 + i * (1002 - 8 - 1) / 31);
  const std::vector<Row> rows = rows_of(read_whole(folder / "run/loss.csv"));
  EXPECT_NEAR(*rows.back().validation, loaded.loss(ids_of(lantern_bay()), starts), 1e-5);
}

TEST(Train, TheModelsFileTellsWhatItIs) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "run"}));
  const GptDescription description = Loaded(folder / "run/model.safetensors").description;
  EXPECT_EQ(
      description.config,
      (GptConfig{.vocab_size = 24, .block_size = 8, .n_layer = 1, .n_head = 2, .n_embd = 8, .dropout = 0.1}));
  const std::string text = lantern_bay();
  const CharTokenizer tokenizer(text);
  EXPECT_EQ(description.vocabulary, tokenizer.decode(arange(24)));
}

TEST(Train, LearnsAFile) {
  const TestFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "héllo\t☃\n";
  write_whole(folder / "text", text);
  const std::string out = output_of(small_run({"--file", "text", "--out", "run", "--sample-every", "40"}),
                                    {.folder = folder.path()});
  EXPECT_NE(out.find("text: " + (folder / "text") +
                     ", 320 characters, 7 different; the last 32 are for validation\n"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("\nsample: 'h"), std::string::npos) << out;
  EXPECT_NE(out.find("\nwick sample --model run --prompt 'héllo'\n"), std::string::npos) << out;
}

TEST(Train, TheCommandsThatItTellsCanBeTyped) {
  const TestFolder folder;
  const auto end_of = [&](const std::string& text) {
    write_whole(folder / "text", text);
    std::filesystem::remove_all(folder / "--seed");
    const std::string out =
        output_of(small_run({"--file", "text", "--out=--seed"}), {.folder = folder.path()});
    return out.substr(out.find(" and loss.svg\n") + 14);
  };
  EXPECT_EQ(end_of("--warmup, --steps"),
            "to see it write:\nwick sample --model ./--seed --prompt='--warmup, --'\n");
  output_of({"sample", "--model", "./--seed", "--prompt=--warmup, --", "--tokens", "3"},
            {.folder = folder.path()});
  EXPECT_EQ(end_of("\t\n\t\n\t\n\t\n\t\n\t\n"), "");
}

TEST(Train, AShortTextIsLearnedWhole) {
  const TestFolder folder;
  write_whole(folder / "text", "abcdefghi");  // one window of 8
  const std::string out = output_of(small_run({"--file", folder / "text", "--out", folder / "run"}));
  EXPECT_NE(out.find("9 characters, 9 different; too short for validation, all are learned\n"),
            std::string::npos);
  for (const Row& row : rows_of(read_whole(folder / "run/loss.csv"))) EXPECT_FALSE(row.validation);
}

TEST(Train, SamplesChangeNothing) {
  const TestFolder folder;
  const std::string out = output_of(small_run({"--out", folder / "a", "--sample-every", "7"}));
  EXPECT_NE(out.find("\nsample: '"), std::string::npos) << out;
  EXPECT_EQ(output_of(small_run({"--out", folder / "b"})).find("sample: '"), std::string::npos);
  expect_same_files(folder / "a", folder / "b");
}

TEST(Train, ThreadsChangeNothing) {
  const TestFolder folder;
  // Wide enough that ops split their work.
  const auto run = [&](const std::string& out, const std::string& threads) {
    output_of({"train", "--steps", "3", "--n-layer", "1", "--out", folder / out, "--threads", threads});
  };
  run("one", "1");
  run("two", "2");
  run("three", "3");
  expect_same_files(folder / "one", folder / "two");
  expect_same_files(folder / "one", folder / "three");
}

TEST(Train, AnotherSeedIsAnotherRun) {
  const TestFolder folder;
  output_of(small_run({"--out", folder / "a", "--seed", "1"}));
  output_of(small_run({"--out", folder / "b", "--seed", "2"}));
  EXPECT_NE(read_whole(folder / "a/loss.csv"), read_whole(folder / "b/loss.csv"));
}

// The pieces that are written over each other, and the lines that stay.
std::vector<std::string> shown_lines(const std::string& raw) {
  std::string text = raw;
  std::replace(text.begin(), text.end(), '\r', '\n');
  return lines_of(text);
}

TEST(Train, ATerminalShowsHowFarItIs) {
  for (const int columns : {14, 20, 40, 80, 200}) {
    const TestFolder folder;
    std::vector<std::string> arguments = small_run({"--out", "run"});
    const std::string raw =
        output_of(arguments, {.folder = folder.path(), .columns = columns, .is_raw = true});
    bool is_shown = false;
    for (const std::string& line : shown_lines(raw)) {
      if (line.find("/40") == std::string::npos) continue;
      is_shown = true;
      EXPECT_LT(line.size(), static_cast<std::size_t>(columns)) << line;
      EXPECT_EQ(line.find("tokens/s") != std::string::npos, columns >= 80) << line;
    }
    EXPECT_TRUE(is_shown) << raw;
    EXPECT_EQ(raw.find('\x1b'), std::string::npos);
  }
}

TEST(Train, ElsewhereNothingIsWrittenOver) {
  const TestFolder folder;
  EXPECT_EQ(output_of(small_run({"--out", folder / "run"})).find('\r'), std::string::npos);
}

TEST(Train, AFullDiskForItsOutputEndsItWithARunToGoOnWith) {
  const TestFolder folder;
  const Outcome outcome = run_wick(small_run({"--out", folder / "run"}), {.out_path = "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "wick: standard output: write failed: No space left on device\n");
  EXPECT_EQ(TestFolder::names_in(folder / "run"), kFiles);
}

TEST(Train, AReaderThatHasGoneIsNoError) {
  const TestFolder folder;
  const Outcome outcome =
      run_wick(small_run({"--out", folder / "run"}), {.ignores_sigpipe = true, .out_is_closed_pipe = true});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace wick::tools
