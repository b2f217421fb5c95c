#include <memory>

#include "support.h"

namespace wick::kernels {
namespace {

template <typename T>
class AttentionTest : public ::testing::Test {};
TYPED_TEST_SUITE(AttentionTest, Scalars);

struct Sizes {
  std::int64_t Tq, Tk, hs, vs;
  bool causal = false;
  bool has_mask = false;
};

// One head, its operands against forbidden pages: of rows side by side, or of columns side by side.
template <typename T>
struct Memory {
  Memory(const Sizes& of, Numbers& numbers, bool transposed, Against against)
      : sizes(of),
        query(numbers.vector<T>(of.Tq * of.hs), against),
        key(numbers.vector<T>(of.Tk * of.hs), against),
        value(numbers.vector<T>(of.Tk * of.vs), against),
        out(of.Tq * of.vs, against),
        shift(of.Tq, against),
        sum(of.Tq, against),
        blocked(new bool[static_cast<std::size_t>(of.Tq * of.Tk)]) {
    for (std::int64_t i = 0; i < of.Tq * of.Tk; ++i) blocked[i] = numbers.below(3) == 0;
    for (std::int64_t j = 0; j < of.Tk && of.Tq > 1; ++j) blocked[of.Tk + j] = true;  // row 1 sees nothing
    const auto matrix = [&](Guarded<T>& values, std::int64_t rows, std::int64_t columns) -> Matrix<T> {
      if (transposed) return {values.data(), 1, rows};
      return {values.data(), columns, 1};
    };
    head = {.Tq = of.Tq,
            .Tk = of.Tk,
            .hs = of.hs,
            .vs = of.vs,
            .query = matrix(query, of.Tq, of.hs),
            .key = matrix(key, of.Tk, of.hs),
            .value = matrix(value, of.Tk, of.vs),
            .blocked = {of.has_mask ? blocked.get() : nullptr, of.Tk, 1},
            .causal = of.causal,
            .scale = T(0.4)};
  }

  bool sees(std::int64_t i, std::int64_t j) const {
    return !(sizes.causal && j > i + sizes.Tk - sizes.Tq) && !(sizes.has_mask && blocked[i * sizes.Tk + j]);
  }

