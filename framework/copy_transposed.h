#pragma once

// Copying where the nearest axes of both sides differ: transposes, by squares. copy.h is what others use.

#include <cstdint>

#include <wick/framework/dtype.h>

namespace wick {

/// Matrices of I x J elements, of which element (i, j) stands at i * to_i + j * to_j in `to` and at
/// i * from_i + j * from_j in `from`. |to_i| and |from_j| are the small steps.
struct Transpose {
  std::int64_t I, J;
  std::int64_t to_i, to_j;
  std::int64_t from_i, from_j;
};

/// Squares of one cache line a side: of `to`, as of `from`, whole lines are met at once.
template <Element T>
inline constexpr std::int64_t kSquare = 64 / sizeof(T);

/// Copies rows [begin, end) of one matrix: those with i in that range. `bytes` is what the whole copy writes,
/// by which large ones are stored past the caches. `begin` is a multiple of kSquare<T>, and so is `end` where
/// it is not I.
template <Element T>
void copy_transposed(const Transpose& m, T* to, const T* from, std::int64_t begin, std::int64_t end,
                     std::int64_t bytes);

}  // namespace wick
