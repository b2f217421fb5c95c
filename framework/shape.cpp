#include <algorithm>
#include <ostream>

#include <wick/framework/shape.h>

namespace wick {

void Dimensions::refuse_more() const {
  throw ShapeError("a tensor has at most " + std::to_string(kMaxRank) +
                   " dimensions; these are more, after " + to_string(*this));
}

void Dimensions::refuse(int position) const {
  throw IndexError("dimension " + std::to_string(position) + " of " + to_string(*this) + ", which has " +
                   std::to_string(rank_));
}

void Shape::refuse_sizes() const {
  if (std::any_of(begin(), end(), [](std::int64_t size) { return size < 0; })) {
    throw ShapeError("a shape has no negative sizes: " + to_string(*this));
  }
  throw ShapeError("the number of elements of " + to_string(*this) + " overflows a 64-bit integer");
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

void shape_detail::refuse_axis(std::string_view where, std::int64_t axis, int rank) {
  const std::string range = rank == 0 ? "a tensor of rank 0 has no axes"
                                      : "axes of a tensor of rank " + std::to_string(rank) + " lie in [" +
                                            std::to_string(-rank) + ", " + std::to_string(rank - 1) + "]";
  throw IndexError(std::string(where) + ": axis " + std::to_string(axis) + ": " + range);
}

Shape broadcast_shapes(std::string_view where, const Shape& a, const Shape& b) {
  if (a == b) return a;
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
