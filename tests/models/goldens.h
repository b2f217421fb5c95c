#pragma once

// The course's arrays, and how near to them is near enough.

#include <string>

#include <gtest/gtest.h>

#include <wick/framework/npy.h>
#include <wick/ops/testing/compare.h>

namespace wick {

/// An array of a lesson or exercise; where an exercise has none of its own, it is the lesson's.
inline Tensor golden(const std::string& folder, const std::string& name) {
  const std::string lesson = folder.substr(0, folder.find('_'));
  const auto path = [&](const std::string& in) {
    return std::string(WICK_GOLDENS) + "/" + in + "/" + name + ".npy";
  };
  return load_npy(path(std::filesystem::exists(path(folder)) ? folder : lesson));
}

/// Within 1e-14 of the array's largest value in float64, 1e-6 in float32; blocked scores left out.
inline void expect_golden(const Tensor& actual, const std::string& folder, const std::string& name) {
  EXPECT_LE(testing::relative_difference(actual, golden(folder, name)),
            actual.dtype() == float64 ? 1e-14 : 1e-6)
      << folder << "/" << name;
}

/// What was drawn from a stream is the course's number itself, in float32 rounded once.
inline void expect_drawn(const Tensor& actual, const std::string& folder, const std::string& name) {
  EXPECT_TRUE(testing::same_bits(actual, golden(folder, name).to(actual.dtype()))) << folder << "/" << name;
}

}  // namespace wick
