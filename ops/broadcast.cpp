#include <span>

#include <wick/framework/strided.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/reshape.h>
#include <wick/ops/sum.h>

namespace wick {

Tensor sum_to_shape(const Tensor& gradient, const Shape& shape) {
  if (gradient.shape() == shape) return gradient;
  const int lead = gradient.rank() - shape.rank();
  Dimensions repeated;
  for (int axis = 0; axis < gradient.rank(); ++axis) {
    if (axis < lead || (shape[axis - lead] == 1 && gradient.shape()[axis] != 1)) repeated.push_back(axis);
  }
  return reshape(sum(gradient, repeated), shape);
}

Shape batch_shape(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

Strides batch_strides(const Tensor& x, const Shape& front) {
  const Strides strides(std::span(x.strides().begin(), x.strides().end() - 2));
  return broadcast_strides(batch_shape(x.shape()), strides, front);
}

}  // namespace wick
