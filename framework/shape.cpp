#include <algorithm>
#include <ostream>

#include <wick/framework/shape.h>

namespace wick {

Dimensions::Dimensions(std::initializer_list<std::int64_t> numbers)
    : Dimensions(std::span(numbers.begin(), numbers.size())) {}

Dimensions::Dimensions(std::span<const std::int64_t> numbers) {
  for (const std::int64_t number : numbers) push_back(number);
}

void Dimensions::push_back(std::int64_t number) {
  if (rank_ == kMaxRank) {
    throw ShapeError("a tensor has at most " + std::to_string(kMaxRank) +
                     " dimensions; these are more, after " + to_string(*this));
  }
  numbers_[static_cast<std::size_t>(rank_++)] = number;
}

void Dimensions::refuse(int position) const {
  throw IndexError("dimension " + std::to_string(position) + " of " + to_string(*this) + ", which has " +
                   std::to_string(rank_));
}

bool operator==(const Dimensions& a, const Dimensions& b) { return std::ranges::equal(a, b); }

Shape::Shape(std::initializer_list<std::int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}

Shape::Shape(std::span<const std::int64_t> sizes) : Dimensions(sizes) { static_cast<void>(numel()); }

std::int64_t Shape::numel() const {
  // Sizes of 0 are left out of the checked product, so that strides, too, always fit.
  std::int64_t product = 1;
  bool empty = false;
  for (const std::int64_t size : *this) {
    if (size < 0) throw ShapeError("a shape has no negative sizes: " + to_string(*this));
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(product, size, &product)) {
      throw ShapeError("the number of elements of " + to_string(*this) + " overflows a 64-bit integer");
    }
  }
  return empty ? 0 : product;
}

Strides row_major(const Shape& shape) {
  Strides strides(std::span(shape.begin(), shape.end()));
  std::int64_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
  return strides;
}

Dimensions position_of(std::int64_t element, const Shape& shape) {
  Dimensions position;
  for (const std::int64_t stride : row_major(shape)) {
    position.push_back(element / stride);
    element %= stride;
  }
  return position;
}

std::string to_string(const Dimensions& dimensions) {
  std::string text = "(";
  for (int i = 0; i < dimensions.rank(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dimensions[i]);
  }
  if (dimensions.rank() == 1) text += ",";
  return text + ")";
}

std::ostream& operator<<(std::ostream& out, const Dimensions& dimensions) {
  return out << to_string(dimensions);
}

int normalized_axis(std::string_view where, std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) {
    const std::string range = rank == 0 ? "a tensor of rank 0 has no axes"
                                        : "axes of a tensor of rank " + std::to_string(rank) + " lie in [" +
                                              std::to_string(-rank) + ", " + std::to_string(rank - 1) + "]";
    throw IndexError(std::string(where) + ": axis " + std::to_string(axis) + ": " + range);
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Shape broadcast_shapes(std::string_view where, const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  const int lead = longer.rank() - shorter.rank();
  Shape result = longer;
  for (int axis = lead; axis < longer.rank(); ++axis) {
    const std::int64_t mine = longer[axis];
    const std::int64_t other = shorter[axis - lead];
    if (mine == 1) {
      result[axis] = other;
    } else if (other != 1 && other != mine) {
      throw ShapeError(std::string(where) + ": " + to_string(a) + " and " + to_string(b) +
                       " do not broadcast: dimension " + std::to_string(axis - longer.rank()) + " is " +
                       std::to_string(a[a.rank() - longer.rank() + axis]) + " and " +
                       std::to_string(b[b.rank() - longer.rank() + axis]));
    }
  }
  static_cast<void>(result.numel());
  return result;
}

}  // namespace wick
