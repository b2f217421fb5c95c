#include <fstream>
#include <map>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/safetensors.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

using Metadata = std::map<std::string, std::string>;

nlohmann::json golden(const std::string& key) {
  std::ifstream in(WICK_GOLDENS "/safetensors_cases.json");
  return nlohmann::json::parse(in)[key];
}

std::vector<NamedTensor> tensors_of(const nlohmann::json& one) {
  std::vector<NamedTensor> tensors;
  for (const nlohmann::json& entry : one["tensors"]) tensors.push_back({entry["name"], tensor_of(entry)});
  return tensors;
}

void expect_same(const std::vector<NamedTensor>& actual, const std::vector<NamedTensor>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    SCOPED_TRACE(expected[i].name);
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_EQ(actual[i].tensor.dtype(), expected[i].tensor.dtype());
    EXPECT_EQ(actual[i].tensor.shape(), expected[i].tensor.shape());
    EXPECT_TRUE(actual[i].tensor.is_contiguous());
    EXPECT_EQ(bytes_of(actual[i].tensor), bytes_of(expected[i].tensor));
  }
}

TEST(Safetensors, ReadsWhatAnotherProgramWrote) {
  for (const nlohmann::json cases = golden("loads"); const auto& one : cases) {
    SCOPED_TRACE(one["name"].get<std::string>());
    const SafetensorsFile file = decode_safetensors(from_hexadecimal(one["file"]));
    expect_same(file.tensors, tensors_of(one));
    EXPECT_EQ(file.metadata, one["metadata"].get<Metadata>());
  }
}

TEST(Safetensors, WritesTheBytesOfTheFormatsOwnLibrary) {
  for (const nlohmann::json cases = golden("saves"); const auto& one : cases) {
    SCOPED_TRACE(one["tensors"].dump());
    EXPECT_EQ(encode_safetensors(tensors_of(one), one["metadata"].get<Metadata>()),
              from_hexadecimal(one["file"]));
  }
}

// Every byte spelled, as the format's description has it.
TEST(Safetensors, IsALengthAHeaderAndTheData) {
  const std::string header = R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  )";
  ASSERT_EQ(header.size(), 56U);
  const std::string file =
      std::string("\x38\0\0\0\0\0\0\0", 8) + header + std::string("\0\0\x80\x3f\0\0\0\xc0", 8);
  EXPECT_EQ(encode_safetensors({{"x", tensor({1.0, -2.0})}}), to_bytes(file));
  const SafetensorsFile read = decode_safetensors(to_bytes(file));
  ASSERT_EQ(read.tensors.size(), 1U);
  EXPECT_EQ(read.tensors[0].tensor.to_vector<double>(), (std::vector<double>{1, -2}));
}

TEST(Safetensors, WritesViewsInRowMajorOrder) {
  const Tensor matrix = tensor({{1, 2, 3}, {4, 5, 6}});
  const Tensor turned = matrix.strided_view({3, 2}, {1, 3});
  const Tensor expanded = matrix.strided_view({2, 3}, {0, 1});
  EXPECT_EQ(encode_safetensors({{"turned", turned}, {"expanded", expanded}}),
            encode_safetensors({{"turned", tensor({{1, 4}, {2, 5}, {3, 6}})},
                                {"expanded", tensor({{1, 2, 3}, {1, 2, 3}})}}));
}

TEST(Safetensors, LeavesTheGraphBehind) {
  Tensor weights = ones({2});
  weights.set_requires_grad(true);
  EXPECT_FALSE(decode_safetensors(encode_safetensors({{"w", weights}})).tensors[0].tensor.requires_grad());
}

