#include <wick/ops/kernels/lanes_xsimd.h>
#include <wick/ops/kernels/make_table.inl.h>

constinit const wick::kernels::KernelTable wick::kernels::avx2_table = make_table<Avx2>("avx2");
