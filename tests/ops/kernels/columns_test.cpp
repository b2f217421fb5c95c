// Reductions along columns: the bits that the same numbers have as rows.

#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class ColumnsTest : public ::testing::Test {};
TYPED_TEST_SUITE(ColumnsTest, Scalars);

template <typename T>
std::vector<T> transposed(const std::vector<T>& x, std::int64_t rows, std::int64_t columns) {
  std::vector<T> result(x.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      result[static_cast<std::size_t>(j * rows + i)] = x[static_cast<std::size_t>(i * columns + j)];
    }
  }
  return result;
}

/// x is (rows, columns), in memory that reaches from its first element to its last and no further: rows stand
/// `gap` elements apart.
template <typename T>
void spread(const std::vector<T>& x, std::int64_t columns, std::int64_t gap, Guarded<T>& into) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / columns, column = static_cast<std::int64_t>(i) % columns;
    into[row * (columns + gap) + column] = x[i];
  }
}

struct Size {
  std::int64_t rows, columns;
};

/// Around vectors, strips and blocks of a set, in both directions.
template <typename T>
std::vector<Size> sizes_for(const KernelTable& table) {
  const std::int64_t lanes = lanes_of<T>(table), strip = 256 / static_cast<std::int64_t>(sizeof(T));
  std::vector<Size> sizes;
  for (const std::int64_t rows :
       {std::int64_t{1}, std::int64_t{2}, lanes, 4 * lanes - 1, 4 * lanes, 4 * lanes + 1, 9 * lanes + 3}) {
    for (std::int64_t columns = 1; columns <= 2 * lanes + 1; ++columns) sizes.push_back({rows, columns});
    for (const std::int64_t columns : {strip - 1, strip, strip + 1, 2 * strip + 5})
      sizes.push_back({rows, columns});
  }
  for (const std::int64_t blocks : {1, 2, 5}) {
    for (const std::int64_t more : {-1, 0, 1}) sizes.push_back({blocks * 64 * lanes + more, 5});
  }
  return sizes;
}

TYPED_TEST(ColumnsTest, SumsHaveTheBitsOfRows) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const auto& [rows, columns] : sizes_for<T>(*table)) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << columns);
      std::vector<T> x = Numbers(73).vector<T>(rows * columns);
      x[0] = T(-0.0);
      std::vector<T> expected(static_cast<std::size_t>(columns));
      const std::vector<T> turned = transposed(x, rows, columns);
      table->in<T>().sum(turned.data(), expected.data(), columns, rows);
      for (const std::int64_t gap : {0, 3}) {
        for (const Against against : {Against::end, Against::begin}) {
          Guarded<T> in(rows * (columns + gap) - gap, against), out(columns, against);
          spread(x, columns, gap, in);
          table->in<T>().sum_columns(in.data(), columns + gap, out.data(), rows, columns);
          ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values()));
          ASSERT_TRUE(out.is_ring_whole());
        }
      }
    }
  }
}

TYPED_TEST(ColumnsTest, SoftmaxHasTheBitsOfRows) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    for (const auto& [rows, columns] : sizes_for<T>(*table)) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << columns);
      std::vector<T> x = Numbers(79).vector<T>(rows * columns, -20, 20);
      if (columns > 1) x[1] = infinity<T>;  // spoils its column only
      std::vector<T> weights(x.size());
      const std::vector<T> turned = transposed(x, rows, columns);
      table->in<T>().softmax(turned.data(), weights.data(), columns, rows);
      const std::vector<T> expected = transposed(weights, columns, rows);
      for (const Against against : {Against::end, Against::begin}) {
        Guarded<T> in(x, against), out(rows * columns, against);
        table->in<T>().softmax_columns(in.data(), out.data(), columns, rows, columns);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values()));
        ASSERT_TRUE(out.is_ring_whole());
        table->in<T>().softmax_columns(in.data(), in.data(), columns, rows, columns);  // onto itself
        ASSERT_TRUE(same_bits(std::span<const T>(expected), in.values()));
      }
    }
  }
}

TYPED_TEST(ColumnsTest, NothingHasSumsOfZero) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    std::vector<T> out(100, T(7));
    table->in<T>().sum_columns(nullptr, 100, out.data(), 0, 100);
    EXPECT_EQ(out, std::vector<T>(100, T(0))) << table->name;
    table->in<T>().sum_columns(nullptr, 0, nullptr, 5, 0);
    table->in<T>().softmax_columns(nullptr, nullptr, 0, 5, 0);
    table->in<T>().softmax_columns(nullptr, nullptr, 5, 0, 5);
  }
}

/// The bits of mul(y, dy - sum(dy y)) in single kernels.
TYPED_TEST(ColumnsTest, SoftmaxBackwardHasTheBitsOfItsFormula) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    const Kernels<T>& kernels = table->in<T>();
    const std::int64_t lanes = lanes_of<T>(*table);
    std::vector<std::int64_t> sizes = sizes_around(lanes);
    for (const std::int64_t n : {16 * lanes + 1, 64 * lanes, 64 * lanes + 1, 200 * lanes + 3})
      sizes.push_back(n);
    for (const std::int64_t n : sizes) {
      const std::int64_t rows = 3;
      Numbers numbers(83);
      const std::vector<T> y = numbers.vector<T>(rows * n, 0, 1), dy = numbers.vector<T>(rows * n);
      std::vector<T> products(y.size()), totals(rows), expected(y.size());
      kernels.multiply(dy.data(), 1, y.data(), 1, products.data(), rows * n);
      kernels.sum(products.data(), totals.data(), rows, n);
      for (std::int64_t row = 0; row < rows; ++row) {
        T* dx = expected.data() + row * n;
        kernels.subtract(dy.data() + row * n, 1, &totals[static_cast<std::size_t>(row)], 0, dx, n);
        kernels.multiply(y.data() + row * n, 1, dx, 1, dx, n);
      }
      for (const Against against : {Against::end, Against::begin}) {
        Guarded<T> in_y(y, against), in_dy(dy, against), out(rows * n, against);
        kernels.softmax_backward(in_y.data(), in_dy.data(), out.data(), rows, n);
        ASSERT_TRUE(same_bits(std::span<const T>(expected), out.values())) << n;
        ASSERT_TRUE(out.is_ring_whole());
      }
    }
  }
}

}  // namespace
}  // namespace wick::kernels