// So that a file can be mapped into memory and read where it lies.
TEST(Safetensors, AlignsElementsToTheirSize) {
  const std::vector<NamedTensor> tensors{{"mask", ones({3}, boolean)},
                                         {"x", ones({1})},
                                         {"ids", arange(2)},
                                         {"y", ones({2})},
                                         {"z", ones({1}, float64)}};
  const std::vector<std::byte> bytes = encode_safetensors(tensors);
  std::vector<std::string> names;
  std::size_t place = bytes.size();
  for (const NamedTensor& entry : decode_safetensors(bytes).tensors) {
    names.push_back(entry.name);
    place -= bytes_of(entry.tensor).size();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ids", "z", "x", "y", "mask"}));
  EXPECT_EQ(place % 8, 0U);
}

TEST(Safetensors, SavesAndLoadsFiles) {
  TemporaryFolder folder;
  const std::vector<NamedTensor> tensors{{"blocks.0.weight", tensor({{1.5, -2}, {0.1, 4}})},
                                         {"step", full({}, 600, int64)}};
  const Metadata metadata{{"format", "wick"}, {"vocabulary", "\n ab"}};
  save_safetensors(folder / "model.safetensors", tensors, metadata);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"model.safetensors"});
  EXPECT_EQ(folder.content("model.safetensors"), encode_safetensors(tensors, metadata));
  const SafetensorsFile file = load_safetensors(folder / "model.safetensors");
  expect_same(file.tensors, {tensors[1], tensors[0]});
  EXPECT_EQ(file.metadata, metadata);
}

TEST(Safetensors, ReadsFromAPipe) {
  TemporaryFolder folder;
  const std::vector<NamedTensor> tensors{{"long", arange(100'003)}, {"x", ones({3})}};
  const std::vector<std::byte> file = encode_safetensors(tensors);
  const std::filesystem::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  });
  const SafetensorsFile read = load_safetensors(pipe);
  writer.join();
  expect_same(read.tensors, tensors);
}

TEST(Safetensors, RefusesToWriteWhatCannotBeRead) {
  TemporaryFolder folder;
  const auto refusal = [&]<typename Expected>(const std::vector<NamedTensor>& tensors,
                                              const Metadata& metadata) {
    const std::string message =
        error_of<Expected>([&] { save_safetensors(folder / "x", tensors, metadata); });
    EXPECT_EQ(error_of<Expected>([&] { encode_safetensors(tensors, metadata); }), message);
    EXPECT_TRUE(folder.names().empty());
    return message;
  };
  const auto value_refusal = [&](const std::vector<NamedTensor>& tensors, const Metadata& metadata = {}) {
    return refusal.operator()<ValueError>(tensors, metadata);
  };
  EXPECT_EQ(value_refusal({{"a", ones({1})}, {"a", ones({2})}}),
            "save_safetensors: two tensors are named \"a\"");
  EXPECT_EQ(value_refusal({{"__metadata__", ones({1})}}),
            "save_safetensors: a tensor is named \"__metadata__\", the format's own key");
  EXPECT_EQ(value_refusal({{"a\xff", ones({1})}}), "save_safetensors: the name 'a\\xff' is not UTF-8");
  EXPECT_EQ(value_refusal({}, {{"\xc3", ""}}), "save_safetensors: the metadata's key '\\xc3' is not UTF-8");
  EXPECT_EQ(value_refusal({}, {{"k", "\xed\xa0\x80"}}),
            "save_safetensors: the metadata's text of \"k\": '\\xed\\xa0\\x80' is not UTF-8");
  std::string long_text;
  long_text.resize(100'000'000, 'x');
  EXPECT_EQ(value_refusal({}, {{"k", long_text}}),
            "save_safetensors: the header would be 100000032 bytes long, the format has 100000000 at most");
  EXPECT_EQ((refusal.operator()<TypeError>({{"a", Tensor()}}, {})), "save_safetensors: \"a\" is undefined");
}

TEST(Safetensors, WriteFailuresAreTheSystems) {
  EXPECT_EQ(error_of<FileError>([] { save_safetensors("/nowhere/x", {}); }),
            "/nowhere/x: cannot write: No such file or directory");
  EXPECT_EQ(error_of<FileError>([] { save_safetensors("/dev/full", {}); }),
            "/dev/full: cannot write: No space left on device");
}

}  // namespace
}  // namespace wick
