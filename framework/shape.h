#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include <wick/framework/error.h>

namespace wick {

/// The most dimensions a tensor can have. Shapes live in place, without the heap, so the number is fixed.
inline constexpr int kMaxRank = 8;

/// Up to kMaxRank numbers, one per dimension: the common ground of Shape (sizes), Strides and axis lists.
class Dimensions {
 public:
  Dimensions() = default;
  /// Throws ShapeError beyond kMaxRank numbers.
  Dimensions(std::initializer_list<std::int64_t> numbers)
      : Dimensions(std::span(numbers.begin(), numbers.size())) {}
  explicit Dimensions(std::span<const std::int64_t> numbers) {
    for (const std::int64_t number : numbers) push_back(number);
  }

  int rank() const { return rank_; }
  /// Negative positions count from the end: shape[-1] is the last size. Throws IndexError outside.
  std::int64_t operator[](int position) const { return numbers_[index(position)]; }
  std::int64_t& operator[](int position) { return numbers_[index(position)]; }
  const std::int64_t* begin() const { return numbers_.data(); }
  const std::int64_t* end() const { return numbers_.data() + rank_; }
  std::int64_t* begin() { return numbers_.data(); }
  std::int64_t* end() { return numbers_.data() + rank_; }
  std::int64_t back() const { return (*this)[-1]; }

  /// Adds one number at the end. Throws ShapeError beyond kMaxRank.
  void push_back(std::int64_t number) {
    if (rank_ == kMaxRank) refuse_more();
    numbers_[static_cast<std::size_t>(rank_++)] = number;
  }

  friend bool operator==(const Dimensions& a, const Dimensions& b) {
    if (a.rank_ != b.rank_) return false;
    for (const std::int64_t *left = a.begin(), *right = b.begin(); left != a.end(); ++left, ++right) {
      if (*left != *right) return false;  // std::equal would be a call, for the sake of three numbers
    }
    return true;
  }

 private:
  std::size_t index(int position) const {
    const int from_front = position < 0 ? position + rank_ : position;
    if (from_front < 0 || from_front >= rank_) refuse(position);
    return static_cast<std::size_t>(from_front);
  }
  [[noreturn]] void refuse(int position) const;
  [[noreturn]] void refuse_more() const;

  std::array<std::int64_t, kMaxRank> numbers_{};
  int rank_ = 0;
};

/// The sizes of a tensor, outermost first: (B, T, C). Rank 0, written (), holds one element.
class Shape : public Dimensions {
 public:
  Shape() = default;
  /// Throws ShapeError for a negative size, beyond kMaxRank sizes, or where numel() would not fit in int64.
  Shape(std::initializer_list<std::int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const std::int64_t> sizes) : Dimensions(sizes) { static_cast<void>(numel()); }

  /// The number of elements: the product of the sizes. Throws ShapeError naming the shape where it overflows
  /// int64, or where a size has been made negative.
  std::int64_t numel() const {
    // Sizes of 0 are left out of the checked product, so that strides, too, always fit.
    std::int64_t product = 1;
    bool empty = false;
    for (const std::int64_t size : *this) {
      if (size < 0 || __builtin_mul_overflow(product, size == 0 ? 1 : size, &product)) refuse_sizes();
      empty = empty || size == 0;
    }
    return empty ? 0 : product;
  }

 private:
  [[noreturn]] void refuse_sizes() const;
};

/// Steps between neighbours along each dimension, counted in elements. 0 where a dimension is expanded.
class Strides : public Dimensions {
 public:
  using Dimensions::Dimensions;
  explicit Strides(const Dimensions& steps) : Dimensions(steps) {}
};

/// Row-major strides of a contiguous tensor of this shape.
inline Strides row_major(const Shape& shape) {
  Strides strides(shape);
  std::int64_t step = 1;
  for (std::int64_t* stride = strides.end(); stride != strides.begin();) {
    const std::int64_t size = *--stride;
    *stride = step;
    step *= std::max<std::int64_t>(size, 1);
  }
  return strides;
}

/// Where the element of this number, counted in row-major order, stands. NumPy: unravel_index.
/// Precondition: 0 <= element < shape.numel().
Dimensions position_of(std::int64_t element, const Shape& shape);

/// As NumPy writes a shape: "(1, 6, 64)", "(4,)", "()".
std::string to_string(const Dimensions& dimensions);
std::ostream& operator<<(std::ostream& out, const Dimensions& dimensions);

namespace shape_detail {
[[noreturn]] void refuse_axis(std::string_view where, std::int64_t axis, int rank);
}  // namespace shape_detail

/// An axis counted from the front: -1 is the last of `rank`. Throws IndexError naming the axis and its range
/// [-rank, rank - 1]; `where` (an op's name) opens the message.
inline int normalized_axis(std::string_view where, std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) shape_detail::refuse_axis(where, axis, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

/// NumPy's broadcasting: aligned at the last dimension, sizes are equal or one of them is 1.
/// Throws ShapeError naming both shapes and the dimension; `where` opens the message.
Shape broadcast_shapes(std::string_view where, const Shape& a, const Shape& b);

}  // namespace wick
