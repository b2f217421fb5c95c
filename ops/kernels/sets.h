#pragma once

#include <span>

#include <wick/ops/kernels/table.h>

namespace wick::kernels {

/// The tables built into this library, from the plainest to the widest; the first is always "scalar".
std::span<const KernelTable* const> built_sets();

/// True where the processor has the table's instructions and the operating system saves their registers.
bool is_present(const KernelTable& table);

}  // namespace wick::kernels
