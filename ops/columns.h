#pragma once

// From views to columns: what runs along an axis in the middle goes down the columns of matrices, where they
// lie.

#include <array>
#include <cstdint>

#include <wick/framework/shape.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>
#include <wick/ops/pieces.h>

namespace wick {

/// A contiguous tensor as matrices of n rows, one after the other, down whose columns an op runs.
struct Split {
  std::int64_t outer = 1;  ///< matrices
  std::int64_t n = 1;      ///< their rows: the axes that the op runs along
  std::int64_t inner = 1;  ///< their columns; 1 where those axes are the last ones, or do not stand together
};

/// For a tensor of shape x; along[axis] says whether the op runs along an axis. Axes of size 1 are passed
/// over, so that they part no others; where no other axis is left to run along, n is 1 and all is `outer`.
/// Where the axes to run along do not stand together, there are no such matrices, and all three numbers are
/// 1, whatever the sizes: a caller that allows several axes reads outer and n only where inner is above 1.
inline Split split_at(const Shape& x, const std::array<bool, kMaxRank>& along) {
  Split split;
  bool is_behind = false;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (x[axis] == 1) continue;
    if (!along[static_cast<std::size_t>(axis)]) {
      (is_behind ? split.inner : split.outer) *= x[axis];
    } else if (split.inner > 1) {
      return {};
    } else {
      is_behind = true;
      split.n *= x[axis];
    }
  }
  return split;
}

/// Calls run(first, column, count) for columns that stand side by side in one matrix: `first` is the offset
/// of their first element, `column` their number, counted over all matrices. Threads share all columns of all
/// matrices, in pieces of so much `work` (pieces.h).
template <typename Run>
void for_each_run_of_columns(const Split& split, std::int64_t work, const Run& run) {
  parallel_for(
      split.outer * split.inner, rows_per_piece(work, {split.n}), [&](std::int64_t begin, std::int64_t end) {
        for_each_group(begin, end, split.inner,
                       [&](std::int64_t matrix, std::int64_t first, std::int64_t count) {
                         run(matrix * split.n * split.inner + first, matrix * split.inner + first, count);
                       });
      });
}

}  // namespace wick
