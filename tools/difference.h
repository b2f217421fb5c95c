#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <wick/framework/tensor.h>

namespace wick::tools {

/// What still counts as equal. All 0: nothing but the same bits, so that 0 and -0 differ. A NaN equals any
/// other NaN in any case.
struct Tolerance {
  double relative = 0;  ///< |a - b| <= absolute + relative |b|, as in NumPy's isclose; infinities never
  double absolute = 0;
  std::uint64_t ulp = 0;  ///< or so many steps from one float to the next lie between a and b

  bool is_none() const { return relative == 0 && absolute == 0 && ulp == 0; }
};

/// How far elements are apart. There is no distance from NaN, nor between True and False.
struct Distance {
  double absolute = 0;               ///< |a - b|, rounded
  std::optional<std::uint64_t> ulp;  ///< of floats; between 0 and -0 it is 0
};

/// The first two elements that differ, in row-major order.
struct FirstDifference {
  Dimensions position;
  std::string a;
  std::string b;
  std::optional<Distance> distance;
};

/// Two arrays of one shape, element by element.
struct Difference {
  std::int64_t elements = 0;
  std::int64_t inexact = 0;                      ///< not the same bits
  std::int64_t differing = 0;                    ///< nor within the tolerance
  std::optional<Distance> largest = Distance{};  ///< among the inexact; nothing where one has no distance
  std::optional<FirstDifference> first;          ///< of the differing
};

/// Whether arrays of these types can be compared: of one type, or, within a tolerance, float32 and float64,
/// which are then both read as float64 and their ULP counted in float32.
bool are_comparable(DType a, DType b, const Tolerance& tolerance);

/// Preconditions: one shape, and types that are comparable.
Difference difference_of(const Tensor& a, const Tensor& b, const Tolerance& tolerance);

}  // namespace wick::tools
