// Callers may have threads of their own. Under the thread sanitizer (`tools/check tsan`) this is what would
// show a race.

#include <latch>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/random.h>
#include <wick/models/head.h>

namespace wick {
namespace {

TEST(Threads, OfTheCallerShareAModel) {
  constexpr int kThreads = 4;
  const auto rng = default_rng(7);
  const Head head(32, 16, HeadOptions{.causal = true}, *rng);
  const Tensor x = rng->standard_normal({2, 12, 32});
  const std::vector<float> expected = head.forward(x).to_vector<float>();
  std::latch start(kThreads);
  std::vector<int> same(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      // Each makes graphs of its own over the parameters of all, and destroys them.
      for (int i = 0; i < 50; ++i) same[t] += head.forward(x).to_vector<float>() == expected ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(kThreads, 50));
}

}  // namespace
}  // namespace wick
