// Ops on several threads, and those who call them: callers with threads of their own, a child after fork, an
// error, an observer.

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/observer.h>
#include <wick/framework/threads.h>
#include <wick/ops/ops.h>
#include <wick/tests/framework/child.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

Tensor product() { return matmul(normal({301, 65}), normal({65, 301}, float64, 2)); }

TEST(Threads, AProductEndsInAChildAfterFork) {
  const ThreadCount two(2);
  const Tensor expected = product();
  EXPECT_TRUE(is_true_in_child([&] { return same_bits(product(), expected); }));
  EXPECT_TRUE(same_bits(product(), expected));
}

TEST(Threads, CallersMayHaveThreadsOfTheirOwn) {
  const ThreadCount two(2);
  const Tensor expected = product();
  const Tensor weights = softmax(normal({1275, 64}));
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        right += same_bits(product(), expected) ? 1 : 0;
        right += same_bits(softmax(normal({1275, 64})), weights) ? 1 : 0;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 3 * 5 * 2);
}

TEST(Threads, InsideAPieceOpsAreSerialAndRight) {
  const ThreadCount two(2);
  const Tensor expected = product();
  std::atomic<int> right{0};
  parallel_for(4, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) right += same_bits(product(), expected) ? 1 : 0;
  });
  EXPECT_EQ(right, 4);
}

TEST(Threads, AnErrorInAPieceLeavesOpsWorking) {
  const ThreadCount two(2);
  const Tensor expected = product();
  EXPECT_THROW(parallel_for(2, 1,
                            [](std::int64_t, std::int64_t) {
                              matmul(normal({2, 3}), normal({2, 3}));
                            }),
               ShapeError);
  EXPECT_TRUE(same_bits(product(), expected));
}

TEST(Threads, ObserversSeeASplitOpOnce) {
  struct Count final : Observer {
    void on_op(const OpEvent& /*event*/) override { ++ops; }
    int ops = 0;
  };
  const ThreadCount four(4);
  const Tensor a = normal({301, 65});
  const Count seen;
  matmul(a, transpose(a));
  EXPECT_EQ(seen.ops, 2);
}

}  // namespace
}  // namespace wick
