#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class OptimizerTest : public ::testing::Test {};
TYPED_TEST_SUITE(OptimizerTest, Scalars);

template <typename T>
AdamW<T> numbers_of_a_step() {
  return {.parameter_kept = T(0.9997),
          .gradient_scale = T(0.75),
          .mean_kept = T(0.9),
          .mean_added = T(0.1),
          .square_kept = T(0.95),
          .square_added = T(0.05),
          .root_scale = T(1.7),
          .epsilon = T(1e-8),
          .step_size = T(0.003)};
}

/// Each rounding of the contract, in plain C++: to the bit where nothing is fused.
template <typename T>
struct Stepped {
  T parameter, mean, square;
};

template <typename T>
Stepped<T> plain_step(const AdamW<T>& how, T parameter, T gradient, T mean, T square, bool fused) {
  const auto mul_add = [=](T a, T b, T c) { return fused ? std::fma(a, b, c) : a * b + c; };
  const T g = gradient * how.gradient_scale;
  const T m = mul_add(g, how.mean_added, mean * how.mean_kept);
  const T v = mul_add(g * how.square_added, g, square * how.square_kept);
  const T step = how.step_size * m / mul_add(std::sqrt(v), how.root_scale, how.epsilon);
  return {parameter * how.parameter_kept - step, m, v};
}

TYPED_TEST(OptimizerTest, AdamWRoundsAsPlainArithmetic) {
  using T = TypeParam;
  const AdamW<T> how = numbers_of_a_step<T>();
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      for (const Against against : {Against::end, Against::begin}) {
        Numbers numbers(5);
        const std::vector<T> p = numbers.vector<T>(n), g = numbers.vector<T>(n), m = numbers.vector<T>(n),
                             v = numbers.vector<T>(n, 0, 2);
        Guarded<T> parameter(p, against), gradient(g, against), mean(m, against), square(v, against);
        table->in<T>().adamw(how, parameter.data(), gradient.data(), mean.data(), square.data(), n);
        for (const Guarded<T>* array : {&parameter, &gradient, &mean, &square}) {
          ASSERT_TRUE(array->is_ring_whole());
        }
        ASSERT_TRUE(same_bits(std::span<const T>(g), gradient.values()));
        for (std::size_t i = 0; i < p.size(); ++i) {
          const Stepped<T> expected = plain_step(how, p[i], g[i], m[i], v[i], is_fused(*table));
          ASSERT_EQ(parameter.values()[i], expected.parameter) << i << " of " << n;
          ASSERT_EQ(mean.values()[i], expected.mean) << i << " of " << n;
          ASSERT_EQ(square.values()[i], expected.square) << i << " of " << n;
        }
      }
    }
  }
}

TYPED_TEST(OptimizerTest, SgdRoundsAsPlainArithmetic) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      Numbers numbers(5);
      const std::vector<T> p = numbers.vector<T>(n), g = numbers.vector<T>(n);
      Guarded<T> parameter(p), gradient(g);
      table->in<T>().sgd(T(0.1), T(0.75), parameter.data(), gradient.data(), n);
      ASSERT_TRUE(parameter.is_ring_whole());
      for (std::size_t i = 0; i < p.size(); ++i) {
        const T scaled = g[i] * T(0.75);
        const T expected = is_fused(*table) ? std::fma(scaled, T(-0.1), p[i]) : scaled * T(-0.1) + p[i];
        ASSERT_EQ(parameter.values()[i], expected) << i << " of " << n;
      }
    }
  }
}

TYPED_TEST(OptimizerTest, SumOfSquaresIsAccurateAtEverySize) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<std::int64_t> sizes = sizes_around(lanes_of<T>(*table));
    for (const std::int64_t n : {255, 256, 257, 511, 512, 513, 4095, 4096}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      for (const Against against : {Against::end, Against::begin}) {
        Numbers numbers(7);
        const std::vector<T> x = numbers.vector<T>(n, -3e15, 3e15);
        long double expected = 0;
        for (const T value : x) expected += static_cast<long double>(value) * static_cast<long double>(value);
        Guarded<T> in(x, against);
        const double got = table->in<T>().sum_of_squares(in.data(), n);
        ASSERT_LE(std::fabs(got - expected), expected * 0x1p-46L) << n;
        // Whole numbers, exactly: nothing is left out, nothing taken twice.
        std::vector<T> counting;
        for (std::int64_t i = 0; i < n; ++i) counting.push_back(static_cast<T>(i % 100));
        double total = 0;
        for (const T value : counting) total += static_cast<double>(value) * static_cast<double>(value);
        ASSERT_EQ(table->in<T>().sum_of_squares(counting.data(), n), total) << n;
      }
    }
    EXPECT_TRUE(std::isnan(table->in<T>().sum_of_squares(std::vector<T>{1, nan<T>, 2}.data(), 3)));
  }
}

}  // namespace
}  // namespace wick::kernels
