#pragma once

#include <wick/framework/dtype.h>
#include <wick/framework/shape.h>

namespace wick {

/// Copies the elements of one layout into another of the same shape: any strides, on either side. On several
/// threads where there is enough to do. The memory of `to` and `from` does not overlap, and no element of
/// `to` is named twice.
template <Element T>
void copy_strided(const Shape& shape, T* to, const Strides& to_strides, const T* from,
                  const Strides& from_strides);

}  // namespace wick
