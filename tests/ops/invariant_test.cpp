// The invariant of DESIGN.md: an element's bits depend on its operands' values, the reduced length and the
// instruction set, and on nothing else.

#include <vector>

#include <gtest/gtest.h>

#include <wick/ops/embedding.h>
#include <wick/ops/expand.h>
#include <wick/ops/layer_norm.h>
#include <wick/ops/mask.h>
#include <wick/ops/matmul.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/softmax.h>
#include <wick/ops/sum.h>
#include <wick/ops/transpose.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

Tensor permutation(std::int64_t n) { return from_vector(default_rng(7)->permutation(n)); }

Tensor row(const Tensor& x, std::int64_t i) { return slice(x, -2, i, i + 1); }
Tensor column(const Tensor& x, std::int64_t j) { return slice(x, -1, j, j + 1); }

/// Reduced lengths on both sides of a vector, and of a block.
constexpr std::int64_t kLengths[] = {1, 3, 16, 33, 255, 256, 257, 600};

TEST(Invariant, RowsOfAPermuted) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t K : kLengths) {
      const Tensor a = normal({23, K}, dtype, 1);
      const Tensor b = normal({K, 37}, dtype, 2);
      const Tensor order = permutation(23);
      EXPECT_TRUE(same_bits(matmul(embedding(a, order), b), embedding(matmul(a, b), order))) << K;
    }
  });
}

TEST(Invariant, ColumnsOfBPermuted) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t K : kLengths) {
      const Tensor a = normal({9, K}, dtype, 1);
      const Tensor b = normal({K, 71}, dtype, 2);
      const Tensor order = permutation(71);
      const Tensor permuted = transpose(embedding(transpose(b), order));  // a view, its columns contiguous
      const Tensor expected = transpose(embedding(transpose(matmul(a, b)), order));
      EXPECT_TRUE(same_bits(matmul(a, permuted), expected)) << K;
      EXPECT_TRUE(same_bits(matmul(a, permuted.clone()), expected)) << K;
    }
  });
}

TEST(Invariant, OneRowOrOneColumnAlone) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t K : kLengths) {
      const Tensor a = normal({13, K}, dtype, 1);
      const Tensor b = normal({K, 70}, dtype, 2);
      const Tensor product = matmul(a, b);
      for (std::int64_t i = 0; i < 13; ++i)
        EXPECT_TRUE(same_bits(matmul(row(a, i), b), row(product, i))) << K;
      for (std::int64_t j = 0; j < 70; ++j) {
        EXPECT_TRUE(same_bits(matmul(a, column(b, j)), column(product, j))) << K;
        EXPECT_TRUE(same_bits(matmul(row(a, 12), column(b, j)), column(row(product, 12), j))) << K;
      }
    }
  });
}

TEST(Invariant, BodyAndTailOfEverySize) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t K : {1, 33, 257}) {
      const Tensor one_row = normal({1, K}, dtype, 1);
      const Tensor one_column = normal({K, 1}, dtype, 2);
      const Tensor element = matmul(one_row, one_column);
      for (const std::int64_t M : {1, 2, 3, 4, 5, 7, 8, 13}) {
        for (std::int64_t N = 1; N <= 67; ++N) {
          const Tensor product = matmul(expand(one_row, {M, K}).clone(), expand(one_column, {K, N}).clone());
          EXPECT_TRUE(same_bits(product, expand(element, {M, N}))) << M << " x " << K << " x " << N;
        }
      }
    }
  });
}

TEST(Invariant, ABatchOfOneAndOfSixteen) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t K : {5, 64, 300}) {
      const Tensor a = normal({16, 6, K}, dtype, 1);
      const Tensor b = normal({16, K, 20}, dtype, 2);
      const Tensor shared = normal({K, 20}, dtype, 3);
      const Tensor products = matmul(a, b);
      const Tensor shared_products = matmul(a, shared);
      for (std::int64_t i = 0; i < 16; ++i) {
        const Tensor one = slice(a, 0, i, i + 1);
        EXPECT_TRUE(same_bits(matmul(one, slice(b, 0, i, i + 1)), slice(products, 0, i, i + 1)));
        EXPECT_TRUE(same_bits(matmul(one, shared), slice(shared_products, 0, i, i + 1)));
      }
      EXPECT_TRUE(same_bits(matmul(reshape(a, {96, K}), shared), reshape(shared_products, {96, 20})));
      EXPECT_TRUE(same_bits(matmul(a, expand(shared, {16, K, 20}).clone()), shared_products));
    }
  });
}

