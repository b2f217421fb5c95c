#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class MatmulTest : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulTest, Scalars);

/// a (M, K) and b (K, N), row-major, and what the tests want to know of them.
template <typename T>
struct Problem {
  std::int64_t M, N, K;
  std::vector<T> a, b;

  Problem(std::int64_t m, std::int64_t n, std::int64_t k, std::uint64_t seed) : M(m), N(n), K(k) {
    Numbers numbers(seed);
    a = numbers.vector<T>(M * K);
    b = numbers.vector<T>(K * N);
  }
  T a_at(std::int64_t i, std::int64_t k) const { return a[static_cast<std::size_t>(i * K + k)]; }
  T b_at(std::int64_t k, std::int64_t j) const { return b[static_cast<std::size_t>(k * N + j)]; }

  /// The contract to the letter: one chain over k for each element, with one rounding per step or with two.
  std::vector<T> chains(bool fused) const {
    std::vector<T> out;
    for (std::int64_t i = 0; i < M; ++i) {
      for (std::int64_t j = 0; j < N; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < K; ++k) {
          sum = fused ? std::fma(a_at(i, k), b_at(k, j), sum) : sum + a_at(i, k) * b_at(k, j);
        }
        out.push_back(sum);
      }
    }
    return out;
  }

  std::vector<T> multiply(const KernelTable& table) const {
    std::vector<T> out(static_cast<std::size_t>(M * N), nan<T>);
    table.in<T>().matmul({M, N, K, {a.data(), K, 1}, {b.data(), N, 1}, out.data(), N});
    return out;
  }
};

/// A matrix of rows × columns, its elements `row_stride` and `column_stride` apart, with NaN between them.
template <typename T>
Guarded<T> spread(const std::vector<T>& values, std::int64_t rows, std::int64_t columns,
                  std::int64_t row_stride, std::int64_t column_stride, Against against) {
  const bool empty = rows == 0 || columns == 0;
  const std::int64_t size = empty ? 0 : (rows - 1) * row_stride + (columns - 1) * column_stride + 1;
  std::vector<T> memory(static_cast<std::size_t>(size), nan<T>);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      memory[static_cast<std::size_t>(i * row_stride + j * column_stride)] =
          values[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return Guarded<T>(memory, against);
}

/// Every size near a tile's or a vector's edge, with rows of out further apart than they are long.
TYPED_TEST(MatmulTest, IsOneChainPerElementAtEverySize) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t M : {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 14, 15, 29}) {
      for (const std::int64_t N : sizes_around(lanes_of<T>(*table))) {
        for (const std::int64_t K : {0, 1, 2, 9}) {
          SCOPED_TRACE(::testing::Message() << M << " " << N << " " << K);
          const Problem<T> problem(M, N, K, 7);
          Guarded<T> a(problem.a), b(problem.b);
          const std::int64_t stride = N + 3;
          Guarded<T> out(M == 0 ? 0 : (M - 1) * stride + N);
          table->in<T>().matmul({M, N, K, {a.data(), K, 1}, {b.data(), N, 1}, out.data(), stride});
          const std::vector<T> expected = problem.chains(is_fused(*table));
          std::vector<T> got;
          for (std::int64_t i = 0; i < M; ++i) {
            for (std::int64_t j = 0; j < N; ++j) got.push_back(out[i * stride + j]);
            for (std::int64_t j = N; j < stride && i + 1 < M; ++j)
              ASSERT_NE(out[i * stride + j], out[i * stride + j]);
          }
          ASSERT_TRUE(same_bits(expected, got));
          ASSERT_TRUE(out.is_ring_whole());
        }
      }
    }
  }
}

/// Long K: the chain goes on across the kernel's own blocks. Against double or more, within γ_K (|A| |B|).
TYPED_TEST(MatmulTest, LongChainsStayOneAndAccurate) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t K : {127, 128, 129, 255, 256, 257, 511, 512, 513, 1000}) {
      const std::int64_t N = 2 * lanes_of<T>(*table) + 1;
      const Problem<T> problem(5, N, K, 11);
      const std::vector<T> out = problem.multiply(*table);
      ASSERT_TRUE(same_bits(problem.chains(is_fused(*table)), out)) << K;
      for (std::int64_t i = 0; i < 5; ++i) {
        for (std::int64_t j = 0; j < N; ++j) {
          long double sum = 0, magnitude = 0;
          for (std::int64_t k = 0; k < K; ++k) {
            const long double product = static_cast<long double>(problem.a_at(i, k)) * problem.b_at(k, j);
            sum += product;
            magnitude += std::fabs(product);
          }
          const long double unit = static_cast<long double>(K) * epsilon<T> / 2;
          ASSERT_LE(std::fabs(out[static_cast<std::size_t>(i * N + j)] - sum), unit / (1 - unit) * magnitude);
        }
      }
    }
  }
}

