#pragma once

// What the tests of the random streams share: the goldens' streams, and draws from them.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/random.h>

namespace wick {

using Integers = std::vector<std::int64_t>;
using Floats = std::vector<double>;
using Maker = std::function<std::unique_ptr<Rng>()>;

inline constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kWide = std::int64_t{1} << 40;

inline nlohmann::json golden(const std::string& file) {
  std::ifstream in(std::string(WICK_GOLDENS) + "/" + file);
  return nlohmann::json::parse(in);
}

// A golden float is a C hexadecimal literal.
inline double parsed(const nlohmann::json& literal) {
  return std::strtod(literal.get<std::string>().c_str(), nullptr);
}

inline Floats parsed_all(const nlohmann::json& literals) {
  Floats numbers;
  for (const auto& literal : literals) numbers.push_back(parsed(literal));
  return numbers;
}

template <typename Draw>
auto drawn(std::size_t count, Draw draw) {
  std::vector<decltype(draw())> numbers(count);
  for (auto& number : numbers) number = draw();
  return numbers;
}

// The stream's integers, as many as the golden has, from [low, high).
inline Integers integers_like(const nlohmann::json& expected, Rng& rng, std::int64_t low, std::int64_t high) {
  return drawn(expected.size(), [&] { return rng.integers(low, high); });
}

// The SHA-256 of the numbers' little-endian bytes, by coreutils.
template <typename T>
std::string sha256(const std::vector<T>& numbers) {
  std::string path = (std::filesystem::temp_directory_path() / "wick_random_test_XXXXXX").string();
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return "no temporary file";
  std::FILE* file = fdopen(descriptor, "wb");
  const bool written = std::fwrite(numbers.data(), sizeof(T), numbers.size(), file) == numbers.size();
  if (std::fclose(file) != 0 || !written) return "no room for the temporary file";

  std::string digest(64, '?');
  if (std::FILE* output = popen(("sha256sum < '" + path + "'").c_str(), "r")) {
    if (std::fread(digest.data(), 1, digest.size(), output) != digest.size()) digest = "no sha256sum";
    pclose(output);
  }
  std::filesystem::remove(path);
  return digest;
}

inline Maker maker(const std::string& stream, std::uint64_t seed) {
  const bool is_new = stream == "default_rng";
  return [=] { return is_new ? default_rng(seed) : random_state(seed); };
}

// Calls `check(fresh, expected)` for every seed of a stream's goldens: fresh() is that stream at its start.
inline void for_each_seed(const std::string& stream,
                          const std::function<void(Maker, const nlohmann::json&)>& check) {
  auto streams = golden("numpy_streams.json").at(stream);
  EXPECT_GE(streams.size(), 5U);
  for (auto& [seed_text, expected] : streams.items()) {
    SCOPED_TRACE(stream + "(" + seed_text + ")");
    expected["seed"] = seed_text;
    check(maker(stream, std::stoull(seed_text)), expected);
  }
}

}  // namespace wick
