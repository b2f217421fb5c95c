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

Shape front_of(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

// Strides over the rows of the result, as `front` and M broadcast them: one that has no rows of its own (b)
// stays in place along them.
Strides row_strides(const Tensor& x, const Shape& front, bool has_rows) {
  Strides strides = broadcast_strides(front_of(x.shape()),
                                      Strides(std::span(x.strides().begin(), x.strides().end() - 2)), front);
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
// cut, in blocks that the kernels' tiles fill on every instruction set.
template <typename Compute>
void for_each_part(std::int64_t rows, std::int64_t N, std::int64_t K, const Compute& compute) {
  constexpr std::int64_t row_block = 16;
  constexpr std::int64_t column_block = 64;
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

// Memory for a kernel, its size known only where it is used.
template <typename T>
T* workspace(Tensor& holder, std::int64_t size) {
  if (size == 0) return nullptr;
  if (!holder.defined() || holder.numel() < size) holder = Tensor({size}, dtype_of<T>);
  return holder.mutable_data<T>();
}

}  // namespace

Tensor product(const Tensor& a, const Tensor& b, const Shape& shape, const Tensor* bias) {
  Tensor y(shape, a.dtype());
  const std::int64_t N = y.size(-1);
  const std::int64_t K = a.size(-1);

  // Rows of a for which b stays in place are one product, be they of one matrix or of a whole batch:
  // (B, T, C) @ (C, hs).
  const Shape front = front_of(shape);
  Shape rows = front;
  rows.push_back(y.size(-2));
  const std::array<Strides, 3> strides = {row_strides(y, front, true), row_strides(a, front, true),
                                          row_strides(b, front, false)};
  const std::int64_t k_of_a = a.strides()[a.rank() - 1];
  const std::int64_t k_of_b = b.strides()[b.rank() - 2];
  const std::int64_t j_of_b = b.strides()[b.rank() - 1];
  visit_floating(y.dtype(), [&]<typename T>() {
    const kernels::Kernels<T>& kernels = active_kernels().in<T>();
    const Tensor added = bias == nullptr ? Tensor() : bias->contiguous();
    const T* first_added = bias == nullptr ? nullptr : added.data<T>();
    const T* a_data = a.data<T>();
    const T* b_data = b.data<T>();
    T* out = y.mutable_data<T>();
    for_each_part(rows.numel(), N, K, [&](const Part& part) {
      Tensor memory;
      const std::int64_t columns = part.end_column - part.first_column;
      const auto multiply = [&](auto offsets, std::int64_t n, auto steps) {
        const bool is_one_product = steps[2] == 0;
        const std::int64_t M = is_one_product ? n : 1;
        T* const space = workspace<T>(memory, kernels.matmul_workspace(M, columns, K));
        for (std::int64_t i = 0; i < n; i += M) {
          kernels.matmul(
              {.M = M,
               .N = columns,
               .K = K,
               .a = {a_data + offsets[1] + i * steps[1], steps[1], k_of_a},
               .b = {b_data + offsets[2] + i * steps[2] + part.first_column * j_of_b, k_of_b, j_of_b},
               .out = out + offsets[0] + i * steps[0] + part.first_column,
               .out_row_stride = steps[0],
               .bias = first_added == nullptr ? nullptr : first_added + part.first_column,
               .workspace = space});
        }
      };
      for_each_row<3>(rows, strides, part.first_row, part.end_row, multiply);
    });
  });
  return y;
}

Tensor gradient_of_left(const Tensor& gradient, const Tensor& b, const Shape& a_shape) {
  return sum_to_shape(matmul(gradient, transpose(b)), a_shape);
}

Tensor gradient_of_right(const Tensor& a, const Tensor& gradient, const Shape& b_shape) {
  if (b_shape.rank() > 2) return sum_to_shape(matmul(transpose(a), gradient), b_shape);
  std::int64_t M = 1;
  for (int axis = 0; axis + 1 < a.rank(); ++axis) M *= a.shape()[axis];
  const Tensor rows = reshape(a, {M, a.size(-1)});
  return matmul(transpose(rows), reshape(gradient, {M, gradient.size(-1)}));
}

}  // namespace wick
