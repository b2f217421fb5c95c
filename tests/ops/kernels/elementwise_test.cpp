#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class ElementwiseTest : public ::testing::Test {};
TYPED_TEST_SUITE(ElementwiseTest, Scalars);

/// Ordinary numbers with the special ones strewn among them.
template <typename T>
std::vector<T> mixed(std::int64_t n, std::uint64_t seed) {
  const T specials[] = {nan<T>,
                        infinity<T>,
                        -infinity<T>,
                        T(0),
                        T(-0.0),
                        std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::lowest(),
                        std::numeric_limits<T>::min()};
  Numbers numbers(seed);
  std::vector<T> values = numbers.vector<T>(n);
  for (T& value : values) {
    if (numbers.below(3) == 0) value = specials[numbers.below(std::size(specials))];
  }
  return values;
}

template <typename T>
struct Binary {
  const char* name;
  BinaryKernel<T> Kernels<T>::*kernel;
  T (*reference)(T, T);
};

// One operation rounds once: every set has the bits of plain C++.
TYPED_TEST(ElementwiseTest, BinaryKernelsEqualPlainArithmetic) {
  using T = TypeParam;
  const Binary<T> binaries[] = {{"add", &Kernels<T>::add, [](T a, T b) { return a + b; }},
                                {"subtract", &Kernels<T>::subtract, [](T a, T b) { return a - b; }},
                                {"multiply", &Kernels<T>::multiply, [](T a, T b) { return a * b; }},
                                {"divide", &Kernels<T>::divide, [](T a, T b) { return a / b; }}};
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const Binary<T>& binary : binaries) {
      const BinaryKernel<T> kernel = table->in<T>().*binary.kernel;
      for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
        for (const std::int64_t a_step : {0, 1}) {
          for (const std::int64_t b_step : {0, 1}) {
            for (const Against against : {Against::end, Against::begin}) {
              for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                SCOPED_TRACE(::testing::Message()
                             << binary.name << " " << n << " " << a_step << " " << b_step);
                const std::vector<T> a = mixed<T>(n == 0 ? 0 : a_step * (n - 1) + 1, 2 * seed);
                const std::vector<T> b = mixed<T>(n == 0 ? 0 : b_step * (n - 1) + 1, 2 * seed + 1);
                std::vector<T> expected;
                for (std::int64_t i = 0; i < n; ++i) {
                  expected.push_back(binary.reference(a[static_cast<std::size_t>(i * a_step)],
                                                      b[static_cast<std::size_t>(i * b_step)]));
                }
                Guarded<T> guarded_a(a, against), guarded_b(b, against), out(n, against);
                kernel(guarded_a.data(), a_step, guarded_b.data(), b_step, out.data(), n);
                ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values()));
                ASSERT_TRUE(out.is_ring_whole());
                if (a_step == 1) {  // onto the first operand
                  kernel(guarded_a.data(), a_step, guarded_b.data(), b_step, guarded_a.data(), n);
                  ASSERT_TRUE(same_bits(std::span<const T>(expected), guarded_a.values()));
                  ASSERT_TRUE(guarded_a.is_ring_whole());
                }
              }
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(ElementwiseTest, OneOperandOnBothSides) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      std::vector<T> x(static_cast<std::size_t>(n), T(1.5));
      table->in<T>().add(x.data(), 1, x.data(), 1, x.data(), n);
      EXPECT_TRUE(same_bits(x, std::vector<T>(static_cast<std::size_t>(n), T(3)))) << table->name << " " << n;
    }
  }
}

TYPED_TEST(ElementwiseTest, ScaleEqualsPlainArithmetic) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      for (const T factor :
           {T(0.3), T(0), T(-0.0), infinity<T>, nan<T>, std::numeric_limits<T>::denorm_min()}) {
        const std::vector<T> x = mixed<T>(n, 53);
        std::vector<T> expected;
        for (const T value : x) expected.push_back(value * factor);
        Guarded<T> in(x), out(n);
        table->in<T>().scale(in.data(), factor, out.data(), n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << n << " " << factor;
        ASSERT_TRUE(out.is_ring_whole());
        table->in<T>().scale(in.data(), factor, in.data(), n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), in.values())) << n << " " << factor;
      }
    }
  }
}

