// A head's memory is linear in T: no (T, T) matrix is ever made.

#include <cstdint>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/random.h>
#include <wick/models/head.h>

namespace wick {
namespace {

// The most that tensors held while it ran, beyond what they held before.
template <typename Run>
std::int64_t bytes_taken(Run run) {
  const std::int64_t before = memory::counts().now;
  memory::reset_peak();
  run();
  return memory::counts().peak - before;
}

TEST(HeadMemory, GrowsAsTheSequence) {
  for (const bool causal : {false, true}) {
    const auto rng = default_rng(1);
    const Head head(16, 16, {.causal = causal}, *rng);
    std::int64_t shorter = 0;
    for (const std::int64_t T : {1024, 2048, 4096, 8192}) {
      const Tensor x = zeros({1, T, 16});
      const Tensor gradient = zeros({1, T, 16});
      const std::int64_t taken = bytes_taken([&] { head.forward(x).backward(gradient); });
      if (shorter > 0) {
        EXPECT_LE(static_cast<double>(taken), 2.1 * static_cast<double>(shorter)) << T;
      }
      shorter = taken;
    }
    EXPECT_LT(shorter, std::int64_t{8192} * 8192);  // bytes: a quarter of one matrix of scores
  }
}

}  // namespace
}  // namespace wick
