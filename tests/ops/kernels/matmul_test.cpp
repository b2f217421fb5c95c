#include "matmul_problem.h"

namespace wick::kernels {
namespace {

template <typename T>
class MatmulTest : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulTest, Scalars);

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
