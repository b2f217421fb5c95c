#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include <wick/framework/convert.h>
#include <wick/framework/tensor.h>

namespace wick {

/// Memory with undefined content. NumPy: empty.
Tensor empty(const Shape& shape, DType dtype = float32);

Tensor zeros(const Shape& shape, DType dtype = float32);
Tensor ones(const Shape& shape, DType dtype = float32);
Tensor full(const Shape& shape, Number value, DType dtype = float32);

/// 0, 1, …, stop - 1. NumPy: arange(stop).
Tensor arange(std::int64_t stop, DType dtype = int64);

/// start, start + step, … before stop (after it where step is negative). Throws ValueError for step 0. NumPy:
/// arange.
Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step = 1, DType dtype = int64);

/// Whole numbers only: steps of 0.1 end where rounding lets them. scale(arange(10, float64), 0.1) says what
/// is meant.
template <typename... Numbers>
requires(std::is_floating_point_v<Numbers> || ...) Tensor arange(Numbers...)
= delete;

/// Numbers in braces, nested to any depth up to kMaxRank: {{1, 2, 3}, {4, 5, 6}} is (2, 3). See tensor().
class NestedList {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> NestedList(T number) : number_(number) {}
  NestedList(std::initializer_list<NestedList> items) : items_(items), is_list_(true) {}

 private:
  friend Tensor tensor(const NestedList& numbers, DType dtype);
  friend Tensor tensor(const NestedList& numbers);

  Shape shape() const;
  bool has_kind(DType kind) const;
  template <Element T>
  void write(T*& out) const;

  std::vector<NestedList> items_;
  Number number_ = 0;
  bool is_list_ = false;
};

/// A tensor from nested lists. NumPy: array. Throws ShapeError naming the ragged row where the lists differ
/// in length.
Tensor tensor(const NestedList& numbers, DType dtype);

/// The same, in the type of the numbers: boolean where all are bool, int64 where all are whole numbers
/// without a point, float32 otherwise.
Tensor tensor(const NestedList& numbers);

/// A copy of numbers in memory, in row-major order. Throws ShapeError where their count is not shape.numel().
template <Element T>
Tensor from_span(std::span<const T> numbers, const Shape& shape);

/// The same from a vector, rank 1 unless a shape is given.
template <Element T>
Tensor from_vector(const std::vector<T>& numbers);
template <Element T>
Tensor from_vector(const std::vector<T>& numbers, const Shape& shape);

}  // namespace wick
