#pragma once

// What the tests of files and printing share.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/dtype.h>
#include <wick/framework/tensor.h>

namespace wick {

inline std::vector<std::byte> from_hexadecimal(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

inline std::vector<std::byte> to_bytes(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// The elements of a contiguous tensor as they lie in memory.
inline std::vector<std::byte> bytes_of(const Tensor& tensor) {
  return visit_dtype(tensor.dtype(), [&]<typename T>() {
    const auto bytes = std::as_bytes(tensor.span<T>());
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  });
}

/// The tensor of a golden case: its "dtype", "shape" and "data".
inline Tensor tensor_of(const nlohmann::json& one) {
  DType dtype = float32;
  for (const DType other : {float64, int64, boolean}) {
    if (name(other) == one["dtype"].get<std::string>()) dtype = other;
  }
  Tensor tensor(Shape(one["shape"].get<std::vector<std::int64_t>>()), dtype);
  const std::vector<std::byte> data = from_hexadecimal(one["data"]);
  visit_dtype(dtype, [&]<typename T>() {
    const auto elements = tensor.mutable_span<T>();
    ASSERT_EQ(elements.size_bytes(), data.size());
    if (!data.empty()) std::memcpy(elements.data(), data.data(), data.size());
  });
  return tensor;
}

/// A .npy file of format version 1.0 with this dict and data.
inline std::vector<std::byte> npy_bytes(const std::string& dict, const std::string& data) {
  const std::string length{static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return to_bytes(std::string("\x93NUMPY\x01\x00", 8) + length + dict + data);
}

/// A folder of its own for one test, gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / ("wick-" + std::string(test->test_suite_name()) + "-" +
                                                      test->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::vector<std::byte> content(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return to_bytes(std::string(std::istreambuf_iterator<char>(in), {}));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace wick
