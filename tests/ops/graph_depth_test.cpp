// Graphs of a million ops: nothing that walks them may recurse.

#include <cstdint>

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/ops/ops.h>
#include <wick/tests/framework/small_stack.h>

namespace wick {
namespace {

Tensor leaf() {
  Tensor x = full({}, 3);
  x.set_requires_grad(true);
  return x;
}

Tensor chain_on(const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < kDeep; ++i) y = scale(y, 1);
  return y;
}

// `work`, after which all memory is given back.
void on_a_small_stack(void (*work)()) {
  const std::int64_t before = memory::counts().now;
  run_on_small_stack(work);
  EXPECT_EQ(memory::counts().now, before);
}

TEST(DeepChain, IsFreedByBackward) {
  on_a_small_stack([] {
    const Tensor x = leaf();
    chain_on(x).backward();
    EXPECT_EQ(x.grad().item(), 1);
  });
}

TEST(DeepChain, IsKeptWhereRetained) {
  on_a_small_stack([] {
    const Tensor x = leaf();
    const Tensor y = chain_on(x);
    y.backward(true);
    y.backward();
    EXPECT_EQ(x.grad().item(), 2);
  });
}

TEST(DeepChain, IsDestroyedAfterItWasRetained) {
  on_a_small_stack([] {
    const Tensor x = leaf();
    chain_on(x).backward(true);
    EXPECT_EQ(x.grad().item(), 1);
  });
}

TEST(DeepChain, IsDestroyedWithoutBackward) {
  on_a_small_stack([] { chain_on(leaf()); });
}

// Every node has two edges to the one before it: 2^500000 ways from the end to the leaf.
TEST(DeepChain, OfDiamonds) {
  on_a_small_stack([] {
    const Tensor x = leaf();
    Tensor y = x;
    for (int i = 0; i < kDeep / 2; ++i) y = scale(y + y, 0.5);
    y.backward();
    EXPECT_EQ(x.grad().item(), 1);
  });
}

}  // namespace
}  // namespace wick
