#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>
#include <wick/ops/broadcast.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/matmul.h>
#include <wick/ops/pieces.h>
#include <wick/ops/reshape.h>
#include <wick/ops/transpose.h>

namespace wick {
namespace {

std::string product(const Shape& a, const Shape& b) {
  return "matmul: " + to_string(a) + " @ " + to_string(b);
}

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
struct Tile {
  std::int64_t first_row;
  std::int64_t end_row;
  std::int64_t first_column;
  std::int64_t end_column;
};

// Runs compute(tile) over all (rows, N), on several threads where there is enough to do. The longer side is
// cut, in blocks that the kernels' tiles fill on every instruction set.
template <typename Compute>
void for_each_tile(std::int64_t rows, std::int64_t N, std::int64_t K, const Compute& compute) {
  constexpr std::int64_t row_block = 16;
  constexpr std::int64_t column_block = 64;
  const std::int64_t row_blocks = (rows + row_block - 1) / row_block;
  const std::int64_t column_blocks = (N + column_block - 1) / column_block;
  if (row_blocks < 2 && column_blocks < 2) return compute(Tile{0, rows, 0, N});  // spares the divisions
  if (row_blocks >= column_blocks) {
    const std::int64_t grain = rows_per_piece(kProductsPerPiece, {row_block, N, K});
    parallel_for(row_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      compute(Tile{begin * row_block, std::min(rows, end * row_block), 0, N});
    });
  } else {
    const std::int64_t grain = rows_per_piece(kProductsPerPiece, {column_block, rows, K});
    parallel_for(column_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      compute(Tile{0, rows, begin * column_block, std::min(N, end * column_block)});
    });
  }
}

// dA = dY Bᵀ and dB = Aᵀ dY, each summed over the dimensions that broadcasting repeated.
class MatmulNode final : public Node {
 public:
  MatmulNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        a_(this, needs_gradient(1) ? a : Tensor()),
        b_(this, needs_gradient(0) ? b : Tensor()),
        a_shape_(a.shape()),
        b_shape_(b.shape()) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? sum_to_shape(matmul(gradient, transpose(b_.get())), a_shape_) : Tensor(),
            needs_gradient(1) ? gradient_of_b(gradient) : Tensor()};
  }

 private:
  Tensor gradient_of_b(const Tensor& gradient) const {
    const Tensor& a = a_.get();
    if (b_shape_.rank() > 2) return sum_to_shape(matmul(transpose(a), gradient), b_shape_);
    // One matrix for the whole batch: the sum over the batch is one longer product, (K, …M) @ (…M, N).
    std::int64_t M = 1;
    for (int axis = 0; axis + 1 < a.rank(); ++axis) M *= a.shape()[axis];
    const Tensor rows = reshape(a, {M, a.size(-1)});
    return matmul(transpose(rows), reshape(gradient, {M, gradient.size(-1)}));
  }

  Saved a_;
  Saved b_;
  Shape a_shape_;
  Shape b_shape_;
};

}  // namespace

Shape matmul_shape(const Shape& a, const Shape& b) {
  if (a.rank() < 2 || b.rank() < 2) throw ShapeError(product(a, b) + ": both need rank 2 or more");
  if (a.back() != b[b.rank() - 2]) {
    throw ShapeError(product(a, b) + ": inner dimensions " + std::to_string(a.back()) + " and " +
                     std::to_string(b[b.rank() - 2]) + " differ");
  }
  Shape shape = broadcast_shapes(product(a, b), front_of(a), front_of(b));
  shape.push_back(a[a.rank() - 2]);
  shape.push_back(b.back());
  static_cast<void>(shape.numel());
  return shape;
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  require_same_floating("matmul", a, b);
  Tensor y(matmul_shape(a.shape(), b.shape()), a.dtype());
  const std::int64_t N = y.size(-1);
  const std::int64_t K = a.size(-1);

  // Rows of a for which b stays in place are one product, be they of one matrix or of a whole batch:
  // (B, T, C) @ (C, hs).
  const Shape front = front_of(y.shape());
  Shape rows = front;
  rows.push_back(y.size(-2));
  const std::array<Strides, 3> strides = {row_strides(y, front, true), row_strides(a, front, true),
                                          row_strides(b, front, false)};
  const std::int64_t k_of_a = a.strides()[a.rank() - 1];
  const std::int64_t k_of_b = b.strides()[b.rank() - 2];
  const std::int64_t j_of_b = b.strides()[b.rank() - 1];
  visit_floating(y.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().matmul;
    const T* a_data = a.data<T>();
    const T* b_data = b.data<T>();
    T* out = y.mutable_data<T>();
    for_each_tile(rows.numel(), N, K, [&](const Tile& tile) {
      const std::int64_t columns = tile.end_column - tile.first_column;
      const auto multiply = [&](auto offsets, std::int64_t n, auto steps) {
        const bool is_one_product = steps[2] == 0;
        const std::int64_t M = is_one_product ? n : 1;
        for (std::int64_t i = 0; i < n; i += M) {
          kernel(M, columns, K, {a_data + offsets[1] + i * steps[1], steps[1], k_of_a},
                 {b_data + offsets[2] + i * steps[2] + tile.first_column * j_of_b, k_of_b, j_of_b},
                 out + offsets[0] + i * steps[0] + tile.first_column, steps[0]);
        }
      };
      for_each_row<3>(rows, strides, tile.first_row, tile.end_row, multiply);
    });
  });
  return record<MatmulNode>("matmul", {&a, &b}, std::move(y), a, b);
}

}  // namespace wick
