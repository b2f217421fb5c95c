// Large ops start threads, small ones none.

#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <gtest/gtest.h>

#include <wick/framework/threads.h>
#include <wick/tests/ops/large_ops.h>

namespace wick {
namespace {

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Whether a process that does nothing else has more than one thread afterwards.
template <typename Body>
void expect_starts_threads(bool does, Body body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new process, and not a child of this one's threads
  EXPECT_EXIT(
      {
        set_thread_count(4);
        const std::ptrdiff_t before = threads_of_this_process();
        body();
        std::_Exit((threads_of_this_process() > before) == does ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Threads, ALargeOpStartsThem) {
  if (!has_openmp()) GTEST_SKIP() << "this build has no threads";
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "this system does not list threads";
  for (const LargeOp& op : large_ops()) {
    if (op.name == "sum of all") continue;  // one result is not split
    SCOPED_TRACE(op.name);
    expect_starts_threads(true, [&] { op.compute(float64); });
  }
}

TEST(Threads, SoftmaxBackwardStartsThem) {
  if (!has_openmp()) GTEST_SKIP() << "this build has no threads";
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "this system does not list threads";
  const ThreadCount one(1);  // so that forward starts none
  Tensor x = sample({1275, 301}, float64).clone();
  x.set_requires_grad(true);
  const Tensor y = softmax_of(x);
  expect_starts_threads(true, [&] { y.backward(sample({1275, 301}, float64, 2)); });
}

TEST(Threads, ASmallOpStartsNone) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "this system does not list threads";
  expect_starts_threads(false, [] {
    const Tensor x = normal({1, 12, 32}, float64);
    softmax(causal_mask(matmul(x, transpose(x)) * 0.25) + 1);
  });
}

}  // namespace
}  // namespace wick
