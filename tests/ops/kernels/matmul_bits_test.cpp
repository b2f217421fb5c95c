// The matrix product's bits: neither place nor layout nor workspace shows in them.

#include "matmul_problem.h"

namespace wick::kernels {
namespace {

template <typename T>
class MatmulBitsTest : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulBitsTest, Scalars);

/// Contiguous, transposed, every other element, wide rows: on either side, the same bits.
TYPED_TEST(MatmulBitsTest, StridesDoNotShowInTheBits) {
  using T = TypeParam;
  struct Layout {
    std::int64_t row, column;  // strides of a matrix
  };
  const auto layouts = [](std::int64_t rows, std::int64_t columns) {
    return std::vector<Layout>{{columns, 1},  {columns + 5, 1}, {1, rows},
                               {1, rows + 2}, {2 * columns, 2}, {3, 3 * rows + 1}};
  };
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    for (const std::int64_t M : {1, 5, 13}) {
      for (const std::int64_t N : {std::int64_t{1}, lanes, lanes + 1, 2 * lanes, 2 * lanes + 3}) {
        for (const std::int64_t K : {1, 6, 300}) {
          const Problem<T> problem(M, N, K, 13);
          const std::vector<T> expected = problem.multiply(*table);
          for (const Layout in_a : layouts(M, K)) {
            for (const Layout in_b : layouts(K, N)) {
              for (const Against against : {Against::end, Against::begin}) {
                Guarded<T> a = spread(problem.a, M, K, in_a.row, in_a.column, against);
                Guarded<T> b = spread(problem.b, K, N, in_b.row, in_b.column, against);
                Guarded<T> out(M * N, against);
                table->in<T>().matmul({M,
                                       N,
                                       K,
                                       {a.data(), in_a.row, in_a.column},
                                       {b.data(), in_b.row, in_b.column},
                                       out.data(),
                                       N});
                ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values()))
                    << M << " " << N << " " << K << ", a by " << in_a.row << ", " << in_a.column << ", b by "
                    << in_b.row << ", " << in_b.column;
                ASSERT_TRUE(out.is_ring_whole());
              }
            }
          }
        }
      }
    }
  }
}

/// An expanded operand has stride 0 along rows, columns or both.
TYPED_TEST(MatmulBitsTest, ExpandedOperandsEqualTheirCopies) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t M = 7, K = 20, N = 2 * lanes_of<T>(*table) + 1;
    for (const bool rows : {false, true}) {
      for (const bool columns : {false, true}) {
        Problem<T> problem(M, N, K, 17);
        const std::vector<T> a = problem.a, b = problem.b;
        const std::int64_t a_row = rows ? 0 : K, a_column = columns ? 0 : 1;
        const std::int64_t b_row = rows ? 0 : N, b_column = columns ? 0 : 1;
        for (std::int64_t k = 0; k < K; ++k) {
          for (std::int64_t i = 0; i < M; ++i) {
            problem.a[static_cast<std::size_t>(i * K + k)] =
                a[static_cast<std::size_t>(i * a_row + k * a_column)];
          }
          for (std::int64_t j = 0; j < N; ++j) {
            problem.b[static_cast<std::size_t>(k * N + j)] =
                b[static_cast<std::size_t>(k * b_row + j * b_column)];
          }
        }
        Guarded<T> out(M * N);
        table->in<T>().matmul(
            {M, N, K, {a.data(), a_row, a_column}, {b.data(), b_row, b_column}, out.data(), N});
        const std::vector<T> expected = problem.multiply(*table);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << rows << columns;
      }
    }
  }
}

