#include <wick/ops/checks.h>
#include <wick/ops/elementwise.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/rows.h>

namespace wick {
namespace {

template <typename T>
void run(const Tensor& a, const Tensor& b, Tensor& y, kernels::BinaryKernel<T> kernel) {
  for_each_piece<T, T, T>(a, b, y, [&](RowPiece<T> left, RowPiece<T> right, T* out, std::int64_t n) {
    kernel(left.data, left.step, right.data, right.step, out, n);
  });
}

}  // namespace

Tensor elementwise(std::string_view op, const Tensor& a, const Tensor& b,
                   kernels::BinaryKernel<float> kernels::Kernels<float>::*in_float32,
                   kernels::BinaryKernel<double> kernels::Kernels<double>::*in_float64) {
  require_same_floating(op, a, b);
  Tensor y(broadcast_shapes(op, a.shape(), b.shape()), a.dtype());
  if (y.dtype() == float32) {
    run<float>(a, b, y, active_kernels().float32.*in_float32);
  } else {
    run<double>(a, b, y, active_kernels().float64.*in_float64);
  }
  return y;
}

}  // namespace wick
