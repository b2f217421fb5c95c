// Results large enough to be stored past the caches: the bits of small ones, wherever they begin and end.

#include <memory>

#include "support.h"
#include <wick/ops/kernels/streaming.h>

namespace wick::kernels {
namespace {

template <typename T>
class StreamingTest : public ::testing::Test {};
TYPED_TEST_SUITE(StreamingTest, Scalars);

/// An odd number of elements, in pieces of which none is streamed.
template <typename T>
constexpr std::int64_t large = streamed_bytes / static_cast<std::int64_t>(sizeof(T)) + 4099;
constexpr std::int64_t piece = 50000;

template <typename T, typename Compute>
void expect_bits_of_pieces(const KernelTable& table, Compute compute) {
  SCOPED_TRACE(table.name);
  std::vector<T> expected(static_cast<std::size_t>(large<T>));
  for (std::int64_t i = 0; i < large<T>; i += piece) {
    compute(i, std::min(piece, large<T> - i), expected.data() + i);
  }
  for (const Against against : {Against::end, Against::begin}) {
    Guarded<T> out(large<T>, against);
    compute(0, large<T>, out.data());
    ASSERT_EQ(std::memcmp(expected.data(), out.data(), expected.size() * sizeof(T)), 0);
    ASSERT_TRUE(out.is_ring_whole());
  }
}

TYPED_TEST(StreamingTest, ElementwiseKernels) {
  using T = TypeParam;
  const std::vector<T> a = Numbers(89).vector<T>(large<T>), b = Numbers(97).vector<T>(large<T>);
  std::unique_ptr<bool[]> blocked(new bool[static_cast<std::size_t>(large<T>)]);
  for (std::int64_t i = 0; i < large<T>; ++i)
    blocked[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(i)] < 0;
  for (const KernelTable* table : present_sets()) {
    const Kernels<T>& kernels = table->in<T>();
    expect_bits_of_pieces<T>(*table, [&](std::int64_t i, std::int64_t n, T* out) {
      kernels.add(a.data() + i, 1, b.data() + i, 1, out, n);
    });
    expect_bits_of_pieces<T>(
        *table, [&](std::int64_t i, std::int64_t n, T* out) { kernels.scale(a.data() + i, T(0.3), out, n); });
    expect_bits_of_pieces<T>(*table, [&](std::int64_t i, std::int64_t n, T* out) {
      kernels.mask(a.data() + i, 1, blocked.get() + i, 1, T(-1e9), out, n);
    });
  }
}

/// Rows that end inside of a vector, so that each begins at another distance from an aligned place.
TYPED_TEST(StreamingTest, Softmax) {
  using T = TypeParam;
  const std::int64_t n = 509, rows = large<T> / n;
  const std::vector<T> x = Numbers(101).vector<T>(rows * n, -9, 9);
  for (const KernelTable* table : present_sets()) {
    SCOPED_TRACE(table->name);
    std::vector<T> expected(x.size());
    for (std::int64_t row = 0; row < rows; row += 64) {
      table->in<T>().softmax(x.data() + row * n, expected.data() + row * n,
                             std::min<std::int64_t>(64, rows - row), n);
    }
    for (const Against against : {Against::end, Against::begin}) {
      Guarded<T> out(rows * n, against);
      table->in<T>().softmax(x.data(), out.data(), rows, n);
      ASSERT_EQ(std::memcmp(expected.data(), out.data(), expected.size() * sizeof(T)), 0);
      ASSERT_TRUE(out.is_ring_whole());
    }
  }
}

}  // namespace
}  // namespace wick::kernels
