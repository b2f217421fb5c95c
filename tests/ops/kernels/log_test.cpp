#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class LogTest : public ::testing::Test {};
TYPED_TEST_SUITE(LogTest, Scalars);

template <typename T>
std::vector<T> log_of(const KernelTable& table, const std::vector<T>& x) {
  Guarded<T> in(x), out(static_cast<std::int64_t>(x.size()));
  table.in<T>().log(in.data(), out.data(), static_cast<std::int64_t>(x.size()));
  EXPECT_TRUE(out.is_ring_whole());
  return {out.values().begin(), out.values().end()};
}

template <typename T>
void expect_within_two_ulp(const KernelTable& table, const std::vector<T>& x, double& worst) {
  const std::vector<T> got = log_of(table, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] == 1) {
      ASSERT_EQ(got[i], T(0));
      continue;
    }
    const double error = ulps(got[i], std::log(static_cast<long double>(x[i])));
    worst = std::max(worst, error);
    ASSERT_LE(error, 2) << std::hexfloat << "log(" << x[i] << ") is " << got[i];
  }
}

/// Over all sizes, near 1, where the result is near 0, and where the whole power of 2 changes.
TYPED_TEST(LogTest, IsWithinTwoUlp) {
  using T = TypeParam;
  const int most = std::is_same_v<T, float> ? 125 : 1021;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    Numbers numbers(91);
    double worst = 0;
    std::vector<T> x;
    for (int i = 0; i < 200000; ++i) {
      x.push_back(static_cast<T>(std::exp2(numbers.between(-most, most))));
    }
    expect_within_two_ulp(*table, x, worst);
    expect_within_two_ulp(*table, numbers.vector<T>(100000, 0.5, 2), worst);
    expect_within_two_ulp(*table, numbers.vector<T>(100000, 1, 70), worst);
    expect_within_two_ulp(*table, numbers.vector<T>(20000, 0.9999, 1.0001), worst);
    x.clear();
    for (int k = -most; k <= most; ++k) {
      for (const double start : {1.0, 1.4142135623730951}) {
        T below = static_cast<T>(std::ldexp(start, k)), above = below;
        x.push_back(below);
        for (int step = 0; step < 20; ++step) {
          x.push_back(below = std::nextafter(below, T(0)));
          x.push_back(above = std::nextafter(above, infinity<T>));
        }
      }
    }
    x.push_back(std::numeric_limits<T>::min());
    x.push_back(std::numeric_limits<T>::max());
    expect_within_two_ulp(*table, x, worst);
    std::cout << table->name << ": " << worst << " ULP\n";
  }
}

TYPED_TEST(LogTest, KeepsInfinityAndNaN) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    const std::vector<T> y = log_of(*table, std::vector<T>{infinity<T>, nan<T>, -nan<T>, T(1)});
    EXPECT_TRUE(same_bits(y, {infinity<T>, nan<T>, nan<T>, T(0)})) << table->name;
  }
}

/// In the body of a row and in its tail.
TYPED_TEST(LogTest, DoesNotDependOnThePlace) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      if (n == 0) continue;
      const T one = log_of(*table, std::vector<T>{T(3.7)})[0];
      const std::vector<T> x(static_cast<std::size_t>(n), T(3.7));
      EXPECT_TRUE(same_bits(log_of(*table, x), std::vector<T>(static_cast<std::size_t>(n), one))) << n;
    }
  }
}

}  // namespace
}  // namespace wick::kernels
