#pragma once

#include <wick/ops/kernels/attention.inl.h>
#include <wick/ops/kernels/attention_backward.inl.h>
#include <wick/ops/kernels/columns.inl.h>
#include <wick/ops/kernels/cross_entropy.inl.h>
#include <wick/ops/kernels/elementwise.inl.h>
#include <wick/ops/kernels/exp.inl.h>
#include <wick/ops/kernels/gelu.inl.h>
#include <wick/ops/kernels/layer_norm.inl.h>
#include <wick/ops/kernels/log.inl.h>
#include <wick/ops/kernels/matmul.inl.h>
#include <wick/ops/kernels/optimizer.inl.h>
#include <wick/ops/kernels/reduce.inl.h>
#include <wick/ops/kernels/softmax.inl.h>
#include <wick/ops/kernels/table.h>
#include <wick/ops/kernels/tables.h>

namespace wick::kernels {
namespace {

template <typename T, typename A>
constexpr Kernels<T> make_kernels() {
  return {.matmul = matmul_kernel<T, A>,
          .matmul_workspace = matmul_workspace<T, A>,
          .softmax = softmax_kernel<T, A>,
          .softmax_columns = softmax_columns_kernel<T, A>,
          .softmax_backward = softmax_backward_kernel<T, A>,
          .layer_norm = layer_norm_kernel<T, A>,
          .layer_norm_backward = layer_norm_backward_kernel<T, A>,
          .gelu_tanh = gelu_kernel<T, A, TanhGelu>,
          .gelu_exact = gelu_kernel<T, A, NormalGelu>,
          .attention_pack_size = attention_pack_size_kernel<T, A>,
          .attention_backward_size = attention_backward_size_kernel<T, A>,
          .attention_pack = attention_pack_kernel<T, A>,
          .attention = attention_kernel<T, A>,
          .attention_backward = attention_backward_kernel<T, A>,
          .exp = exp_kernel<T, A>,
          .log = log_kernel<T, A>,
          .add = binary_kernel<T, A, Add>,
          .subtract = binary_kernel<T, A, Subtract>,
          .multiply = binary_kernel<T, A, Multiply>,
          .divide = binary_kernel<T, A, Divide>,
          .scale = scale_kernel<T, A>,
          .mask = mask_kernel<T, A>,
          .causal_mask = causal_mask_kernel<T, A>,
          .dropout = dropout_kernel<T, A>,
          .cross_entropy = cross_entropy_kernel<T, A>,
          .cross_entropy_backward = cross_entropy_backward_kernel<T, A>,
          .adamw = adamw_kernel<T, A>,
          .sgd = sgd_kernel<T, A>,
          .sum_of_squares = sum_of_squares_kernel<T, A>,
          .sum = sum_kernel<T, A>,
          .sum_columns = sum_columns_kernel<T, A>,
          .argmax = argmax_kernel<T, A>};
}

/// All kernels of instruction set A. The tables are constinit: nothing may run before the processor has been
/// asked.
template <typename A>
constexpr KernelTable make_table(const char* name) {
  return {.name = name,
          .lanes = Vec<float, A>::lanes,
          .float32 = make_kernels<float, A>(),
          .float64 = make_kernels<double, A>()};
}

}  // namespace
}  // namespace wick::kernels
