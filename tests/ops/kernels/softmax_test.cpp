#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class SoftmaxTest : public ::testing::Test {};
TYPED_TEST_SUITE(SoftmaxTest, Scalars);

template <typename T>
std::vector<T> softmax_of(const KernelTable& table, const std::vector<T>& x, std::int64_t rows = 1,
                          Against against = Against::end) {
  const std::int64_t size = static_cast<std::int64_t>(x.size());
  Guarded<T> in(x, against), out(size, against);
  table.in<T>().softmax(in.data(), out.data(), rows, rows == 0 ? 0 : size / rows);
  EXPECT_TRUE(out.is_ring_whole());
  EXPECT_TRUE(in.is_ring_whole());
  return {out.values().begin(), out.values().end()};
}

/// Within (|x - max| + n + 4) ε of the formula in long double; below the normal numbers within the smallest
/// of them.
template <typename T>
void expect_accurate(const std::vector<T>& x, const std::vector<T>& got) {
  long double largest = x[0], sum = 0;
  for (const T value : x) largest = std::max<long double>(largest, value);
  for (const T value : x) sum += std::exp(value - largest);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double expected = std::exp(x[i] - largest) / sum;
    const long double bound = (largest - x[i] + static_cast<long double>(x.size()) + 4) * epsilon<T>;
    ASSERT_LE(std::fabs(got[i] - expected), bound * expected + std::numeric_limits<T>::min())
        << "n = " << x.size() << ", i = " << i;
  }
}

TYPED_TEST(SoftmaxTest, IsAccurateAtEverySize) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    Numbers numbers(41);
    std::vector<std::int64_t> sizes = sizes_around(lanes_of<T>(*table));
    for (const std::int64_t n : {24, 100, 1000, 5000}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      for (const double range : {1.0, 20.0, 200.0, 2000.0}) {
        for (const Against against : {Against::end, Against::begin}) {
          const std::vector<T> x = numbers.vector<T>(3 * n, -range, range);
          const std::vector<T> got = softmax_of(*table, x, 3, against);
          for (std::int64_t row = 0; row < 3 && n > 0; ++row) {
            const std::vector<T> one(x.begin() + row * n, x.begin() + (row + 1) * n);
            const std::vector<T> weights(got.begin() + row * n, got.begin() + (row + 1) * n);
            expect_accurate(one, weights);
            // A row alone, and onto itself.
            ASSERT_TRUE(same_bits(weights, softmax_of(*table, one)));
            std::vector<T> in_place = one;
            table->in<T>().softmax(in_place.data(), in_place.data(), 1, n);
            ASSERT_TRUE(same_bits(weights, in_place));
          }
        }
      }
    }
  }
}

TYPED_TEST(SoftmaxTest, EmptyRowsAreLeftAlone) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    table->in<T>().softmax(nullptr, nullptr, 10, 0);
    table->in<T>().softmax(nullptr, nullptr, 0, 10);
  }
}

/// Wherever in the row they stand, body or tail: NaN, inf, and a row of -inf make all of it NaN.
TYPED_TEST(SoftmaxTest, NotANumberSpoilsItsRowOnly) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n == 0) continue;
      const std::vector<T> all_nan(static_cast<std::size_t>(n), nan<T>);
      const std::vector<T> blocked(static_cast<std::size_t>(n), -infinity<T>);
      EXPECT_TRUE(same_bits(all_nan, softmax_of(*table, blocked))) << n;
      for (std::int64_t place = 0; place < n; ++place) {
        for (const T special : {nan<T>, -nan<T>, infinity<T>}) {
          for (const T rest : {T(0), T(3), -infinity<T>, T(1e30), infinity<T>}) {
            std::vector<T> x(static_cast<std::size_t>(n), rest);
            x[static_cast<std::size_t>(place)] = special;
            ASSERT_TRUE(same_bits(all_nan, softmax_of(*table, x)))
                << special << " at " << place << " of " << n;
          }
        }
      }
      // Three rows, of which the middle one is spoilt.
      std::vector<T> x(static_cast<std::size_t>(3 * n), T(1));
      x[static_cast<std::size_t>(2 * n - 1)] = nan<T>;
      const std::vector<T> got = softmax_of(*table, x, 3);
      for (std::int64_t i = 0; i < 3 * n; ++i) {
        ASSERT_EQ(got[static_cast<std::size_t>(i)] != got[static_cast<std::size_t>(i)], i / n == 1)
            << i << " of " << n;
      }
    }
  }
}