  Sizes sizes;
  Guarded<T> query, key, value, out, shift, sum;
  std::unique_ptr<bool[]> blocked;
  AttentionHead<T> head;
};

template <typename T>
long double at(const Matrix<T>& matrix, std::int64_t i, std::int64_t j) {
  return matrix.data[i * matrix.row_stride + j * matrix.column_stride];
}

// (Tq, Tk), each row's weights; 1 / Tk in a row that sees nothing.
template <typename T>
std::vector<long double> weights_of(const Memory<T>& memory) {
  const auto& [Tq, Tk, hs, vs, causal, has_mask] = memory.sizes;
  std::vector<long double> weights(static_cast<std::size_t>(Tq * Tk));
  for (std::int64_t i = 0; i < Tq; ++i) {
    long double* row = weights.data() + i * Tk;
    long double sum = 0;
    for (std::int64_t j = 0; j < Tk; ++j) {
      if (!memory.sees(i, j)) continue;
      long double score = 0;
      for (std::int64_t k = 0; k < hs; ++k) score += at(memory.head.query, i, k) * at(memory.head.key, j, k);
      row[j] = std::exp(score * memory.head.scale);
      sum += row[j];
    }
    for (std::int64_t j = 0; j < Tk; ++j) row[j] = sum == 0 ? 1.0L / Tk : row[j] / sum;
  }
  return weights;
}

template <typename T>
void run_forward(const KernelTable& table, Memory<T>& memory, Against against) {
  const Sizes& sizes = memory.sizes;
  const auto& kernels = table.in<T>();
  Guarded<T> packed(kernels.attention_pack_size(sizes.Tk, sizes.hs, sizes.vs), against);
  kernels.attention_pack(memory.head, packed.data());
  kernels.attention(memory.head, packed.data(), 0, sizes.Tq, {memory.out.data(), sizes.vs},
                    {memory.shift.data(), memory.sum.data()});
  EXPECT_TRUE(packed.is_ring_whole());
  for (Guarded<T>* array :
       {&memory.query, &memory.key, &memory.value, &memory.out, &memory.shift, &memory.sum}) {
    EXPECT_TRUE(array->is_ring_whole());
  }
  // Some of the rows alone, and without what backward wants.
  Guarded<T> part(sizes.Tq * sizes.vs, against);
  const std::int64_t first = sizes.Tq / 3;
  const std::int64_t end = (sizes.Tq + 1) / 2;
  kernels.attention(memory.head, packed.data(), first, end, {part.data(), sizes.vs}, {nullptr, nullptr});
  const auto rows = [&](Guarded<T>& array) {
    return array.values().subspan(static_cast<std::size_t>(first * sizes.vs),
                                  static_cast<std::size_t>((end - first) * sizes.vs));
  };
  EXPECT_TRUE(same_bits(rows(part), rows(memory.out)));
  for (std::int64_t i = 0; i < sizes.Tq * sizes.vs; ++i) {
    const bool is_asked_for = i >= first * sizes.vs && i < end * sizes.vs;
    ASSERT_TRUE(is_asked_for || part[i] != part[i]) << "written: " << i;
  }
}

template <typename T>
void expect_near(Guarded<T>& got, const std::vector<long double>& expected, const char* what) {
  long double largest = 1;
  for (const long double number : expected) largest = std::max(largest, std::fabs(number));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_LE(std::fabs(got[static_cast<std::int64_t>(i)] - expected[i]), 100 * epsilon<T> * largest)
        << what << " " << i;
  }
}

template <typename T>
void run_backward(const KernelTable& table, Memory<T>& memory, const std::vector<long double>& weights,
                  Numbers& numbers, Against against) {
  const auto& [Tq, Tk, hs, vs, causal, has_mask] = memory.sizes;
  const auto& kernels = table.in<T>();
  Guarded<T> gradient(numbers.vector<T>(Tq * vs), against);
  Guarded<T> workspace(kernels.attention_backward_size(Tq, Tk, hs, vs), against);
  Guarded<T> query(Tq * hs, against), key(Tk * hs, against), value(Tk * vs, against);
  kernels.attention_backward(memory.head, {memory.out.data(), vs, 1},
                             {memory.shift.data(), memory.sum.data()}, {gradient.data(), vs, 1},
                             {{query.data(), hs}, {key.data(), hs}, {value.data(), vs}}, workspace.data());
  for (Guarded<T>* array : {&gradient, &workspace, &query, &key, &value}) EXPECT_TRUE(array->is_ring_whole());

  std::vector<long double> dq(static_cast<std::size_t>(Tq * hs)), dk(static_cast<std::size_t>(Tk * hs)),
      dv(static_cast<std::size_t>(Tk * vs));
  for (std::int64_t i = 0; i < Tq; ++i) {
    const long double* row = weights.data() + i * Tk;
    std::vector<long double> slope(static_cast<std::size_t>(Tk));  // of the weights
    long double mean = 0;
    for (std::int64_t j = 0; j < Tk; ++j) {
      for (std::int64_t k = 0; k < vs; ++k) {
        slope[static_cast<std::size_t>(j)] += gradient[i * vs + k] * at(memory.head.value, j, k);
        dv[static_cast<std::size_t>(j * vs + k)] += row[j] * gradient[i * vs + k];
      }
      mean += row[j] * slope[static_cast<std::size_t>(j)];
    }
    for (std::int64_t j = 0; j < Tk; ++j) {
      if (!memory.sees(i, j)) continue;
      const long double d = row[j] * (slope[static_cast<std::size_t>(j)] - mean) * memory.head.scale;
      for (std::int64_t k = 0; k < hs; ++k) {
        dq[static_cast<std::size_t>(i * hs + k)] += d * at(memory.head.key, j, k);
        dk[static_cast<std::size_t>(j * hs + k)] += d * at(memory.head.query, i, k);
      }
    }
  }
  expect_near(query, dq, "dq");
  expect_near(key, dk, "dk");
  expect_near(value, dv, "dv");
}

template <typename T>
void expect_right(const KernelTable& table, const Sizes& sizes) {
  SCOPED_TRACE(::testing::Message() << table.name << ": " << sizes.Tq << " queries, " << sizes.Tk
                                    << " keys, hs " << sizes.hs << ", vs " << sizes.vs
                                    << (sizes.causal ? ", causal" : "")
                                    << (sizes.has_mask ? ", masked" : ""));
  for (const bool transposed : {false, true}) {
    for (const Against against : {Against::end, Against::begin}) {
      Numbers numbers(17);
      Memory<T> memory(sizes, numbers, transposed, against);
      run_forward(table, memory, against);
      const std::vector<long double> weights = weights_of(memory);
      std::vector<long double> expected(static_cast<std::size_t>(sizes.Tq * sizes.vs));
      for (std::int64_t i = 0; i < sizes.Tq; ++i) {
        for (std::int64_t j = 0; j < sizes.Tk; ++j) {
          for (std::int64_t k = 0; k < sizes.vs; ++k) {
            expected[static_cast<std::size_t>(i * sizes.vs + k)] +=
                weights[static_cast<std::size_t>(i * sizes.Tk + j)] * at(memory.head.value, j, k);
          }
        }
      }
      expect_near(memory.out, expected, "out");
      run_backward(table, memory, weights, numbers, against);
    }
  }
}

TYPED_TEST(AttentionTest, IsRightAtEverySizeAndStaysInside) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    for (const std::int64_t n : sizes_around(lanes_of<T>(*table))) {
      expect_right<T>(*table, {5, n, 3, 2});
      expect_right<T>(*table, {3, 4, n, 2});
      expect_right<T>(*table, {3, 4, 2, n});
      expect_right<T>(*table, {n, n, 3, 3, /*causal=*/true});
      expect_right<T>(*table, {n, n + 5, 2, 3, /*causal=*/true, /*has_mask=*/true});
    }
  }
}

TYPED_TEST(AttentionTest, IsRightOverTheBordersOfTiles) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    for (const std::int64_t Tk : {127, 128, 129, 260}) {
      expect_right<T>(*table, {70, Tk, 5, 3});
      expect_right<T>(*table, {70, Tk, 5, 3, /*causal=*/true, /*has_mask=*/true});
    }
  }
}

TYPED_TEST(AttentionTest, WithoutKeysTheOutputIs0) {
  using T = TypeParam;
  for (const KernelTable* table : present_sets()) {
    Numbers numbers(3);
    Memory<T> memory({3, 0, 2, 5}, numbers, false, Against::end);
    run_forward(*table, memory, Against::end);
    for (const T number : memory.out.values()) EXPECT_EQ(number, T(0));
  }
}

}  // namespace
}  // namespace wick::kernels
