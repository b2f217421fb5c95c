// Large ops on several threads: the same bits as on one.

#include <gtest/gtest.h>

#include <wick/framework/threads.h>
#include <wick/tests/ops/large_ops.h>

namespace wick {
namespace {

using testing::same_bits;

TEST(Threads, TheSameBitsOnOneTwoThreeAndFour) {
  on_every_set_and_type([](DType type) {
    for (const LargeOp& op : large_ops()) {
      const ThreadCount setting(1);
      const Tensor expected = op.compute(type);
      for (const int threads : {2, 3, 4}) {
        set_thread_count(threads);
        leave_nan(expected.shape(), expected.dtype());
        EXPECT_TRUE(same_bits(op.compute(type), expected)) << op.name << " on " << threads << " threads";
      }
    }
  });
}

TEST(Threads, SoftmaxBackwardHasTheSameBitsOnOneTwoAndThree) {
  on_every_set_and_type([](DType type) {
    const auto gradient_on = [&](int threads) {
      Tensor x = sample({1275, 301}, type).clone();
      x.set_requires_grad(true);
      const Tensor y = softmax_of(x);
      leave_nan(x.shape(), type);
      const ThreadCount count(threads);
      y.backward(sample({1275, 301}, type, 2));
      return x.grad();
    };
    const Tensor expected = gradient_on(1);
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(same_bits(gradient_on(threads), expected)) << threads << " threads";
    }
  });
}

}  // namespace
}  // namespace wick
