#include <cstddef>
#include <cstdint>
#include <functional>
#include <pthread.h>

#include <gtest/gtest.h>

#include "small_ops.h"
#include <wick/framework/graph.h>
#include <wick/framework/memory.h>

namespace wick {
namespace {

using small::leaf;
using small::mul;
using small::same;

// Runs `work` on a thread with a stack of this many bytes.
void run_on_stack(std::size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&work)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(DeepChain, OfAMillionNodesNeedsNoDeepStack) {
  const std::int64_t before = memory::counts().now;
  double gradient = 0;
  run_on_stack(256 << 10, [&] {
    const Tensor x = leaf({1});
    Tensor y = x;
    for (int i = 0; i < 1'000'000; ++i) y = same(y);
    y.backward();
    gradient = x.grad().item();
  });
  EXPECT_EQ(gradient, 1);
  EXPECT_EQ(memory::counts().now, before);
}

TEST(DeepChain, IsDestroyedWithoutBackwardToo) {
  run_on_stack(256 << 10, [] {
    Tensor y = leaf({1});
    for (int i = 0; i < 1'000'000; ++i) y = i % 100 == 0 ? mul(y, y) : same(y);
  });
}

}  // namespace
}  // namespace wick
