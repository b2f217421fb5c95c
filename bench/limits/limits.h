#pragma once

#include <cstdint>
#include <string_view>

#include <wick/framework/dtype.h>

namespace wick::bench {

/// FLOP/s that one thread reaches with multiplications and additions in registers, in an instruction set and
/// a type: the best of many runs, measured at the first call. 0 where no limit is known.
double fma_limit(std::string_view set, DType dtype);

/// Bytes a second, read and written, of memcpy of `bytes` bytes, on as many threads as ops have: the best of
/// many runs, measured at the first call.
double memcpy_limit(std::int64_t bytes);

/// Copies `bytes` bytes, as memcpy_limit() does.
void copy_once(std::int64_t bytes);

/// Registers "limit/fma/avx512/float32" and so on, for all sets that are present.
void register_fma_limits();

/// Registers "limit/memcpy/BYTES".
void register_memcpy_limit(std::int64_t bytes);

}  // namespace wick::bench
