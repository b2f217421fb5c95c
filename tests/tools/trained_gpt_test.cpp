// What is no model: eval, sample and inspect say so alike.

#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/safetensors.h>
#include <wick/tests/tools/tiny_gpt.h>

namespace wick::tools {
namespace {

// A folder with a text, and the model if the test puts one there.
class TrainedGptTest : public ::testing::Test {
 protected:
  TrainedGptTest() { write_whole(here() / "text", tiny_.text(40)); }

  const TestFolder& here() const { return tiny_.folder; }

  void expect_all_refused(const std::string& model, const std::string& message) const {
    const Surroundings around{.folder = here().path()};
    expect_refused({"eval", "--model", model, "--file", "text"}, 1, message, around);
    expect_refused({"sample", "--model", model, "--prompt", "a"}, 1, message, around);
    expect_refused({"inspect", "--model", model, "--text", "a"}, 1, message, around);
  }

  TinyGpt tiny_;
};

TEST_F(TrainedGptTest, AMissingOneIsToBeTrained) {
  expect_all_refused("none",
                     "none/model.safetensors: cannot open: No such file or directory; wick train writes it");
  std::filesystem::create_directory(here() / "empty");
  expect_all_refused("empty",
                     "empty/model.safetensors: cannot open: No such file or directory; wick train writes it");
  expect_all_refused("text", "text/model.safetensors: cannot open: Not a directory; wick train writes it");
  const Surroundings around{.folder = here().path()};
  expect_refused({"sample", "--prompt", "a"}, 1,
                 "wick-model/model.safetensors: cannot open: No such file or directory; wick train writes it",
                 around);
}

TEST_F(TrainedGptTest, AnEmptyNameIsNone) {
  expect_refused({"eval", "--model", "", "--file", here() / "text"}, 2,
                 "--model is empty, expected a folder");
  expect_refused({"sample", "--model", "", "--prompt", "a"}, 2, "--model is empty, expected a folder");
  expect_refused({"inspect", "--model", "", "--text", "a"}, 2, "--model is empty, expected a folder");
}

TEST_F(TrainedGptTest, AFolderIsNoFile) {
  std::filesystem::create_directories(here() / "folder/model.safetensors");
  expect_all_refused("folder", "folder/model.safetensors: cannot read: Is a directory");
}

TEST_F(TrainedGptTest, ACutOneNamesTheFile) {
  const std::string whole = read_whole(tiny_.file());
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() - 1}) {
    write_whole(tiny_.file(), whole.substr(0, size));
    const Outcome outcome = run_wick({"sample", "--model", tiny_.model(), "--prompt", "a"});
    EXPECT_EQ(outcome.exit_code, 1) << size;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.find("wick: " + tiny_.file() + ": "), 0U) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
  }
}

TEST_F(TrainedGptTest, AnotherFileIsNoGptOfWick) {
  save_safetensors(tiny_.file(), tiny_.gpt.state());
  expect_all_refused("model", "model/model.safetensors: no GPT of wick: the metadata has no format");
  save_safetensors(tiny_.file(), tiny_.gpt.state(), {{"format", "pt"}});
  expect_all_refused("model",
                     "model/model.safetensors: no GPT of wick: its format is 'pt', expected 'wick-gpt'");
}

TEST_F(TrainedGptTest, WeightsOfAnotherModelAreAllNamed) {
  std::vector<NamedTensor> state = tiny_.gpt.state();
  state.front().name = "token_embedding.other";
  save_safetensors(tiny_.file(), state, gpt_metadata({tiny_.gpt.config(), kTinyVocabulary}));
  expect_all_refused(
      "model",
      "model/model.safetensors: gpt: the state does not fit: token_embedding.other: file (11, 15), "
      "not in the model; token_embedding.weight: not in the file, model (11, 15)");
}

TEST_F(TrainedGptTest, AConfigThatCannotBeNamesTheFile) {
  GptConfig config = tiny_.gpt.config();
  config.n_head = 2;
  save_safetensors(tiny_.file(), tiny_.gpt.state(), gpt_metadata({config, kTinyVocabulary}));
  expect_all_refused("model", "model/model.safetensors: Gpt: n_embd=15 is not divisible by n_head=2");
}

// A training that has gone astray leaves no such model, but a file may hold one.
TEST_F(TrainedGptTest, WeightsThatAreOfNoUse) {
  const Surroundings around{.folder = here().path()};
  for (const double useless : {std::numeric_limits<double>::quiet_NaN(), 1e38}) {
    // 1e38 is finite, and squares of it are not.
    tiny_.gpt.parameter("blocks.0.attention.query_key_value.weight").fill(useless);
    save_model(tiny_.file(), tiny_.gpt, gpt_metadata({tiny_.gpt.config(), kTinyVocabulary}));
    expect_refused({"eval", "--model", "model", "--file", "text"}, 1,
                   "the model's loss is not a finite number: its weights are of no use", around);
    expect_refused({"sample", "--model", "model", "--prompt", "a"}, 1,
                   "sample: the logit of id 0 is nan, expected finite numbers", around);
    for (const std::string format : {"table", "json"}) {
      expect_refused({"inspect", "--model", "model", "--text", "the lamp", "--format", format}, 1,
                     "the model's logits are not finite numbers: its weights are of no use", around);
    }
  }
}

}  // namespace
}  // namespace wick::tools
