#include <cstdint>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/random.h>
#include <wick/models/head.h>

namespace wick {
namespace {

// What later steps need is what earlier ones released.
TEST(HeadMemory, AStepAsksTheSystemForNothingOnceItsSizesAreKnown) {
  const auto rng = default_rng(1);
  Head head(32, 16, {.causal = true, .bias = true}, *rng);
  const Tensor x = rng->standard_normal({2, 12, 32});
  const Tensor gradient = ones({2, 12, 16});
  const auto step = [&] {
    head.zero_grad();
    head.forward(x).backward(gradient);
  };
  memory::release_cached();
  const std::int64_t at_start = memory::counts().system_allocations;
  for (int i = 0; i < 3; ++i) step();
  const memory::Counts after_three = memory::counts();
  for (int i = 0; i < 10; ++i) step();
  EXPECT_EQ(memory::counts().now, after_three.now);
  EXPECT_EQ(memory::counts().peak, after_three.peak);
  EXPECT_GT(after_three.system_allocations, at_start);
#ifndef WICK_IS_SANITIZED
  EXPECT_EQ(memory::counts().system_allocations, after_three.system_allocations);
#endif
}

}  // namespace
}  // namespace wick
