#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class CrossEntropyTest : public ::testing::Test {};
TYPED_TEST_SUITE(CrossEntropyTest, Scalars);

template <typename T>
struct Result {
  std::vector<T> losses;
  std::vector<T> shift;
  std::vector<T> sum;
  std::vector<T> gradient;  // with factor -0.25
};

constexpr std::int64_t kIgnored = -7;

template <typename T>
Result<T> run(const KernelTable& table, const std::vector<T>& logits, const std::vector<std::int64_t>& ids,
              Against against = Against::end) {
  const auto rows = static_cast<std::int64_t>(ids.size());
  const std::int64_t n = rows == 0 ? 5 : static_cast<std::int64_t>(logits.size()) / rows;
  Guarded<T> x(logits, against), losses(rows, against), shift(rows, against), sum(rows, against);
  Guarded<T> gradient(rows * n, against);
  const CrossEntropy<T> of{rows, n, x.data(), ids.data(), kIgnored};
  table.in<T>().cross_entropy(of, losses.data(), {shift.data(), sum.data()});
  table.in<T>().cross_entropy_backward(of, {shift.data(), sum.data()}, T(-0.25), gradient.data());
  for (const Guarded<T>* written : {&losses, &shift, &sum, &gradient}) EXPECT_TRUE(written->is_ring_whole());
  // Onto the logits themselves.
  std::vector<T> in_place = logits;
  CrossEntropy<T> onto = of;
  onto.logits = in_place.data();
  table.in<T>().cross_entropy_backward(onto, {shift.data(), sum.data()}, T(-0.25), in_place.data());
  EXPECT_TRUE(same_bits(std::span<const T>(in_place), gradient.values()));
  const auto copy = [](const Guarded<T>& from) {
    return std::vector<T>(from.values().begin(), from.values().end());
  };
  return {copy(losses), copy(shift), copy(sum), copy(gradient)};
}

/// The formulas in long double; ids go round.
TYPED_TEST(CrossEntropyTest, IsAccurateAtEverySize) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<std::int64_t> sizes = sizes_around(lanes_of<T>(*table));
    for (const std::int64_t n : {24, 65, 100, 1000, 5000}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      if (n == 0) continue;
      for (const std::int64_t rows : {1, 3, 4, 6, 9}) {
        for (const double range : {1.0, 20.0, 2000.0}) {
          for (const Against against : {Against::end, Against::begin}) {
            SCOPED_TRACE(::testing::Message() << rows << " x " << n << ", " << range);
            Numbers numbers(17);
            const std::vector<T> x = numbers.vector<T>(rows * n, -range, range);
            std::vector<std::int64_t> ids;
            for (std::int64_t row = 0; row < rows; ++row) ids.push_back(numbers.below(n));
            const Result<T> got = run(*table, x, ids, against);
            for (std::int64_t row = 0; row < rows; ++row) {
              const auto r = static_cast<std::size_t>(row);
              const T* from = x.data() + row * n;
              const long double largest = *std::max_element(from, from + n);
              long double sum = 0;
              for (std::int64_t i = 0; i < n; ++i) sum += std::exp(from[i] - largest);
              const long double below = largest - from[ids[r]];
              const long double loss = std::log(sum) + below;
              const long double size = static_cast<long double>(n);
              ASSERT_EQ(got.shift[r], static_cast<T>(largest));
              ASSERT_LE(std::fabs(got.sum[r] - sum), (size + 3) * epsilon<T> * sum);
              ASSERT_LE(std::fabs(got.losses[r] - loss), (below + size + 8 + 3 * loss) * epsilon<T>);
              for (std::int64_t i = 0; i < n; ++i) {
                const long double weight = std::exp(from[i] - largest) / sum;
                const long double expected = -0.25L * (weight - (i == ids[r] ? 1 : 0));
                const long double bound = (largest - from[i] + size + 5) * epsilon<T> * weight + epsilon<T>;
                ASSERT_LE(std::fabs(got.gradient[static_cast<std::size_t>(row * n + i)] - expected),
                          0.25L * bound + std::numeric_limits<T>::min());
              }
            }
          }
        }
      }
    }
  }
}

/// Whether a row stands among four that are computed side by side, or alone.
TYPED_TEST(CrossEntropyTest, ARowKnowsNothingOfTheOthers) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<std::int64_t> sizes = sizes_around(lanes_of<T>(*table));
    for (const std::int64_t n : {24, 1000}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      if (n == 0) continue;
      for (const std::int64_t rows : {1, 2, 7, 37}) {
        Numbers numbers(23);
        const std::vector<T> x = numbers.vector<T>(rows * n, -5, 5);
        std::vector<std::int64_t> ids;
        for (std::int64_t row = 0; row < rows; ++row) ids.push_back(numbers.below(n));
        const Result<T> all = run(*table, x, ids);
        for (std::int64_t row = 0; row < rows; ++row) {
          const auto r = static_cast<std::size_t>(row);
          const std::vector<T> one(x.begin() + row * n, x.begin() + (row + 1) * n);
          const Result<T> alone = run(*table, one, {ids[r]});
          ASSERT_TRUE(same_bits(alone.losses, {all.losses[r]})) << row << " of " << rows << ", " << n;
          ASSERT_TRUE(same_bits(alone.gradient, std::vector<T>(all.gradient.begin() + row * n,
                                                               all.gradient.begin() + (row + 1) * n)));
        }
      }
    }
  }
}

TYPED_TEST(CrossEntropyTest, LeavesOutIgnoredRowsWhateverTheyHold) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n == 0) continue;
      std::vector<T> x(static_cast<std::size_t>(3 * n), T(1));
      x[static_cast<std::size_t>(n)] = nan<T>;
      x[static_cast<std::size_t>(2 * n - 1)] = infinity<T>;
      const Result<T> got = run(*table, x, {0, kIgnored, n - 1});
      const Result<T> one = run(*table, std::vector<T>(static_cast<std::size_t>(n), T(1)), {0});
      EXPECT_TRUE(same_bits(got.losses, {one.losses[0], T(0), one.losses[0]})) << n;
      for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(got.gradient[static_cast<std::size_t>(n + i)], T(0));
    }
    EXPECT_TRUE(same_bits(run(*table, std::vector<T>{}, {kIgnored, kIgnored}).losses, {T(0), T(0)}));
    EXPECT_TRUE(run(*table, std::vector<T>{}, {}).losses.empty());
  }
}

TYPED_TEST(CrossEntropyTest, NotANumberSpoilsItsRowOnly) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n < 2) continue;
      for (std::int64_t place = 0; place < n; ++place) {
        for (const T special : {nan<T>, infinity<T>}) {
          std::vector<T> x(static_cast<std::size_t>(3 * n), T(1));
          x[static_cast<std::size_t>(n + place)] = special;
          const Result<T> got = run(*table, x, {0, 0, 0});
          EXPECT_TRUE(std::isnan(got.losses[1])) << special << " at " << place << " of " << n;
          EXPECT_TRUE(std::isfinite(got.losses[0]) && std::isfinite(got.losses[2]));
        }
      }
      std::vector<T> x(static_cast<std::size_t>(n), T(1));
      x[0] = -infinity<T>;
      EXPECT_EQ(run(*table, x, {0}).losses[0], infinity<T>);
      EXPECT_TRUE(std::isfinite(run(*table, x, {1}).losses[0]));
    }
  }
}

}  // namespace
}  // namespace wick::kernels
