#include <wick/ops/kernels/lanes_scalar.h>
#include <wick/ops/kernels/make_table.inl.h>

constinit const wick::kernels::KernelTable wick::kernels::scalar_table = make_table<Scalar>("scalar");
