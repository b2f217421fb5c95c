// The inputs that `tools/check fuzz` starts from, and those that it once found something with.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <wick/tests/framework/safetensors_promise.h>

namespace wick {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(SafetensorsInputs, AreReadOrRefusedAsPromised) {
  int seen = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(WICK_SOURCE_DIR "/tests/framework/safetensors_inputs")) {
    SCOPED_TRACE(entry.path().filename());
    const std::string content = content_of(entry.path());
    const std::span<const std::byte> bytes = std::as_bytes(std::span(content));
    EXPECT_NO_THROW({
      EXPECT_EQ(broken_safetensors_promise(bytes), "");
      EXPECT_EQ(broken_safetensors_header_promise(bytes), "");
    });
    ++seen;
  }
  EXPECT_GE(seen, 10);
}

}  // namespace
}  // namespace wick
