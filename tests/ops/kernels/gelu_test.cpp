#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class GeluTest : public ::testing::Test {};
TYPED_TEST_SUITE(GeluTest, Scalars);

/// The value and the derivative in long double, and how many epsilons of the value are allowed.
struct Truth {
  long double value;
  long double derivative;
  long double epsilons;
};

const long double pi = std::acos(-1.0L);

Truth tanh_form(long double x) {
  const long double u = std::sqrt(2 / pi) * (x + 0.044715L * x * x * x);
  const long double slope = std::sqrt(2 / pi) * (1 + 3 * 0.044715L * x * x);
  const long double weight = 1 / (1 + std::exp(-2 * u));
  return {x * weight, weight + 2 * x * slope * weight / (1 + std::exp(2 * u)), 6 * std::fabs(u) + 8};
}

Truth exact_form(long double x) {
  const long double weight = std::erfc(-x / std::sqrt(2.0L)) / 2;
  return {x * weight, weight + x * std::exp(-x * x / 2) / std::sqrt(2 * pi), x * x / 2 + 12};
}

template <typename T>
struct Form {
  const char* name;
  Truth (*truth)(long double);
  void (*Kernels<T>::*kernel)(const T*, T*, T*, std::int64_t);
};

template <typename T>
const Form<T> forms[] = {
    {"tanh", tanh_form, &Kernels<T>::gelu_tanh},
    {"exact", exact_form, &Kernels<T>::gelu_exact},
};

template <typename T>
struct Results {
  std::vector<T> values, slopes;
};

/// Alone, and with the derivative, which has to make no difference.
template <typename T>
Results<T> results_of(const KernelTable& table, const Form<T>& form, const std::vector<T>& x,
                      Against against = Against::end) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto kernel = table.in<T>().*form.kernel;
  Guarded<T> in(x, against), alone(n, against), out(n, against), slope(n, against);
  kernel(in.data(), alone.data(), nullptr, n);
  kernel(in.data(), out.data(), slope.data(), n);
  EXPECT_TRUE(same_bits(alone.values(), out.values()));
  EXPECT_TRUE(alone.is_ring_whole() && out.is_ring_whole() && slope.is_ring_whole());
  return {{out.values().begin(), out.values().end()}, {slope.values().begin(), slope.values().end()}};
}

/// Everywhere, tails included, and where x is small.
template <typename T>
std::vector<T> many_numbers() {
  Numbers numbers(53);
  std::vector<T> x;
  for (const double range : {1e-3, 1.0, 4.0, 15.0, 45.0}) {
    const std::vector<T> more = numbers.vector<T>(20000, -range, range);
    x.insert(x.end(), more.begin(), more.end());
  }
  return x;
}

TYPED_TEST(GeluTest, IsAccurate) {
  using T = TypeParam;
  const std::vector<T> x = many_numbers<T>();
  for (const KernelTable* table : present_sets()) {
    for (const Form<T>& form : forms<T>) {
      SCOPED_TRACE(std::string(table->name) + " " + form.name);
      const std::vector<T> got = results_of(*table, form, x).values;
      long double worst = 0;  // within one deviation of 0, in epsilons
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Truth truth = form.truth(x[i]);
        const long double error = std::fabs(got[i] - truth.value);
        if (std::fabs(truth.value) < 100 * std::numeric_limits<T>::min() && got[i] == 0) continue;
        ASSERT_LE(error, truth.epsilons * epsilon<T> * std::fabs(truth.value) + std::numeric_limits<T>::min())
            << std::hexfloat << x[i] << " gives " << got[i];
        if (std::fabs(x[i]) < 1 && x[i] != 0) {
          worst = std::max(worst, error / std::fabs(truth.value) / epsilon<T>);
        }
      }
      std::cout << table->name << ", " << form.name << ": " << worst << " epsilon near 0\n";
    }
  }
}

/// The derivative goes from 0 to 1 with a little dip and a little hill: within as many epsilons of 1.
TYPED_TEST(GeluTest, DerivativeIsAccurate) {
  using T = TypeParam;
  const std::vector<T> x = many_numbers<T>();
  for (const KernelTable* table : present_sets()) {
    for (const Form<T>& form : forms<T>) {
      SCOPED_TRACE(std::string(table->name) + " " + form.name);
      const std::vector<T> got = results_of(*table, form, x).slopes;
      long double worst = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double error = std::fabs(got[i] - form.truth(x[i]).derivative) / epsilon<T>;
        ASSERT_LE(error, 12) << std::hexfloat << x[i] << " gives " << got[i];
        worst = std::max(worst, error);
      }
      std::cout << table->name << ", " << form.name << "': " << worst << " epsilon\n";
    }
  }
}

TYPED_TEST(GeluTest, SpecialValues) {
  using T = TypeParam;
  constexpr T largest = std::numeric_limits<T>::max();
  const std::vector<T> x = {0,       T(-0.0), infinity<T>, -infinity<T>, nan<T>,
                            -nan<T>, largest, -largest,    T(1e10)};
  const std::vector<T> values = {0, T(-0.0), infinity<T>, nan<T>, nan<T>, nan<T>, largest, T(-0.0), T(1e10)};
  const std::vector<T> slopes = {T(0.5), T(0.5), nan<T>, nan<T>, nan<T>, nan<T>, 1, 0, 1};
  for (const KernelTable* table : present_sets()) {
    for (const Form<T>& form : forms<T>) {
      SCOPED_TRACE(std::string(table->name) + " " + form.name);
      const Results<T> got = results_of(*table, form, x);
      EXPECT_TRUE(same_bits(got.values, values));
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (slopes[i] == slopes[i]) {
          EXPECT_NEAR(got.slopes[i], slopes[i], 2 * epsilon<T>) << x[i];
        } else {
          EXPECT_NE(got.slopes[i], got.slopes[i]) << x[i];
        }
      }
    }
  }
}

/// In any lane, in the body or in the tail, onto itself or elsewhere; nothing outside is touched.
TYPED_TEST(GeluTest, PlaceDoesNotShowInTheBits) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    for (const Form<T>& form : forms<T>) {
      SCOPED_TRACE(std::string(table->name) + " " + form.name);
      for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
        const std::vector<T> x = Numbers(59).vector<T>(n, -5, 5);
        Results<T> expected;
        for (const T number : x) {
          const Results<T> one = results_of<T>(*table, form, {number});
          expected.values.push_back(one.values[0]);
          expected.slopes.push_back(one.slopes[0]);
        }
        for (const Against against : {Against::end, Against::begin}) {
          const Results<T> got = results_of(*table, form, x, against);
          ASSERT_TRUE(same_bits(got.values, expected.values)) << n;
          ASSERT_TRUE(same_bits(got.slopes, expected.slopes)) << n;
        }
        std::vector<T> onto_itself = x;
        (table->in<T>().*form.kernel)(onto_itself.data(), onto_itself.data(), nullptr, n);
        EXPECT_TRUE(same_bits(onto_itself, expected.values)) << n;
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
