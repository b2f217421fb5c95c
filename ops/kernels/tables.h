#pragma once

// One table per unit; each exists where CMakeLists.txt builds its unit, and sets.cpp lists it.

#include <wick/ops/kernels/table.h>

namespace wick::kernels {

extern const KernelTable scalar_table;
extern const KernelTable sse2_table;
extern const KernelTable avx2_table;
extern const KernelTable avx512_table;

}  // namespace wick::kernels
