#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/attention.h>
#include <wick/ops/packed_attention.h>
#include <wick/ops/reshape.h>
#include <wick/ops/slice.h>
#include <wick/ops/testing/compare.h>
#include <wick/ops/transpose.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

using testing::same_bits;

// The same, head by head through views: (B, T, 3C) -> (B, n_head, T, hs) three times, and back.
Tensor step_by_step(const Tensor& qkv, std::int64_t n_head, const AttentionOptions& options) {
  const std::int64_t B = qkv.size(0);
  const std::int64_t T = qkv.size(1);
  const std::int64_t C = qkv.size(2) / 3;
  std::vector<Tensor> parts;
  for (std::int64_t part = 0; part < 3; ++part) {
    const Tensor one = slice(qkv, 2, part * C, (part + 1) * C);
    parts.push_back(transpose(reshape(one, {B, T, n_head, C / n_head}), {0, 2, 1, 3}));
  }
  return reshape(transpose(attention(parts[0], parts[1], parts[2], options), {0, 2, 1, 3}), {B, T, C});
}

TEST(PackedAttention, HasTheBitsOfAttentionForwardAndBackward) {
  auto rng = default_rng(3);
  for (const DType dtype : {float32, float64}) {
    for (const bool causal : {false, true}) {
      const Tensor numbers = rng->standard_normal({3, 37, 60}, dtype);  // four heads of 5
      const Tensor weights = rng->standard_normal({3, 37, 20}, dtype);
      Tensor one = numbers.clone();
      Tensor other = numbers.clone();
      one.set_requires_grad(true);
      other.set_requires_grad(true);
      const Tensor packed = packed_attention(one, 4, {.causal = causal});
      const Tensor split = step_by_step(other, 4, {.causal = causal});
      EXPECT_TRUE(same_bits(packed, split));
      packed.backward(weights);
      split.backward(weights);
      EXPECT_TRUE(same_bits(one.grad(), other.grad()));
    }
  }
}

TEST(PackedAttention, ReadsAnyLayout) {
  const Tensor across = default_rng(4)->standard_normal({2, 24, 5});
  const Tensor qkv = transpose(across);  // (2, 5, 24), columns apart
  EXPECT_TRUE(same_bits(packed_attention(qkv, 2), packed_attention(qkv.contiguous(), 2)));
}

TEST(PackedAttention, HidesWhatIsBlocked) {
  const Tensor qkv = default_rng(5)->standard_normal({2, 4, 18});
  Tensor blocked = zeros({2, 1, 1, 4}, boolean);
  blocked.set({1, 0, 0, 2}, true);
  const AttentionOptions options{.blocked = blocked, .scale = 0.5};
  EXPECT_TRUE(same_bits(packed_attention(qkv, 2, options), step_by_step(qkv, 2, options)));
}

TEST(PackedAttention, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_of<ShapeError>([] {
              packed_attention(zeros({2, 4, 90}), 4);
            }),
            "packed_attention: qkv (2, 4, 90): 90 is not 3 times n_head=4 heads of one size");
  EXPECT_EQ(error_of<ShapeError>([] { packed_attention(zeros({12}), 4); }),
            "packed_attention: qkv (12,) of rank 1, expected (..., T, 3C), of rank 2 to 7");
  EXPECT_EQ(error_of<ValueError>([] {
              packed_attention(zeros({4, 12}), 0);
            }),
            "packed_attention: n_head is 0, expected 1 or more");
  EXPECT_EQ(error_of<TypeError>([] {
              packed_attention(zeros({4, 12}, int64), 2);
            }),
            "packed_attention: qkv is int64, expected float32 or float64");
  // A mask that does not fit is told of in this op's name, though the check is attention()'s.
  const auto with = [](const Tensor& blocked) { packed_attention(zeros({4, 12}), 2, {.blocked = blocked}); };
  EXPECT_EQ(error_of<ShapeError>([&] {
              with(zeros({4, 3}, boolean));
            }),
            "packed_attention: scores and blocked: (2, 4, 4) and (4, 3) do not broadcast: dimension -1 is 4 "
            "and 3");
  EXPECT_EQ(error_of<ShapeError>([&] {
              with(zeros({5, 1, 4, 4}, boolean));
            }),
            "packed_attention: blocked (5, 1, 4, 4) does not broadcast to the scores' shape (2, 4, 4)");
  EXPECT_EQ(error_of<TypeError>([&] {
              with(zeros({4, 4}));
            }),
            "packed_attention: blocked is float32, expected boolean");
}

}  // namespace
}  // namespace wick
