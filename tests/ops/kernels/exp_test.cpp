#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class ExpTest : public ::testing::Test {};
TYPED_TEST_SUITE(ExpTest, Scalars);

template <typename T>
std::vector<T> exp_of(const KernelTable& table, const std::vector<T>& x) {
  Guarded<T> in(x), out(static_cast<std::int64_t>(x.size()));
  table.in<T>().exp(in.data(), out.data(), static_cast<std::int64_t>(x.size()));
  EXPECT_TRUE(out.is_ring_whole());
  return {out.values().begin(), out.values().end()};
}

/// The contract at x, against the C library in long double (in double for float, which is as far ahead of
/// it).
template <typename T>
void check(T x, T got, double& worst) {
  using Reference = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  const Reference expected = std::exp(static_cast<Reference>(x));
  if (x != x) {
    ASSERT_NE(got, got) << "exp(NaN)";
  } else if (static_cast<T>(expected) == infinity<T>) {
    ASSERT_EQ(got, infinity<T>) << "exp(" << x << ")";
  } else if (expected < std::numeric_limits<T>::min()) {
    ASSERT_EQ(got, T(0)) << "exp(" << x << ")";
  } else {
    const double error = ulps(got, expected);
    worst = std::max(worst, error);
    ASSERT_LE(error, 2) << std::hexfloat << "exp(" << x << ") is " << got << ", expected " << expected;
  }
}

template <typename T>
void check_all(const KernelTable& table, const std::vector<T>& x, double& worst) {
  const std::vector<T> got = exp_of(table, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    check(x[i], got[i], worst);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

/// Over the whole range, over small arguments, and where the whole multiple of ln 2 changes.
TYPED_TEST(ExpTest, IsWithinTwoUlp) {
  using T = TypeParam;
  const double low = std::is_same_v<T, float> ? -90 : -712, high = std::is_same_v<T, float> ? 90 : 712;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    Numbers numbers(37);
    double worst = 0;
    check_all(*table, numbers.vector<T>(200000, low, high), worst);
    check_all(*table, numbers.vector<T>(100000, -1, 1), worst);
    check_all(*table, numbers.vector<T>(20000, -1e-6, 1e-6), worst);
    std::vector<T> x;
    for (int k = -1100; k <= 1100; ++k) {
      T below = static_cast<T>(k * 0.34657359027997264), above = below;  // k ln(2) / 2
      for (int step = 0; step < 20; ++step) {
        x.push_back(below = std::nextafter(below, -infinity<T>));
        x.push_back(above = std::nextafter(above, infinity<T>));
      }
    }
    check_all(*table, x, worst);
    std::cout << table->name << ": " << worst << " ULP\n";
  }
}

/// float has few enough numbers to take every few hundredth of all, NaN and subnormals among them.
TEST(FloatExpTest, IsWithinTwoUlpOverAllOfFloat) {
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    double worst = 0;
    std::vector<float> x;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 4099) {
      const auto bits_of_float = static_cast<std::uint32_t>(bits);
      float value;
      std::memcpy(&value, &bits_of_float, sizeof(value));
      x.push_back(value);
    }
    check_all(*table, x, worst);
  }
}

/// The last number that is finite, the first that is not; the same where the result leaves the normal
/// numbers.
TYPED_TEST(ExpTest, EdgesAreWhereTheTypeHasThem) {
  using T = TypeParam;
  const T largest = static_cast<T>(std::log(static_cast<long double>(std::numeric_limits<T>::max())));
  const T smallest = static_cast<T>(std::log(static_cast<long double>(std::numeric_limits<T>::min())));
  std::vector<T> x;
  for (const T edge : {largest, smallest}) {
    T below = edge, above = edge;
    x.push_back(edge);
    for (int i = 0; i < 1000; ++i) {
      x.push_back(below = std::nextafter(below, -infinity<T>));
      x.push_back(above = std::nextafter(above, infinity<T>));
    }
  }
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    double worst = 0;
    check_all(*table, x, worst);
  }
}

TYPED_TEST(ExpTest, SpecialValues) {
  using T = TypeParam;
  constexpr T subnormal = std::numeric_limits<T>::denorm_min();
  const std::vector<T> x = {0,
                            T(-0.0),
                            subnormal,
                            -subnormal,
                            infinity<T>,
                            -infinity<T>,
                            nan<T>,
                            -nan<T>,
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::lowest(),
                            T(-1e9),
                            T(-1e30),
                            T(1e30)};
  const std::vector<T> expected = {1,      1,           1, 1, infinity<T>, 0,          nan<T>,
                                   nan<T>, infinity<T>, 0, 0, 0,           infinity<T>};
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    EXPECT_TRUE(same_bits(expected, exp_of(*table, x)));
  }
}

TEST(FloatExpTest, FloatCases) {
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::vector<float> y =
        exp_of<float>(*table, {-87, -87.4f, -88, -88.5f, -104, -1e9f, 88.5f, 88.73f});
    EXPECT_FLOAT_EQ(y[0], 1.64581145e-38f);
    for (int i : {1, 2, 3})
      EXPECT_TRUE(y[static_cast<std::size_t>(i)] >= 0 && y[static_cast<std::size_t>(i)] < 1.18e-38f);
    EXPECT_EQ(y[4], 0);
    EXPECT_EQ(y[5], 0);
    EXPECT_FLOAT_EQ(y[6], 2.72308792e38f);
    EXPECT_EQ(y[7], infinity<float>);
  }
}

/// In any lane, in the body or in the tail, onto itself or elsewhere.
TYPED_TEST(ExpTest, PlaceDoesNotShowInTheBits) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const T x = T(-0.7), expected = exp_of<T>(*table, {x})[0];
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      std::vector<T> all(static_cast<std::size_t>(n), x);
      EXPECT_TRUE(same_bits(std::vector<T>(static_cast<std::size_t>(n), expected), exp_of(*table, all))) << n;
      table->in<T>().exp(all.data(), all.data(), n);
      EXPECT_TRUE(same_bits(std::vector<T>(static_cast<std::size_t>(n), expected), all)) << n;
    }
  }
}

}  // namespace
}  // namespace wick::kernels