TYPED_TEST(SoftmaxTest, SmallExamples) {
  using T = TypeParam;
  const T inf = infinity<T>;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const auto softmax = [&](const std::vector<T>& x) { return softmax_of(*table, x); };
    EXPECT_TRUE(same_bits(softmax({-inf, 0, -inf}), {0, 1, 0}));
    EXPECT_TRUE(same_bits(softmax({0, inf}), {nan<T>, nan<T>}));
    EXPECT_TRUE(same_bits(softmax({T(1e30), 0, T(-1e30)}), {1, 0, 0}));
    EXPECT_TRUE(same_bits(softmax({1000, 1001, 1002}), softmax({1, 2, 3})));
    EXPECT_TRUE(same_bits(softmax({0, T(-1e9), 0, 0, 0}), {T(.25), 0, T(.25), T(.25), T(.25)}));
    EXPECT_TRUE(same_bits(softmax({T(-1e9), T(-1e9), T(-1e9)}), {T(1) / 3, T(1) / 3, T(1) / 3}));
    EXPECT_TRUE(same_bits(softmax({T(-1e9)}), {1}));
    const std::vector<T> ramp = softmax({1, 2, 3});
    EXPECT_NEAR(ramp[0], 0.09003057317038046, epsilon<T>);
    EXPECT_NEAR(ramp[1], 0.24472847105479764, epsilon<T>);
    EXPECT_NEAR(ramp[2], 0.6652409557748218, epsilon<T>);
    const T huge = std::numeric_limits<T>::max(), subnormal = std::numeric_limits<T>::denorm_min();
    EXPECT_TRUE(same_bits(softmax({huge, -huge}), {1, 0}));
    EXPECT_TRUE(same_bits(softmax({subnormal, 0, -subnormal, T(-0.0)}), {T(.25), T(.25), T(.25), T(.25)}));
  }
}

TYPED_TEST(SoftmaxTest, EqualScoresHaveEqualWeights) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n == 0) continue;
      const T expected = T(1) / static_cast<T>(n);
      EXPECT_TRUE(same_bits(softmax_of(*table, std::vector<T>(static_cast<std::size_t>(n), T(-3.7))),
                            std::vector<T>(static_cast<std::size_t>(n), expected)))
          << n;
      if (n < 2) continue;
      // Two equal scores among others, in every pair of places.
      Numbers numbers(43);
      for (std::int64_t i = 0; i < n; ++i) {
        std::vector<T> x = numbers.vector<T>(n);
        x[0] = x[static_cast<std::size_t>(i)];
        x[static_cast<std::size_t>(n - 1)] = x[0];
        const std::vector<T> y = softmax_of(*table, x);
        EXPECT_EQ(y[0], y[static_cast<std::size_t>(i)]) << n << " " << i;
        EXPECT_EQ(y[0], y[static_cast<std::size_t>(n - 1)]) << n << " " << i;
      }
    }
  }
}

/// A weight is the exponential times 1 / sum. In a row of two the sum has one order only, so that the bits
/// are known, and exp's are those of the kernel of that name.
TYPED_TEST(SoftmaxTest, WeightsAreExponentialsTimesOneOverTheSum) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    Numbers numbers(71);
    for (const T difference : numbers.vector<T>(100, -5, 0)) {
      T exponential;
      table->in<T>().exp(&difference, &exponential, 1);
      const T factor = 1 / (1 + exponential);
      ASSERT_TRUE(same_bits(softmax_of<T>(*table, {0, difference}), {factor, exponential * factor}))
          << difference;
    }
  }
}

/// Keys blocked behind the others weigh exactly 0, and leave the others the bits that they have in a shorter
/// row.
TYPED_TEST(SoftmaxTest, BlockedEndEqualsShorterRow) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    for (const T fill : {T(-1e9), -infinity<T>}) {
      for (std::int64_t n = 1; n <= 3 * lanes + 1; ++n) {
        for (const std::int64_t longer : {n + 1, n + lanes, 4 * lanes + 3}) {
          Numbers numbers(47);
          std::vector<T> x = numbers.vector<T>(n, -5, 5);
          std::vector<T> expected = softmax_of(*table, x);
          x.resize(static_cast<std::size_t>(longer), fill);
          expected.resize(static_cast<std::size_t>(longer), T(0));
          ASSERT_TRUE(same_bits(expected, softmax_of(*table, x))) << n << " of " << longer;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
