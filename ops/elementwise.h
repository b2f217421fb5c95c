#pragma once

#include <string_view>

#include <wick/framework/tensor.h>
#include <wick/ops/kernels/table.h>

namespace wick {

/// The forward of add, subtract, mul and divide: checks types, broadcasts, and runs one kernel of the table
/// over rows.
Tensor elementwise(std::string_view op, const Tensor& a, const Tensor& b,
                   kernels::BinaryKernel<float> kernels::Kernels<float>::*in_float32,
                   kernels::BinaryKernel<double> kernels::Kernels<double>::*in_float64);

}  // namespace wick
