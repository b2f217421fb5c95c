#pragma once

// How much of an op's work is worth a thread of its own: the grains for parallel_for().
//
// Waking a thread and waiting for it takes 1 to 3 microseconds, the whole time of a small op. Each number is
// half of the smallest work that two threads were found to do sooner than one, on AVX-512 in float32, whether
// called again at once or after 3 ms of something else (medians of 2000 and of 150 calls, GCC's runtime, two
// processors). Half as much work, split in two, took up to 1.1 times as long as in one thread; a quarter, up
// to 1.8 times. Slower instruction sets would gain from smaller pieces, but lose nothing by these.

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace wick {

/// Multiply-adds of a matrix product: 2^19 of them took 7.5 us in one thread, 4.9 us in two.
inline constexpr std::int64_t kProductsPerPiece = 1 << 18;

/// Elements that take an exponential each: 2^14 took 4.2 us and 3.4 us.
inline constexpr std::int64_t kExponentialsPerPiece = 1 << 13;

/// Elements that take an instruction each, so that memory is what takes the time: 2^16 took 7.5 us and 4.9
/// us.
inline constexpr std::int64_t kElementsPerPiece = 1 << 15;

/// The grain over rows: as many as make up `work`. The work of one row is the product of `sizes`, which may
/// be too large to be multiplied out.
inline std::int64_t rows_per_piece(std::int64_t work, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t size : sizes) work = (work - 1) / std::max<std::int64_t>(size, 1) + 1;
  return work;
}

}  // namespace wick
