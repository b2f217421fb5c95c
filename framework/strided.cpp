#include <wick/framework/strided.h>

namespace wick {

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& target) {
  Strides result(target);
  const int lead = target.rank() - shape.rank();
  for (int axis = 0; axis < target.rank(); ++axis) {
    const bool expanded = axis < lead || (shape[axis - lead] == 1 && target[axis] != 1);
    result[axis] = expanded ? 0 : strides[axis - lead];
  }
  return result;
}

}  // namespace wick
