#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <wick/ops/kernels/table.h>

namespace wick {

/// The instruction sets that this build has and this machine can run, from the plainest to the widest:
/// "scalar", "sse2", "avx2", "avx512".
std::vector<std::string> present_instruction_sets();

/// The one that ops use. Chosen once, at the first op or the first call of this: the widest that is present,
/// or what the environment variable WICK_ISA names. Throws ValueError listing what there is where WICK_ISA
/// names none of them.
std::string_view instruction_set();

/// Lets all ops of the process, on every thread, use another set from now on: for tests and comparisons.
/// Throws ValueError listing what there is.
void use_instruction_set(std::string_view name);

/// The kernels of instruction_set(), for ops.
const kernels::KernelTable& active_kernels();

}  // namespace wick
