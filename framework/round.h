#pragma once

#include <wick/framework/tensor.h>

namespace wick {

/// Every element rounded to `decimals` digits after the point, halves to even; a negative count rounds to
/// tens, hundreds and so on. A tensor of its own, outside the graph: it is for print-outs. NumPy: round.
///
/// As NumPy does it, in the tensor's own type: multiplied by 10^decimals, rounded, divided. So 2.675,
/// which is a little less as a float, becomes 2.68, because its product with 100 is 267.5. int64 changes only
/// for negative counts. Throws TypeError for booleans.
Tensor round(const Tensor& tensor, int decimals = 0);

}  // namespace wick
