// Every way a .safetensors file can be bad, beyond its header, gives one error that says so, and never much
// memory or other tensors.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/safetensors.h>
#include <wick/tests/framework/bytes.h>
#include <wick/tests/framework/errors.h>
#include <wick/tests/framework/safetensors_files.h>
#include <wick/tests/framework/safetensors_promise.h>

namespace wick {
namespace {

std::string length_of(std::uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes;
}

TEST(SafetensorsDamage, Beginnings) {
  for (const Bad& bad : std::vector<Bad>{
           {"", "x: cut short: found 0 bytes of the header's length, expected 8"},
           {"1234567", "x: cut short: found 7 bytes of the header's length, expected 8"},
           {length_of(2), "x: cut short: found 0 bytes of the header, expected 2"},
           {length_of(3) + "{}", "x: cut short: found 2 bytes of the header, expected 3"},
           {length_of(100'000'000) + "{}", "x: cut short: found 2 bytes of the header, expected 100000000"},
           {length_of(100'000'001) + "{}", "x: a header of 100000001 bytes, expected at most 100000000"},
           {length_of(~std::uint64_t{0}) + "{}",
            "x: a header of 18446744073709551615 bytes, expected at most 100000000"},
           {length_of(std::uint64_t{1} << 63) + "{}",
            "x: a header of 9223372036854775808 bytes, expected at most 100000000"},
           {length_of(0), "x: header: expected an object, found ''"},
           {length_of(0) + "{}", "x: header: expected an object, found ''"},
       }) {
    EXPECT_EQ(damage(bad.given), bad.message);
  }
}

TEST(SafetensorsDamage, DataSize) {
  const std::string two = "{" + entry("a", 0, 4) + "," + entry("b", 4, 6) + "}";
  const std::string data(6, '\1');
  EXPECT_EQ(damage(file_of(two, data)), "no error");
  EXPECT_EQ(damage(file_of(two, data.substr(1))), "x: cut short: found 5 bytes of data, expected 6");
  EXPECT_EQ(damage(file_of(two)), "x: cut short: found 0 bytes of data, expected 6");
  EXPECT_EQ(damage(file_of(two, data + "x")), "x: data left over after the 6 bytes that belong to tensors");
  EXPECT_EQ(damage(file_of("{}", "x")), "x: data left over after the 0 bytes that belong to tensors");
  EXPECT_EQ(damage(file_of("{}")), "no error");
}

TEST(SafetensorsDamage, EveryTruncationIsFoundOut) {
  const std::vector<std::byte> file =
      encode_safetensors({{"a", ones({3})}, {"b", arange(2)}, {"c", ones({2}, boolean)}}, {{"k", "v"}});
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string message =
        error_of<FormatError>([&] { decode_safetensors(std::span(file).first(size), "x"); });
    EXPECT_TRUE(message.starts_with("x: cut short: found ")) << size << ": " << message;
  }
}

TEST(SafetensorsDamage, BooleansAreZeroOrOne) {
  EXPECT_EQ(damage(file_of("{" + entry("mask", 0, 3) + "}", std::string("\0\1\2", 3))),
            "x: \"mask\": element 2 is 2, expected 0 or 1 for BOOL");
  EXPECT_EQ(damage(file_of("{" + entry("mask", 0, 1) + "}", "\xff")),
            "x: \"mask\": element 0 is 255, expected 0 or 1 for BOOL");
}

TEST(SafetensorsDamage, ScalarsOverFourBytesAreNone) {
  const std::string header = R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})";
  EXPECT_EQ(
      decode_safetensors(to_bytes(file_of(header, std::string("\0\0\x80\x3f", 4)))).tensors[0].tensor.item(),
      1.0);
}

// Claims of gigabytes over a few bytes: found out before memory is asked for, from a file and from a pipe.
TEST(SafetensorsDamage, ClaimsTakeNoMemory) {
  TemporaryFolder folder;
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[1073741824,256],"data_offsets":[0,1099511627776]}})";
  for (const Bad& bad : std::vector<Bad>{
           {file_of(header, "data"), ": cut short: found 4 bytes of data, expected 1099511627776"},
           {length_of(100'000'000) + "{\"a\":",
            ": cut short: found 5 bytes of the header, expected 100000000"},
           {length_of(~std::uint64_t{0}) + "{\"a\":",
            ": a header of 18446744073709551615 bytes, expected at most 100000000"}}) {
    const std::filesystem::path path = folder / "claim";
    std::ofstream(path, std::ios::binary) << bad.given;
    memory::reset_peak();
    const std::int64_t before = memory::counts().now;
    EXPECT_EQ(error_of<FormatError>([&] { load_safetensors(path); }), path.string() + bad.message);
    EXPECT_EQ(memory::counts().peak, before);

    const std::filesystem::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bad.given; });
    EXPECT_EQ(error_of<FormatError>([&] { load_safetensors(pipe); }), pipe.string() + bad.message);
    writer.join();
    std::filesystem::remove(pipe);
  }
}

TEST(SafetensorsDamage, OpeningAndReading) {
  TemporaryFolder folder;
  const std::string path = folder.path().string();
  EXPECT_EQ(error_of<FileError>([&] { load_safetensors(path + "/none"); }),
            path + "/none: cannot open: No such file or directory");
  EXPECT_EQ(error_of<FileError>([&] { load_safetensors(path); }), path + ": cannot read: Is a directory");
}

// Fixed seed: std::mt19937's numbers are the same everywhere.
TEST(SafetensorsDamage, MutationsGiveTensorsOrAnError) {
  const std::vector<std::vector<std::byte>> seeds{
      encode_safetensors({{"a", arange(4, float32)}, {"b", arange(6, float64)}}, {{"k", "v"}}),
      encode_safetensors({{"a", arange(4)}, {"mask", ones({3}, boolean)}, {"x", ones({})}}),
      to_bytes(file_of("{" + entry("a", 0, 4) + "," + entry("b", 4, 6) + "}", std::string(6, '\1')))};
  std::mt19937 random(5);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random()) % end; };
  const std::string telling = "{}[]\",:\\ 0123456789-.eFI64BOLabk\n\xff";
  int loaded = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::byte> file = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(3); changes > 0 && !file.empty(); --changes) {
      const std::size_t at = below(file.size());
      const auto position = file.begin() + static_cast<std::ptrdiff_t>(at);
      const auto byte = static_cast<std::byte>(below(2) == 0 ? below(256) : telling[below(telling.size())]);
      switch (below(5)) {
        case 0:
          file.erase(position);
          break;
        case 1:
          file.insert(position, byte);
          break;
        case 2:
          file.resize(at);
          break;
        default:
          *position = byte;
      }
    }
    ASSERT_EQ(broken_safetensors_promise(file), "");
    loaded += error_of<FormatError>([&] { decode_safetensors(file); }) == "no error" ? 1 : 0;
  }
  EXPECT_GT(loaded, kRounds / 100);
  EXPECT_LT(loaded, kRounds / 2);
}

}  // namespace
}  // namespace wick