TEST(Invariant, EqualRowsGiveEqualRowsAndColumnsOfScores) {
  on_every_set_and_type([](DType dtype) {
    // As the course's repeated characters do: the same row of q and of k at several positions.
    const Tensor ids = tensor({3, 0, 5, 3, 1, 0, 3, 2, 4, 5, 3});
    const Tensor q = embedding(normal({6, 16}, dtype, 1), ids);
    const Tensor k = embedding(normal({6, 16}, dtype, 2), ids);
    const Tensor weights = softmax(matmul(q, transpose(k)));
    for (const std::int64_t i : {3, 6, 10}) {
      EXPECT_TRUE(same_bits(row(weights, i), row(weights, 0))) << i;
      EXPECT_TRUE(same_bits(column(weights, i), column(weights, 0))) << i;
    }
  });
}

TEST(Invariant, SoftmaxOfARowKnowsNothingOfTheOthers) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 6, 17, 64, 131}) {
      const Tensor x = normal({16, 5, n}, dtype);
      const Tensor weights = softmax(x);
      const Tensor flat = reshape(weights, {80, n});
      const Tensor rows = reshape(x, {80, n});
      for (std::int64_t i = 0; i < 80; ++i) EXPECT_TRUE(same_bits(softmax(row(rows, i)), row(flat, i)));
      const Tensor order = permutation(80);
      EXPECT_TRUE(same_bits(softmax(embedding(rows, order)), embedding(flat, order)));
      // The same rows as columns: along axis 0 of a transposed view, and of its copy.
      EXPECT_TRUE(same_bits(transpose(softmax(transpose(rows), 0)), flat));
      EXPECT_TRUE(same_bits(transpose(softmax(transpose(rows).clone(), 0)), flat));
      EXPECT_TRUE(same_bits(transpose(softmax(transpose(x, {2, 0, 1}), 0), {1, 2, 0}), weights));
    }
  });
}

TEST(Invariant, BlockedKeysAtTheEndLeaveTheWeightsAsTheyWereWithoutThem) {
  on_every_set_and_type([](DType dtype) {
    const Tensor scores = normal({40, 40}, dtype);
    const Tensor weights = softmax(causal_mask(scores));
    for (std::int64_t i = 0; i < 40; ++i) {
      const Tensor seen = slice(row(scores, i), 1, 0, i + 1);
      EXPECT_TRUE(same_bits(softmax(seen), slice(row(weights, i), 1, 0, i + 1))) << i;
    }
  });
}

TEST(Invariant, SumOfARowKnowsNothingOfTheOthers) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 6, 17, 64, 131, 1025, 3000}) {
      const Tensor x = normal({12, n}, dtype);
      const Tensor sums = sum(x, 1);
      for (std::int64_t i = 0; i < 12; ++i) {
        EXPECT_TRUE(same_bits(sum(row(x, i), 1), slice(sums, 0, i, i + 1))) << n;
        EXPECT_EQ(sum(row(x, i)).item(), sums.at({i})) << n;
      }
      const Tensor order = permutation(12);
      EXPECT_TRUE(same_bits(sum(embedding(x, order), 1, true), embedding(reshape(sums, {12, 1}), order)));
      EXPECT_TRUE(same_bits(sum(transpose(x), 0), sums));
      EXPECT_TRUE(same_bits(sum(transpose(x).clone(), 0), sums));
      EXPECT_TRUE(same_bits(sum(transpose(x), {0, 1}), sum(transpose(x).clone())));
    }
  });
}

TEST(Invariant, LayerNormOfARowKnowsNothingOfTheOthers) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t n : {1, 6, 17, 64, 131}) {
      const Tensor x = normal({40, n}, dtype);
      const Tensor gain = normal({n}, dtype, 2);
      const Tensor bias = normal({n}, dtype, 3);
      const Tensor y = layer_norm(x, gain, bias);
      for (std::int64_t i = 0; i < 40; ++i) {
        EXPECT_TRUE(same_bits(layer_norm(row(x, i), gain, bias), row(y, i))) << n;
      }
      const Tensor order = permutation(40);
      EXPECT_TRUE(same_bits(layer_norm(embedding(x, order), gain, bias), embedding(y, order)));
      EXPECT_TRUE(same_bits(layer_norm(reshape(x, {2, 20, n}), gain, bias), reshape(y, {2, 20, n})));
    }
  });
}

TEST(Invariant, TheOrderInWhichAxesAreNamedIsNothing) {
  on_every_set_and_type([](DType dtype) {
    const Tensor x = normal({5, 7, 11}, dtype);
    EXPECT_TRUE(same_bits(sum(x, {0, 2}), sum(x, {-1, 0})));
    EXPECT_TRUE(same_bits(sum(x), sum(x, {2, 0, 1})));
    EXPECT_TRUE(same_bits(sum(x), sum(reshape(x, {385}))));
  });
}

}  // namespace
}  // namespace wick