/// Contiguous, transposed, every other element, wide rows: on either side, the same bits.
TYPED_TEST(MatmulTest, StridesDoNotShowInTheBits) {
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
TYPED_TEST(MatmulTest, ExpandedOperandsEqualTheirCopies) {
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
TYPED_TEST(MatmulTest, PlaceDoesNotShowInTheBits) {
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
TYPED_TEST(MatmulTest, ZerosAtTheEndOfKChangeNothing) {
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

/// NaN and infinity reach the elements of their row or column, and no other; 0 * inf is NaN; subnormals are
/// kept.
TYPED_TEST(MatmulTest, SpecialValuesStayInTheirRowAndColumn) {
  using T = TypeParam;
  constexpr T subnormal = std::numeric_limits<T>::denorm_min();
  constexpr T huge = std::numeric_limits<T>::max();
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t M = 15, K = 9, N = 2 * lanes_of<T>(*table) + 3;
    for (const T special : {nan<T>, infinity<T>, -infinity<T>, subnormal, huge, -huge, T(-0.0)}) {
      for (const std::int64_t row : {std::int64_t{0}, std::int64_t{7}, M - 1}) {
        for (const std::int64_t column : {std::int64_t{0}, std::int64_t{5} % N, N - 1}) {
          Problem<T> problem(M, N, K, 31);
          problem.a[static_cast<std::size_t>(row * K + 4)] = special;
          problem.b[static_cast<std::size_t>(6 * N + column)] = special;
          problem.b[static_cast<std::size_t>(4 * N + column)] = 0;
          ASSERT_TRUE(same_bits(problem.chains(is_fused(*table)), problem.multiply(*table)))
              << special << " " << row << " " << column;
        }
      }
    }
  }
}

TYPED_TEST(MatmulTest, EmptyOperandsMayBeNull) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<T> out(9, nan<T>);
    table->in<T>().matmul({3, 3, 0, {nullptr, 0, 1}, {nullptr, 3, 1}, out.data(), 3});
    EXPECT_TRUE(same_bits(out, std::vector<T>(9, T(0))));
    table->in<T>().matmul({0, 3, 2, {nullptr, 2, 1}, {out.data(), 3, 1}, nullptr, 3});
    table->in<T>().matmul({3, 0, 2, {out.data(), 2, 1}, {nullptr, 0, 1}, nullptr, 0});
    table->in<T>().matmul({0, 0, 0, {nullptr, 0, 1}, {nullptr, 0, 1}, nullptr, 0});
  }
}

TYPED_TEST(MatmulTest, TransposedExample) {
  using T = TypeParam;
  const std::vector<T> a = {T(.7), T(-1.3), T(2.1), T(-.4), T(1.9), T(-3.2)};
  const std::vector<T> ones(4, T(1));
  for (const KernelTable* table : present_sets()) {
    std::vector<T> out(6, nan<T>);
    table->in<T>().matmul({3, 2, 2, {a.data(), 1, 3}, {ones.data(), 2, 1}, out.data(), 2});
    const double expected[] = {.3, .3, .6, .6, -1.1, -1.1};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(out[i], expected[i], 4 * epsilon<T>) << table->name;
  }
}

/// Products that are worth a copy of a: around what a block of rows or of k holds, with exactly the workspace
/// that is asked for, from every layout of either side, with rows of out further apart than they are long.
TYPED_TEST(MatmulTest, TheWorkspaceDoesNotShowInTheBits) {
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

/// factor and bias round as they would in memory, once, however many blocks of k there are; without any k the
/// bias is all there is.
TYPED_TEST(MatmulTest, FactorAndBiasAreAppliedToTheWholeSum) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t M : {1, 5, 31}) {
      for (const std::int64_t N : sizes_around(lanes_of<T>(*table))) {
        for (const std::int64_t K : {0, 9, 600}) {
          const Problem<T> problem(M, N, K, 41);
          const std::vector<T> bias = Numbers(43).vector<T>(N);
          const T factor = T(0.3);
          const std::vector<T> sums = problem.multiply(*table);
          std::vector<T> scaled, shifted, both;
          for (std::size_t i = 0; i < sums.size(); ++i) {
            const T added = bias[i % static_cast<std::size_t>(N)];
            const T product = sums[i] * factor;
            scaled.push_back(product);
            shifted.push_back(sums[i] + added);
            both.push_back(product + added);
          }
          const auto multiply = [&](T by, const T* plus) {
            Guarded<T> guarded_bias(bias);
            std::vector<T> out(static_cast<std::size_t>(M * N), nan<T>);
            table->in<T>().matmul({.M = M,
                                   .N = N,
                                   .K = K,
                                   .a = {problem.a.data(), K, 1},
                                   .b = {problem.b.data(), N, 1},
                                   .out = out.data(),
                                   .out_row_stride = N,
                                   .factor = by,
                                   .bias = plus == nullptr ? nullptr : guarded_bias.data()});
            return out;
          };
          ASSERT_TRUE(same_bits(scaled, multiply(factor, nullptr))) << M << " " << N << " " << K;
          ASSERT_TRUE(same_bits(shifted, multiply(1, bias.data()))) << M << " " << N << " " << K;
          ASSERT_TRUE(same_bits(both, multiply(factor, bias.data()))) << M << " " << N << " " << K;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
