#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class LayerNormTest : public ::testing::Test {};
TYPED_TEST_SUITE(LayerNormTest, Scalars);

constexpr double added = 1e-5;

/// Rows with what they are normalized by, and what comes out.
template <typename T>
struct Rows {
  std::int64_t rows;
  std::int64_t n;
  std::vector<T> x, gain, bias, dy;

  Rows(std::int64_t row_count, std::int64_t row_length, std::uint64_t seed = 61)
      : rows(row_count), n(row_length) {
    Numbers numbers(seed);
    x = numbers.vector<T>(rows * n, -1, 3);
    gain = numbers.vector<T>(n);
    bias = numbers.vector<T>(n);
    dy = numbers.vector<T>(rows * n);
  }

  /// Some of the rows, in whatever order.
  Rows take(const std::vector<std::int64_t>& places) const {
    Rows taken = *this;
    taken.rows = static_cast<std::int64_t>(places.size());
    taken.x.clear();
    taken.dy.clear();
    for (const std::int64_t place : places) {
      taken.x.insert(taken.x.end(), x.begin() + place * n, x.begin() + (place + 1) * n);
      taken.dy.insert(taken.dy.end(), dy.begin() + place * n, dy.begin() + (place + 1) * n);
    }
    return taken;
  }
};

template <typename T>
struct Results {
  std::vector<T> out, statistics, dx, dgain, dbias;
};

template <typename T>
std::vector<T> copy(Guarded<T>& from) {
  EXPECT_TRUE(from.is_ring_whole());
  return {from.values().begin(), from.values().end()};
}

template <typename T>
Results<T> results_of(const KernelTable& table, const Rows<T>& r, Against against = Against::end,
                      bool has_bias = true) {
  const Kernels<T>& kernels = table.in<T>();
  Guarded<T> x(r.x, against), gain(r.gain, against), bias(r.bias, against), dy(r.dy, against);
  Guarded<T> out(r.rows * r.n, against), statistics(2 * r.rows, against), dx(r.rows * r.n, against);
  Guarded<T> dgain(r.n, against), dbias(r.n, against);
  kernels.layer_norm(x.data(), gain.data(), has_bias ? bias.data() : nullptr, T(added), out.data(),
                     statistics.data(), r.rows, r.n);
  kernels.layer_norm_backward(x.data(), gain.data(), statistics.data(), dy.data(), dx.data(), dgain.data(),
                              dbias.data(), r.rows, r.n);
  return {copy(out), copy(statistics), copy(dx), copy(dgain), copy(dbias)};
}

/// By the formulas, in long double; the sums over rows with the sums of their magnitudes, which is what their
/// errors are measured by.
template <typename T>
struct Reference {
  std::vector<long double> out, dx, dgain, dbias, dgain_size, dbias_size;

  explicit Reference(const Rows<T>& r) {
    const auto n = static_cast<std::size_t>(r.n);
    for (auto* sums : {&dgain, &dbias, &dgain_size, &dbias_size}) sums->resize(n);
    for (std::size_t first = 0; first < r.x.size(); first += n) {
      long double mean = 0, variance = 0, mean_g = 0, mean_gz = 0;
      for (std::size_t i = 0; i < n; ++i) mean += static_cast<long double>(r.x[first + i]) / r.n;
      for (std::size_t i = 0; i < n; ++i) variance += (r.x[first + i] - mean) * (r.x[first + i] - mean) / r.n;
      const long double factor = 1 / std::sqrt(variance + added);
      const auto z = [&](std::size_t i) { return (r.x[first + i] - mean) * factor; };
      const auto g = [&](std::size_t i) { return static_cast<long double>(r.dy[first + i]) * r.gain[i]; };
      for (std::size_t i = 0; i < n; ++i) {
        mean_g += g(i) / r.n;
        mean_gz += g(i) * z(i) / r.n;
        dgain[i] += r.dy[first + i] * z(i);
        dbias[i] += r.dy[first + i];
        dgain_size[i] += std::fabs(r.dy[first + i] * z(i)) + std::fabs(r.dy[first + i]);
        dbias_size[i] += std::fabs(r.dy[first + i]);
      }
      for (std::size_t i = 0; i < n; ++i) {
        out.push_back(z(i) * r.gain[i] + r.bias[i]);
        dx.push_back(factor * (g(i) - mean_g - z(i) * mean_gz));
      }
    }
  }
};

template <typename T>
void expect_near(const std::vector<T>& got, const std::vector<long double>& expected, double epsilons,
                 const std::vector<long double>& sizes = {}) {
  ASSERT_EQ(got.size(), expected.size());
  long double largest = 1;
  for (const long double value : expected) largest = std::max(largest, std::fabs(value));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const long double size = sizes.empty() ? largest : sizes[i];
    ASSERT_LE(std::fabs(got[i] - expected[i]), epsilons * epsilon<T> * size) << i << " of " << got.size();
  }
}

template <typename T>
std::vector<std::int64_t> sizes_of(const KernelTable& table) {
  const std::int64_t lanes = lanes_of<T>(table);
  std::vector<std::int64_t> sizes = sizes_around(lanes);
  for (const std::int64_t n : {3 * lanes, 5 * lanes - 1, 64 * lanes, 64 * lanes + 1, 200 * lanes + 3}) {
    sizes.push_back(n);
  }
  return sizes;
}

