#include <filesystem>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/safetensors.h>
#include <wick/models/training/checkpoint.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

TrainingState state_with_everything() {
  const std::unique_ptr<Rng> pcg = default_rng(5);
  pcg->integers(0, 24);  // half a draw is left
  const std::unique_ptr<Rng> mt = random_state(5);
  mt->standard_normal();
  return {.step = 3,
          .model = {{"a.weight", normal({2, 3}, float32)}, {"a.bias", normal({3}, float64)}},
          .optimizer = {{"steps", full({}, 3, int64)}, {"first_moment.a.weight", normal({2, 3}, float32, 4)}},
          .streams = {{"batches", pcg->state()}, {"dropout", mt->state()}},
          .losses = {{1, 0.1, std::nullopt}, {2, 1.0 / 3, 0.25}, {3, 1e-300, kNaN}},
          .metadata = {{"format", "wick-gpt"}, {"options", "{}"}}};
}

void expect_same_losses(const std::vector<StepLosses>& actual, const std::vector<StepLosses>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].step, expected[i].step);
    EXPECT_EQ(actual[i].training, expected[i].training);
    ASSERT_EQ(actual[i].validation.has_value(), expected[i].validation.has_value());
    if (actual[i].validation) {
      EXPECT_TRUE(is_near(*actual[i].validation, *expected[i].validation, 0));
    }
  }
}

TEST(Checkpoint, KeepsAllOfATraining) {
  TemporaryFolder folder;
  const TrainingState state = state_with_everything();
  save_training(folder / "x", state);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
  const TrainingState loaded = load_training(folder / "x");
  EXPECT_EQ(loaded.step, state.step);
  EXPECT_EQ(loaded.metadata, state.metadata);
  EXPECT_EQ(loaded.streams, state.streams);
  expect_same_losses(loaded.losses, state.losses);
  const auto by_name = [](std::vector<NamedTensor> tensors) {
    std::ranges::sort(tensors, {}, &NamedTensor::name);
    return tensors;
  };
  expect_same_tensors(by_name(loaded.model), by_name(state.model));
  expect_same_tensors(by_name(loaded.optimizer), by_name(state.optimizer));
}

TEST(Checkpoint, OfARunThatHasNotBegun) {
  TemporaryFolder folder;
  save_training(folder / "x", {});
  expect_same_state(load_training(folder / "x"), {});
}

TEST(Checkpoint, AFailureLeavesTheOneBefore) {
  TemporaryFolder folder;
  TrainingState state = state_with_everything();
  save_training(folder / "x", state);
  const std::vector<std::byte> before = folder.content("x");
  state.metadata["training"] = "mine";
  EXPECT_EQ(error_of<ValueError>([&] { save_training(folder / "x", state); }),
            "save_training: the metadata has a key \"training\" of its own");
  state.metadata.erase("training");
  state.metadata["text"] = "\xff";
  EXPECT_EQ(error_of<ValueError>([&] { save_training(folder / "x", state); }),
            "save_safetensors: the metadata's text of \"text\": '\\xff' is not UTF-8");
  EXPECT_EQ(folder.content("x"), before);
  EXPECT_EQ(error_of<FileError>([&] { save_training(folder / "no/x", {}); }),
            (folder / "no/x").string() + ": cannot write: No such file or directory");
}

TEST(Checkpoint, RefusesFilesThatAreNone) {
  TemporaryFolder folder;
  save_training(folder / "good", state_with_everything());
  const SafetensorsFile good = load_safetensors(folder / "good");
  const std::string opening = (folder / "x").string() + ": no checkpoint of a training: ";
  const auto refusal = [&](auto change) {
    SafetensorsFile file = good;
    change(file);
    save_safetensors(folder / "x", file.tensors, file.metadata);
    const std::string message = error_of<FormatError>([&] { load_training(folder / "x"); });
    return message.starts_with(opening) ? message.substr(opening.size()) : message;
  };
  const auto entry = [](SafetensorsFile& file, const std::string& key) -> Tensor& {
    return std::ranges::find(file.tensors, key, &NamedTensor::name)->tensor;
  };
  EXPECT_EQ(refusal([](SafetensorsFile&) {}), "no error");
  EXPECT_EQ(refusal([](SafetensorsFile& file) { file.metadata.erase("training"); }),
            "the metadata has no \"training\"");
  EXPECT_EQ(refusal([](SafetensorsFile& file) { file.metadata["training"] = "2"; }),
            "its version is \"2\", expected \"1\"");
  EXPECT_EQ(refusal([](SafetensorsFile& file) {
              std::erase_if(file.tensors, [](const NamedTensor& one) { return one.name == "step"; });
            }),
            "the key \"step\" is missing");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) { entry(file, "step") = ones({1}, int64); }),
            "\"step\" is (1,) int64, expected () int64");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) { entry(file, "losses.training") = ones({3}); }),
            "\"losses.training\" is (3,) float32, expected (n,) float64");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) { entry(file, "losses.training") = ones({2}, float64); }),
            "its losses are not as many as their steps");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) { entry(file, "losses.validation") = ones({3}, float64); }),
            "its losses are not as many as their steps");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) {
              entry(file, "losses.validated") = tensor({2, 9});
            }),
            "it has the validation of step 9, and not that step's loss");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) { entry(file, "streams.batches.PCG64") = ones({6}); }),
            "\"streams.batches.PCG64\" is no stream's state");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) {
              file.tensors.push_back({"streams.x", ones({6}, int64)});
            }),
            "\"streams.x\" is no stream's state");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) {
              file.tensors.push_back({"streams.batches.MT19937", ones({6}, int64)});
            }),
            "the stream \"batches\" has two states");
  EXPECT_EQ(refusal([&](SafetensorsFile& file) {
              file.tensors.push_back({"extra", ones({})});
            }),
            "the key \"extra\" is unknown");
}

TEST(Checkpoint, EveryTruncationIsFoundOut) {
  TemporaryFolder folder;
  save_training(folder / "x", state_with_everything());
  for (auto size = std::filesystem::file_size(folder / "x"); size-- > 0;) {
    std::filesystem::resize_file(folder / "x", size);
    ASSERT_NE(error_of<FormatError>([&] { load_training(folder / "x"); }), "no error") << size;
  }
}

TEST(Checkpoint, ModelsComeBack) {
  TemporaryFolder folder;
  const Bigram model(24, 16, float32, 1);
  save_model(folder / "x", model, {{"format", "test"}});
  Bigram other(24, 16, float32, 2);
  EXPECT_EQ(load_model(folder / "x", other), (std::map<std::string, std::string>{{"format", "test"}}));
  expect_same_tensors(other.named_parameters(), model.named_parameters());
  for (const NamedTensor& parameter : other.named_parameters()) EXPECT_TRUE(parameter.tensor.requires_grad());
}

TEST(Checkpoint, AModelOfOtherSizesIsRefusedWhole) {
  TemporaryFolder folder;
  save_model(folder / "x", Bigram(24, 16, float32, 1));
  Bigram other(25, 8, float32, 2);
  const std::vector<NamedTensor> before = other.state();
  EXPECT_EQ(
      error_of<ValueError>([&] { load_model(folder / "x", other); }),
      (folder / "x").string() +
          ": bigram: the state does not fit: table.weight: file (24, 16), model (25, 8); output.weight: "
          "file (16, 24), model (8, 25); output.bias: file (24,), model (25,)");
  expect_same_tensors(other.state(), before);
}

}  // namespace
}  // namespace wick
