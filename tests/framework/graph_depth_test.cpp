#include <cstdint>

#include <gtest/gtest.h>

#include "small_ops.h"
#include "small_stack.h"
#include <wick/framework/graph.h>
#include <wick/framework/memory.h>

namespace wick {
namespace {

using small::leaf;
using small::mul;
using small::same;

TEST(DeepChain, OfAMillionNodesNeedsNoDeepStack) {
  const std::int64_t before = memory::counts().now;
  double gradient = 0;
  run_on_small_stack([&] {
    const Tensor x = leaf({1});
    Tensor y = x;
    for (int i = 0; i < kDeep; ++i) y = same(y);
    y.backward();
    gradient = x.grad().item();
  });
  EXPECT_EQ(gradient, 1);
  EXPECT_EQ(memory::counts().now, before);
}

TEST(DeepChain, IsDestroyedWithoutBackwardToo) {
  run_on_small_stack([] {
    Tensor y = leaf({1});
    for (int i = 0; i < kDeep; ++i) y = i % 100 == 0 ? mul(y, y) : same(y);
  });
}

}  // namespace
}  // namespace wick