TYPED_TEST(LayerNormTest, IsAccurateAtEverySizeForwardAndBackward) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_of<T>(*table)) {
      for (const std::int64_t rows : {1, 3, 4, 9, 40}) {
        SCOPED_TRACE(::testing::Message() << rows << " rows of " << n);
        const Rows<T> r(rows, n);
        const Results<T> got = results_of(*table, r);
        const Reference<T> expected(r);
        // Rows of two or three may by chance have deviations small beside their numbers.
        const double epsilons = n < 8 ? 5000 : 100;
        expect_near(got.out, expected.out, epsilons);
        expect_near(got.dx, expected.dx, epsilons);
        expect_near(got.dgain, expected.dgain, epsilons, expected.dgain_size);
        expect_near(got.dbias, expected.dbias, static_cast<double>(rows), expected.dbias_size);
        if (::testing::Test::HasFatalFailure()) return;
        for (std::int64_t row = 0; row < rows && n > 0; ++row) {
          long double sum = 0;
          for (std::int64_t i = 0; i < n; ++i) sum += r.x[static_cast<std::size_t>(row * n + i)];
          EXPECT_NEAR(got.statistics[static_cast<std::size_t>(2 * row)], static_cast<double>(sum / n),
                      100 * epsilon<T>);
        }
      }
    }
  }
}

/// A row alone, among others in another order, onto itself, without statistics.
TYPED_TEST(LayerNormTest, ARowKnowsNothingOfTheOthers) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const Kernels<T>& kernels = table->in<T>();
    for (const std::int64_t n : sizes_of<T>(*table)) {
      if (n == 0) continue;
      SCOPED_TRACE(n);
      const Rows<T> r(11, n);
      const Results<T> all = results_of(*table, r, Against::begin);
      const std::vector<std::int64_t> order = Numbers(67).permutation(11);
      const Results<T> others = results_of(*table, r.take(order));
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::int64_t row = order[i];
        const Results<T> alone = results_of(*table, r.take({row}));
        const auto of = [n](const std::vector<T>& array, std::int64_t place) {
          return std::vector<T>(array.begin() + place * n, array.begin() + (place + 1) * n);
        };
        ASSERT_TRUE(same_bits(of(all.out, row), alone.out));
        ASSERT_TRUE(same_bits(of(all.dx, row), alone.dx));
        ASSERT_TRUE(same_bits(of(others.out, static_cast<std::int64_t>(i)), alone.out));
        ASSERT_TRUE(same_bits(of(others.dx, static_cast<std::int64_t>(i)), alone.dx));
      }
      std::vector<T> x = r.x, dy = r.dy, dgain(r.gain.size()), dbias(r.gain.size());
      kernels.layer_norm_backward(x.data(), r.gain.data(), all.statistics.data(), dy.data(), dy.data(),
                                  dgain.data(), dbias.data(), r.rows, n);
      EXPECT_TRUE(same_bits(dy, all.dx));
      EXPECT_TRUE(same_bits(dgain, all.dgain));
      kernels.layer_norm(x.data(), r.gain.data(), r.bias.data(), T(added), x.data(), nullptr, r.rows, n);
      EXPECT_TRUE(same_bits(x, all.out));
    }
  }
}

/// Equal columns of dy, where rows are equal too, have equal sums wherever they stand.
TYPED_TEST(LayerNormTest, WhereAColumnStandsDoesNotShowInItsSums) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_of<T>(*table)) {
      if (n == 0) continue;
      Rows<T> r(23, n);
      for (std::int64_t i = 0; i < r.rows * n; ++i) {
        const T first = r.dy[static_cast<std::size_t>(i / n * n)];
        r.dy[static_cast<std::size_t>(i)] = first;
      }
      const Results<T> got = results_of(*table, r);
      EXPECT_TRUE(same_bits(got.dbias, std::vector<T>(got.dbias.size(), got.dbias[0]))) << n;
      T sum = 0;  // in the order of the rows
      for (std::int64_t row = 0; row < r.rows; ++row) sum += r.dy[static_cast<std::size_t>(row * n)];
      EXPECT_EQ(got.dbias[0], sum);
    }
  }
}

TYPED_TEST(LayerNormTest, NothingToDo) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const Kernels<T>& kernels = table->in<T>();
    kernels.layer_norm(nullptr, nullptr, nullptr, T(added), nullptr, nullptr, 5, 0);
    kernels.layer_norm_backward(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 5, 0);
    for (const std::int64_t n : {1, 40, 100}) {
      const Results<T> got = results_of(*table, Rows<T>(0, n));
      const std::vector<T> zeros(static_cast<std::size_t>(n));
      EXPECT_TRUE(same_bits(got.dgain, zeros));
      EXPECT_TRUE(same_bits(got.dbias, zeros));
    }
  }
}

TYPED_TEST(LayerNormTest, WithoutBiasNothingIsAdded) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const std::int64_t n : sizes_of<T>(*table)) {
      Rows<T> r(5, n);
      const Results<T> without = results_of(*table, r, Against::end, /*has_bias=*/false);
      r.bias.assign(r.bias.size(), T(0));
      EXPECT_TRUE(same_bits(without.out, results_of(*table, r).out)) << n;
    }
  }
}

}  // namespace
}  // namespace wick::kernels
