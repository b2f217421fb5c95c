#include <wick/ops/kernels/sets.h>
#include <wick/ops/kernels/tables.h>

namespace wick::kernels {
namespace {

constexpr const KernelTable* all_sets[] = {
    &scalar_table,
#ifdef WICK_KERNELS_X86_64
    &sse2_table,
    &avx2_table,
    &avx512_table,
#endif
};

}  // namespace

std::span<const KernelTable* const> built_sets() { return all_sets; }

// __builtin_cpu_supports reads what the operating system saves (XGETBV) as well as what the processor has;
// xsimd 8.1's own detection reads the processor alone. Each set is asked for every flag that its unit is
// compiled with.
bool is_present(const KernelTable& table) {
#ifdef WICK_KERNELS_X86_64
  __builtin_cpu_init();
  if (&table == &avx2_table) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (&table == &avx512_table) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
  }
  if (&table == &sse2_table) return true;  // part of x86-64
#endif
  return &table == &scalar_table;
}

}  // namespace wick::kernels
