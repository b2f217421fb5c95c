#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class ReduceTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReduceTest, Scalars);

template <typename T>
std::vector<T> sum_of(const KernelTable& table, const std::vector<T>& x, std::int64_t rows = 1,
                      Against against = Against::end) {
  Guarded<T> in(x, against), out(rows, against);
  table.in<T>().sum(in.data(), out.data(), rows, static_cast<std::int64_t>(x.size()) / rows);
  EXPECT_TRUE(out.is_ring_whole());
  return {out.values().begin(), out.values().end()};
}

template <typename T>
std::int64_t argmax_of(const KernelTable& table, const std::vector<T>& x) {
  Guarded<T> in(x);
  std::int64_t place = -1;
  table.in<T>().argmax(in.data(), &place, 1, static_cast<std::int64_t>(x.size()));
  return place;
}

/// The error grows with log n: 40 ε of the magnitudes is enough for a million, and n ε would be far more.
TYPED_TEST(ReduceTest, SumIsAccurateAtEverySize) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    std::vector<std::int64_t> sizes = sizes_around(lanes);
    for (const std::int64_t around : {4 * lanes, 64 * lanes}) {  // the steps and the blocks of the kernel
      for (const std::int64_t size : sizes_around(around)) sizes.push_back(size);
    }
    for (const std::int64_t n : {1000, 10007, 1000003}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      for (const double low : {-2.0, 0.5}) {
        Numbers numbers(59);
        const std::vector<T> x = numbers.vector<T>(n, low, 2);
        long double expected = 0, magnitude = 0;
        for (const T value : x) {
          expected += value;
          magnitude += std::fabs(value);
        }
        ASSERT_LE(std::fabs(sum_of(*table, x)[0] - expected), 40 * epsilon<T> / 2 * magnitude) << n;
      }
    }
  }
}

/// Whole numbers are added exactly in any order: nothing is left out, nothing taken twice, rows do not mix.
TYPED_TEST(ReduceTest, SumTakesEveryElementOnce) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(4 * lanes_of<T>(*table))) {
      for (const Against against : {Against::end, Against::begin}) {
        const std::int64_t rows = 3;
        std::vector<T> x, expected;
        for (std::int64_t row = 0; row < rows; ++row) {
          for (std::int64_t i = 0; i < n; ++i) x.push_back(static_cast<T>((row + 1) * (i + 1)));
          const std::int64_t total = (row + 1) * n * (n + 1) / 2;
          expected.push_back(static_cast<T>(total));
        }
        ASSERT_TRUE(same_bits(expected, sum_of(*table, x, rows, against))) << n;
      }
    }
  }
}

/// The order is a matter of the place in the row alone: not of the row, and not of how many zeros follow.
TYPED_TEST(ReduceTest, SumDoesNotDependOnRowOrZerosBehind) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    for (const std::int64_t n :
         {std::int64_t{1}, lanes + 1, 5 * lanes + 2, 64 * lanes, 64 * lanes + 1, 1000 * lanes}) {
      Numbers numbers(61);
      std::vector<T> x = numbers.vector<T>(n);
      const T expected = sum_of(*table, x)[0];
      std::vector<T> rows;
      for (int row = 0; row < 3; ++row) rows.insert(rows.end(), x.begin(), x.end());
      ASSERT_TRUE(same_bits(std::vector<T>(3, expected), sum_of(*table, rows, 3)));
      for (const std::int64_t zeros : {std::int64_t{1}, lanes, 70 * lanes, 3000 * lanes}) {
        x.resize(static_cast<std::size_t>(n + zeros), T(0));
        ASSERT_TRUE(same_bits(std::vector<T>{expected}, sum_of(*table, x))) << n << " and " << zeros;
      }
    }
  }
}

TYPED_TEST(ReduceTest, SumOfSpecialValues) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(4 * lanes_of<T>(*table))) {
      if (n < 2) continue;
      for (const std::int64_t place : {std::int64_t{0}, n / 2, n - 1}) {
        std::vector<T> x(static_cast<std::size_t>(n), T(1));
        T& value = x[static_cast<std::size_t>(place)];
        value = infinity<T>;
        EXPECT_EQ(sum_of(*table, x)[0], infinity<T>);
        value = nan<T>;
        EXPECT_TRUE(std::isnan(sum_of(*table, x)[0])) << place << " of " << n;
      }
    }
    EXPECT_EQ(sum_of(*table, std::vector<T>{}, 4), std::vector<T>(4, T(0)));
    const T subnormal = std::numeric_limits<T>::denorm_min();
    EXPECT_EQ(sum_of(*table, std::vector<T>{subnormal, subnormal, subnormal})[0], 3 * subnormal);
  }
}

/// What NumPy answers: the first NaN, else the first of the largest.
template <typename T>
std::int64_t plain_argmax(const std::vector<T>& x) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != x[i]) return static_cast<std::int64_t>(i);
    if (x[i] > x[best]) best = i;
  }
  return static_cast<std::int64_t>(best);
}

/// Few different values, so that most rows have ties.
TYPED_TEST(ReduceTest, ArgmaxIsTheFirstLargestOrTheFirstNaN) {
  using T = TypeParam;
  const T values[] = {T(1),
                      T(2),
                      T(-3),
                      T(2),
                      infinity<T>,
                      -infinity<T>,
                      T(0),
                      T(-0.0),
                      nan<T>,
                      -nan<T>,
                      std::numeric_limits<T>::lowest()};
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    Numbers numbers(67);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n == 0) continue;
      for (int repeat = 0; repeat < 200; ++repeat) {
        const std::int64_t kinds = 1 + numbers.below(std::size(values));
        std::vector<T> x;
        for (std::int64_t i = 0; i < n; ++i) x.push_back(values[numbers.below(kinds)]);
        ASSERT_EQ(argmax_of(*table, x), plain_argmax(x)) << n;
      }
      for (const T same : values) {
        EXPECT_EQ(argmax_of(*table, std::vector<T>(static_cast<std::size_t>(n), same)), 0)
            << same << " " << n;
      }
      // A single largest one, and a single NaN, in each place.
      for (std::int64_t place = 0; place < n; ++place) {
        for (const T special : {T(5), nan<T>}) {
          std::vector<T> x(static_cast<std::size_t>(n), -infinity<T>);
          x[static_cast<std::size_t>(place)] = special;
          ASSERT_EQ(argmax_of(*table, x), place) << special << " " << n;
        }
      }
    }
  }
}

TYPED_TEST(ReduceTest, ArgmaxOfSeveralRows) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    const std::vector<T> x = {1, 3, 3, 2, 9, nan<T>, 0, 0, 0};
    std::vector<std::int64_t> out(3, -1);
    table->in<T>().argmax(x.data(), out.data(), 3, 3);
    EXPECT_EQ(out, (std::vector<std::int64_t>{1, 2, 0})) << table->name;
  }
}

}  // namespace
}  // namespace wick::kernels
