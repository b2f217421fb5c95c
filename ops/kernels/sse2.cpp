#include <wick/ops/kernels/lanes_xsimd.h>
#include <wick/ops/kernels/make_table.inl.h>

constinit const wick::kernels::KernelTable wick::kernels::sse2_table = make_table<xsimd::sse2>("sse2");
