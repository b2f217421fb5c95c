#pragma once

// What the tests of the ops share: the walk over instruction sets and types, plain arrays for reference
// loops, the same values in every layout, and what memory was taken.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/random.h>
#include <wick/framework/tensor.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/compare.h>
#include <wick/ops/testing/layouts.h>
#include <wick/tests/framework/errors.h>

namespace wick {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Runs body() on every instruction set that is present, and returns to the one before.
template <typename Body>
void on_every_set(Body body) {
  struct Restore {
    std::string before{instruction_set()};
    ~Restore() { use_instruction_set(before); }
  } restore;
  for (const std::string& set : present_instruction_sets()) {
    SCOPED_TRACE("on " + set);
    use_instruction_set(set);
    body();
  }
}

/// Runs body(dtype) in float32 and float64 on every set.
template <typename Body>
void on_every_set_and_type(Body body) {
  on_every_set([&] {
    for (const DType dtype : {float32, float64}) {
      SCOPED_TRACE("in " + std::string(name(dtype)));
      body(dtype);
    }
  });
}

inline double epsilon(DType dtype) {
  return dtype == float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

inline Tensor normal(const Shape& shape, DType dtype = float64, std::uint64_t seed = 1) {
  return default_rng(seed)->standard_normal(shape, dtype);
}

using Index = std::vector<std::int64_t>;

/// Every position of a shape, in row-major order.
inline std::vector<Index> positions(const Shape& shape) {
  std::vector<Index> all;
  Index index(static_cast<std::size_t>(shape.rank()), 0);
  for (std::int64_t left = shape.numel(); left > 0; --left) {
    all.push_back(index);
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      auto& place = index[static_cast<std::size_t>(axis)];
      if (++place < shape[axis]) break;
      place = 0;
    }
  }
  return all;
}

/// Plain numbers in row-major order, read as NumPy broadcasts: aligned at the last dimension, a size of 1
/// repeated.
struct Array {
  explicit Array(const Shape& of) : shape(of), values(static_cast<std::size_t>(of.numel())) {}
  explicit Array(const Tensor& tensor) : shape(tensor.shape()), values(tensor.to_vector<double>()) {}

  double& operator[](const Index& index) { return values[place(index)]; }
  double operator[](const Index& index) const { return values[place(index)]; }

  std::size_t place(const Index& index) const {
    std::int64_t offset = 0;
    const std::size_t lead = index.size() - static_cast<std::size_t>(shape.rank());
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const std::int64_t wanted = index[lead + static_cast<std::size_t>(axis)];
      offset = offset * shape[axis] + (shape[axis] == 1 ? 0 : wanted);
    }
    return static_cast<std::size_t>(offset);
  }

  Shape shape;
  std::vector<double> values;
};

/// The same number within `tolerance`; NaN is NaN, and an infinity is itself.
inline bool is_near(double actual, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(actual);
  return actual == expected || std::abs(actual - expected) <= tolerance;
}

/// Shape and numbers agree, each within tolerance(place): the first that does not is named.
template <typename Tolerance>
void expect_near(const Tensor& actual, const Array& expected, Tolerance tolerance) {
  ASSERT_EQ(actual.shape(), expected.shape);
  const std::vector<double> values = actual.to_vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(is_near(values[i], expected.values[i], tolerance(i)))
        << "element " << i << " of " << expected.shape << " is " << values[i] << ", not "
        << expected.values[i];
  }
}

inline void expect_exactly(const Tensor& actual, const Array& expected) {
  expect_near(actual, expected, [](std::size_t) { return 0.0; });
}

/// `actual` is tensor(numbers) in its own type: every number, and the shape.
inline void expect_values(const Tensor& actual, const NestedList& numbers, double tolerance = 0) {
  expect_near(actual, Array(tensor(numbers, float64)), [=](std::size_t) { return tolerance; });
}

using testing::Layout;

/// x as it is, and its values in other layouts, with NaN, -1 or true around them.
inline std::vector<Layout> layouts_of(const Tensor& x) {
  std::vector<Layout> layouts = testing::layouts_of(x);
  layouts.insert(layouts.begin(), {"no gaps", x.clone()});
  return layouts;
}

/// Leaves memory full of NaN behind, for the next tensor of this shape to get.
inline void leave_nan(const Shape& shape, DType dtype) { testing::poison_memory(shape, dtype); }

/// The bytes that tensors asked for beyond what was held before, at the most, while call() ran.
template <typename Call>
std::int64_t bytes_taken(Call call) {
  memory::reset_peak();
  const std::int64_t before = memory::counts().now;
  call();
  return memory::counts().peak - before;
}

}  // namespace wick