/// Replaced, not added to: a blocked NaN or infinity is gone.
TYPED_TEST(ElementwiseTest, MaskReplaces) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<std::int64_t> sizes = sizes_around(lanes_of<T>(*table));
    for (const std::int64_t n : {63, 64, 65, 129}) sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      for (const std::int64_t x_step : {0, 1}) {
        for (const std::int64_t blocked_step : {0, 1}) {
          for (const T fill : {T(-1e9), -infinity<T>, nan<T>, T(-0.0)}) {
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
              Numbers numbers(seed);
              const std::vector<T> x = mixed<T>(n == 0 ? 0 : x_step * (n - 1) + 1, seed);
              Guarded<bool> blocked(n == 0 ? 0 : blocked_step * (n - 1) + 1);
              for (std::size_t i = 0; i < blocked.values().size(); ++i) {
                blocked[static_cast<std::int64_t>(i)] = numbers.below(2) == 1;
              }
              std::vector<T> expected;
              for (std::int64_t i = 0; i < n; ++i) {
                expected.push_back(blocked[i * blocked_step] ? fill
                                                             : x[static_cast<std::size_t>(i * x_step)]);
              }
              Guarded<T> in(x), out(n);
              table->in<T>().mask(in.data(), x_step, blocked.data(), blocked_step, fill, out.data(), n);
              ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << n << " " << fill;
              ASSERT_TRUE(out.is_ring_whole());
              if (x_step == 1) {
                table->in<T>().mask(in.data(), 1, blocked.data(), blocked_step, fill, in.data(), n);
                ASSERT_TRUE(same_bits(std::span<const T>(expected), in.values())) << n << " " << fill;
              }
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(ElementwiseTest, CausalMaskKeepsOneElementMoreInEachRow) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const std::int64_t lanes = lanes_of<T>(*table);
    for (const std::int64_t n : sizes_around(lanes)) {
      for (const std::int64_t visible : {std::int64_t{0}, std::int64_t{1}, n / 2, n}) {
        const std::int64_t rows = n - visible + 2;  // the last ones keep everything
        const std::vector<T> x = mixed<T>(rows * n, 103);
        std::vector<T> expected = x;
        for (std::int64_t row = 0; row < rows; ++row) {
          for (std::int64_t i = visible + row; i < n; ++i)
            expected[static_cast<std::size_t>(row * n + i)] = T(-1e9);
        }
        Guarded<T> in(x), out(rows * n);
        table->in<T>().causal_mask(in.data(), visible, T(-1e9), out.data(), rows, n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << n << " " << visible;
        ASSERT_TRUE(out.is_ring_whole());
      }
    }
  }
}

TYPED_TEST(ElementwiseTest, DropoutKeepsAndScales) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      for (const Against against : {Against::end, Against::begin}) {
        Numbers numbers(9);
        std::vector<T> x = numbers.vector<T>(n), expected;
        Guarded<bool> kept(n, against);
        for (std::int64_t i = 0; i < n; ++i) {
          kept[i] = numbers.below(2) == 0;
          if (i % 3 == 1) x[static_cast<std::size_t>(i)] = i % 2 == 0 ? nan<T> : infinity<T>;
          expected.push_back(kept[i] ? x[static_cast<std::size_t>(i)] * T(1.25) : T(0));
        }
        Guarded<T> in(x, against), out(n, against);
        table->in<T>().dropout(in.data(), kept.data(), T(1.25), out.data(), n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << n;
        ASSERT_TRUE(out.is_ring_whole());
        table->in<T>().dropout(in.data(), kept.data(), T(1.25), in.data(), n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), in.values())) << n;
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
