#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/optimizer_steps.h>
#include <wick/ops/overlap.h>
#include <wick/ops/slice.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

using Piece = std::span<const std::byte>;

std::array<std::byte, 64> memory;

bool share(Piece left, Piece right) {
  return std::max(left.data(), right.data()) <
         std::min(left.data() + left.size(), right.data() + right.size());
}

// Up to five pieces of memory, some of them empty.
std::vector<Piece> pieces_from(Rng& rng, std::int64_t longest) {
  std::vector<Piece> pieces;
  const std::int64_t count = rng.integers(0, 6, {}).item<std::int64_t>();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::size_t>(rng.integers(0, 48, {}).item<std::int64_t>());
    const auto size = static_cast<std::size_t>(rng.integers(0, longest + 1, {}).item<std::int64_t>());
    pieces.push_back(Piece(memory).subspan(first, size));
  }
  return pieces;
}

TEST(Overlap, IsFoundAsByComparingAll) {
  const auto rng = default_rng(1);
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Piece> written = pieces_from(*rng, 12);
    bool expected = false;
    for (std::size_t i = 0; i < written.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) expected |= share(written[i], written[j]);
    }
    const auto both = first_overlap(written);
    ASSERT_EQ(both.has_value(), expected) << round;
    if (both) {
      ASSERT_LT(both->first, both->second);
      ASSERT_TRUE(share(written[both->first], written[both->second])) << round;
      continue;
    }
    const std::vector<Piece> read = pieces_from(*rng, 16);
    const bool is_read = std::ranges::any_of(read, [&](Piece one) {
      return std::ranges::any_of(written, [&](Piece other) { return share(one, other); });
    });
    const auto across = first_overlap(written, read);
    ASSERT_EQ(across.has_value(), is_read) << round;
    if (across) {
      ASSERT_TRUE(share(written[across->first], read[across->second])) << round;
    }
    found += static_cast<int>(is_read);
  }
  EXPECT_GT(found, 100);
}

// Bits would hang on which thread is first.
TEST(OptimizerSteps, RefuseAGradientThatIsWrittenOver) {
  const Tensor block = ones({8});
  AdamWTensors left{slice(block, 0, 0, 4), ones({4}), zeros({4}), zeros({4})};
  AdamWTensors right{ones({4}), slice(block, 0, 3, 7), zeros({4}), zeros({4})};
  std::vector<AdamWTensors> all{right, left};
  AdamWStep how;
  how.learning_rate = 0.1;
  how.step = 1;
  EXPECT_EQ(error_of<ValueError>([&] { adamw_step(all, how); }),
            "adamw_step: parameter 1 and gradient 0 share memory, expected gradients apart from what is "
            "written to");
  EXPECT_EQ(error_of<ValueError>([&] { sgd_step(left.parameter, slice(block, 0, 1, 5), 0.1); }),
            "sgd_step: parameter and gradient share memory, expected them apart from each other");
  EXPECT_EQ(block.to_vector<float>(), std::vector<float>(8, 1));
  right.gradient = slice(block, 0, 4, 8);
  all = {right, left};
  EXPECT_EQ(error_of<ValueError>([&] { adamw_step(all, how); }), "no error");
}

}  // namespace
}  // namespace wick
