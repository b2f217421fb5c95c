#include <algorithm>
#include <array>

#include <wick/framework/strided.h>
#include <wick/framework/threads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/matmul.h>
#include <wick/ops/pieces.h>
#include <wick/ops/product.h>
#include <wick/ops/reshape.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

// Strides over the rows of the result, as `front` and M broadcast them: one that has no rows of its own (b)
// stays in place along them.
Strides row_strides(const Tensor& x, const Shape& front, bool has_rows) {
  Strides strides = batch_strides(x, front);
  strides.push_back(has_rows ? x.strides()[x.rank() - 2] : 0);
  return strides;
}

// The elements of a result that one thread computes: rows are counted over the whole batch.
struct Part {
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_column;
  std::int64_t end_column;
};

// Runs compute(part) over all (rows, N), on several threads where there is enough to do. The longer side is
// cut, in blocks of rows enough for a tile, or of columns enough for panels.
template <typename Compute>
void for_each_part(std::int64_t rows, std::int64_t N, std::int64_t K, const Compute& compute) {
  constexpr std::int64_t row_block = 16;     // a register tile has up to 14 rows
  constexpr std::int64_t column_block = 64;  // a panel of b has up to 4 vectors, 64 floats with AVX-512
  const std::int64_t row_blocks = (rows + row_block - 1) / row_block;
  const std::int64_t column_blocks = (N + column_block - 1) / column_block;
  if (row_blocks < 2 && column_blocks < 2) return compute(Part{0, rows, 0, N});  // spares the divisions
  if (row_blocks >= column_blocks) {
    const std::int64_t grain = rows_per_piece(kProductsPerPiece, {row_block, N, K});
    parallel_for(row_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      compute(Part{begin * row_block, std::min(rows, end * row_block), 0, N});
    });
  } else {
    const std::int64_t grain = rows_per_piece(kProductsPerPiece, {column_block, rows, K});
    parallel_for(column_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      compute(Part{0, rows, begin * column_block, std::min(N, end * column_block)});
    });
  }
}

// One call of the kernel, with the workspace that it is faster with.
template <typename T>
void multiply(const kernels::Kernels<T>& kernels, kernels::Product<T> product) {
  const std::int64_t size = kernels.matmul_workspace(product.M, product.N, product.K);
  if (size == 0) return kernels.matmul(product);
  Tensor workspace({size}, dtype_of<T>);
  product.workspace = workspace.mutable_data<T>();
  kernels.matmul(product);
}

// One product, however many rows there are: a's lie row_of_a apart, over the whole batch.
template <typename T>
void multiply_matrix(const Tensor& a, std::int64_t row_of_a, const Tensor& b, const T* bias, Tensor& y) {
  const kernels::Kernels<T>& kernels = active_kernels().in<T>();
  const std::int64_t N = y.shape().back();
  const std::int64_t M = N == 0 ? 0 : y.numel() / N;
  const kernels::Product<T> whole = {
      .M = M,
      .N = N,
      .K = a.shape().back(),
      .a = {a.data<T>(), row_of_a, a.strides()[-1]},
      .b = {b.data<T>(), b.strides()[-2], b.strides()[-1]},
      .out = y.mutable_data<T>(),
      .out_row_stride = N,
      .bias = bias,
  };
  for_each_part(M, N, whole.K, [&](const Part& part) {
    kernels::Product<T> product = whole;
    product.M = part.end_row - part.first_row;
    product.N = part.end_column - part.first_column;
    product.a.data += part.first_row * row_of_a;
    product.b.data += part.first_column * whole.b.column_stride;
    product.out += part.first_row * N + part.first_column;
    if (bias != nullptr) product.bias += part.first_column;
    multiply(kernels, product);
  });
}

// A product for each matrix of b, or for each run of rows along which b stays in place.
template <typename T>
void multiply_batch(const Tensor& a, const Tensor& b, const T* bias, Tensor& y) {
  const kernels::Kernels<T>& kernels = active_kernels().in<T>();
  const Shape front = batch_shape(y.shape());
  Shape rows = front;
  rows.push_back(y.size(-2));
  const std::array<Strides, 3> strides = {row_strides(y, front, true), row_strides(a, front, true),
                                          row_strides(b, front, false)};
  const T* a_data = a.data<T>();
  const T* b_data = b.data<T>();
  T* out = y.mutable_data<T>();
  const std::int64_t k_of_a = a.strides()[-1];
  const std::int64_t k_of_b = b.strides()[-2];
  const std::int64_t j_of_b = b.strides()[-1];
  const std::int64_t K = a.size(-1);
  for_each_part(rows.numel(), y.size(-1), K, [&](const Part& part) {
    const auto multiply_rows = [&](auto offsets, std::int64_t n, auto steps) {
      const std::int64_t M = steps[2] == 0 ? n : 1;
      for (std::int64_t i = 0; i < n; i += M) {
        multiply<T>(kernels,
                    {.M = M,
                     .N = part.end_column - part.first_column,
                     .K = K,
                     .a = {a_data + offsets[1] + i * steps[1], steps[1], k_of_a},
                     .b = {b_data + offsets[2] + i * steps[2] + part.first_column * j_of_b, k_of_b, j_of_b},
                     .out = out + offsets[0] + i * steps[0] + part.first_column,
                     .out_row_stride = steps[0],
                     .bias = bias == nullptr ? nullptr : bias + part.first_column});
      }
    };
    for_each_row<3>(rows, strides, part.first_row, part.end_row, multiply_rows);
  });
}

}  // namespace

Tensor product(const Tensor& a, const Tensor& b, const Shape& shape, const Tensor* bias) {
  Tensor y(shape, a.dtype());
  // (B, T, C) @ (C, hs) is one product with all rows of the batch, where those lie evenly.
  const bool is_one_matrix = b.numel() == b.shape()[-2] * b.shape()[-1];
  const bool is_gapless = a.is_contiguous();
  visit_floating(y.dtype(), [&]<typename T>() {
    const auto run = [&](const T* added) {
      if (is_one_matrix && is_gapless) {
        multiply_matrix(a, a.shape().back(), b, added, y);
      } else if (is_one_matrix && a.numel() == a.shape()[-2] * a.shape()[-1]) {
        multiply_matrix(a, a.strides()[-2], b, added, y);
      } else {
        multiply_batch(a, b, added, y);
      }
    };
    if (bias == nullptr) return run(nullptr);
    const Tensor added = bias->contiguous();
    run(added.data<T>());
  });
  return y;
}

Tensor gradient_of_left(const Tensor& gradient, const Tensor& b, const Shape& a_shape) {
  const Tensor transposed = swapped_axes(b, b.rank() - 2, b.rank() - 1);
  return sum_to_shape(product(gradient, transposed, matmul_shape(gradient.shape(), transposed.shape())),
                      a_shape);
}

Tensor gradient_of_right(const Tensor& a, const Tensor& gradient, const Shape& b_shape) {
  if (b_shape.rank() > 2) return sum_to_shape(matmul(transpose(a), gradient), b_shape);
  // (…M, n) as one matrix.
  const auto as_rows = [](const Tensor& x) {
    const std::int64_t n = x.size(-1);
    std::int64_t M = 1;
    for (int axis = 0; axis + 1 < x.rank(); ++axis) M *= x.shape()[axis];
    return x.is_contiguous() ? x.strided_view({M, n}, {n, 1}) : reshape(x, {M, n});
  };
  return product(swapped_axes(as_rows(a), 0, 1), as_rows(gradient), b_shape);
}

}  // namespace wick