/// The invariant: rows of a permuted, columns of b permuted, each row alone, each column alone.
TYPED_TEST(MatmulBitsTest, PlaceDoesNotShowInTheBits) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t M = 29, K = 37, N = 5 * lanes_of<T>(*table) + 3;
    const Problem<T> problem(M, N, K, 19);
    const std::vector<T> out = problem.multiply(*table);
    const auto at = [&](std::int64_t i, std::int64_t j) { return out[static_cast<std::size_t>(i * N + j)]; };

    Numbers numbers(23);
    const std::vector<std::int64_t> rows = numbers.permutation(M), columns = numbers.permutation(N);
    Problem<T> permuted = problem;
    std::vector<T> expected;
    for (std::int64_t i = 0; i < M; ++i) {
      for (std::int64_t k = 0; k < K; ++k) {
        permuted.a[static_cast<std::size_t>(i * K + k)] = problem.a_at(rows[static_cast<std::size_t>(i)], k);
      }
      for (std::int64_t j = 0; j < N; ++j) {
        expected.push_back(at(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]));
      }
    }
    for (std::int64_t k = 0; k < K; ++k) {
      for (std::int64_t j = 0; j < N; ++j) {
        permuted.b[static_cast<std::size_t>(k * N + j)] =
            problem.b_at(k, columns[static_cast<std::size_t>(j)]);
      }
    }
    ASSERT_TRUE(same_bits(expected, permuted.multiply(*table)));

    for (std::int64_t i = 0; i < M; ++i) {
      Guarded<T> alone(N);
      table->in<T>().matmul(
          {1, N, K, {problem.a.data() + i * K, K, 1}, {problem.b.data(), N, 1}, alone.data(), N});
      ASSERT_TRUE(same_bits(
          std::span<const T>(out).subspan(static_cast<std::size_t>(i * N), static_cast<std::size_t>(N)),
          alone.values()))
          << "row " << i;
    }
    for (std::int64_t j = 0; j < N; ++j) {
      Guarded<T> alone(M);
      table->in<T>().matmul(
          {M, 1, K, {problem.a.data(), K, 1}, {problem.b.data() + j, N, 1}, alone.data(), 1});
      std::vector<T> column;
      for (std::int64_t i = 0; i < M; ++i) column.push_back(at(i, j));
      ASSERT_TRUE(same_bits(std::span<const T>(column), alone.values())) << "column " << j;
    }
  }
}

/// A cached key: what stands behind weights of 0 does not change the sum of the others.
TYPED_TEST(MatmulBitsTest, ZerosAtTheEndOfKChangeNothing) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t K = 300, N = lanes_of<T>(*table) + 2;
    Problem<T> problem(1, N, K, 29);
    const std::int64_t used = 270;
    for (std::int64_t k = used; k < K; ++k) problem.a[static_cast<std::size_t>(k)] = 0;
    std::vector<T> shorter(static_cast<std::size_t>(N));
    table->in<T>().matmul(
        {1, N, used, {problem.a.data(), K, 1}, {problem.b.data(), N, 1}, shorter.data(), N});
    ASSERT_TRUE(same_bits(shorter, problem.multiply(*table)));
  }
}

/// Products that are worth a copy of a: around what a block of rows or of k holds, with exactly the workspace
/// that is asked for, from every layout of either side, with rows of out further apart than they are long.
TYPED_TEST(MatmulBitsTest, TheWorkspaceDoesNotShowInTheBits) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    int with_workspace = 0;
    for (const std::int64_t M : {450, 700}) {
      for (const std::int64_t N : {2 * lanes + 1, 4 * lanes + 3}) {
        for (const std::int64_t K : {70, 256, 257}) {
          const Problem<T> problem(M, N, K, 37);
          const std::int64_t size = table->in<T>().matmul_workspace(M, N, K);
          if (size == 0) continue;
          ++with_workspace;
          const std::vector<T> expected = problem.multiply(*table);
          ASSERT_TRUE(same_bits(problem.chains(is_fused(*table)), expected));
          for (const bool transposes : {false, true}) {
            Guarded<T> a = transposes ? spread(problem.a, M, K, 1, M, Against::end)
                                      : spread(problem.a, M, K, K, 1, Against::end);
            Guarded<T> b = transposes ? spread(problem.b, K, N, 1, K, Against::end)
                                      : spread(problem.b, K, N, N, 1, Against::end);
            Guarded<T> workspace(size, Against::end);
            const std::int64_t stride = N + 3;
            Guarded<T> out((M - 1) * stride + N);
            table->in<T>().matmul({.M = M,
                                   .N = N,
                                   .K = K,
                                   .a = {a.data(), transposes ? 1 : K, transposes ? M : 1},
                                   .b = {b.data(), transposes ? 1 : N, transposes ? K : 1},
                                   .out = out.data(),
                                   .out_row_stride = stride,
                                   .workspace = workspace.data()});
            std::vector<T> got;
            for (std::int64_t i = 0; i < M; ++i) {
              for (std::int64_t j = 0; j < N; ++j) got.push_back(out[i * stride + j]);
            }
            ASSERT_TRUE(same_bits(expected, got)) << M << " " << N << " " << K << " " << transposes;
            ASSERT_TRUE(out.is_ring_whole());
            ASSERT_TRUE(workspace.is_ring_whole());
          }
        }
      }
    }
    ASSERT_GT(with_workspace, 0);
  }
}

}  // namespace
}  // namespace wick::kernels
