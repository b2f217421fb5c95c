// What a step of training takes: no more than twice what it has to hold, and nothing new from the system.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/memory.h>
#include <wick/framework/random.h>
#include <wick/framework/threads.h>
#include <wick/models/gpt.h>
#include <wick/models/training/trainer.h>

namespace wick {
namespace {

constexpr std::int64_t kVocabSize = 24;
constexpr std::int64_t kBlockSize = 64;
constexpr std::int64_t kBatchSize = 16;

// The first GPT's sizes.
Gpt make_gpt() {
  return Gpt({.vocab_size = kVocabSize, .block_size = kBlockSize, .n_layer = 4, .n_head = 4, .n_embd = 64},
             {}, *default_rng(1));
}

Trainer make_trainer(Gpt& gpt) {
  return {gpt,
          [&gpt](const Tensor& ids, const Tensor& targets) { return gpt.loss(ids, targets); },
          std::make_unique<AdamW>(gpt),
          Batches(default_rng(2)->integers(0, kVocabSize, {2000}), kBlockSize, kBatchSize, default_rng(3)),
          {}};
}

// The bytes of all that a graph keeps for backward; what two nodes share counts once.
std::int64_t saved_bytes(const Tensor& loss) {
  std::map<const void*, std::int64_t> blocks;  // by first byte, the largest view of each
  std::set<const Node*> seen;
  std::vector<const Node*> open{loss.node().get()};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    for (const Tensor& value : node->saved_values()) {
      if (!value.defined()) continue;
      const void* first = value.dtype() == float32 ? static_cast<const void*>(value.data<float>())
                          : value.dtype() == int64 ? static_cast<const void*>(value.data<std::int64_t>())
                                                   : nullptr;
      std::int64_t& bytes = blocks[first];
      bytes = std::max(bytes, byte_count(value));
    }
    for (const auto& input : node->inputs()) {
      if (input != nullptr) open.push_back(input.get());
    }
  }
  std::int64_t total = 0;
  for (const auto& [first, bytes] : blocks) total += bytes;
  return total;
}

TEST(GptMemory, AStepTakesAtMostTwiceWhatItHolds) {
  Gpt gpt = make_gpt();
  const std::int64_t parameters = gpt.byte_count();
  std::int64_t saved = 0;
  {
    const auto rng = default_rng(4);
    const Tensor ids = rng->integers(0, kVocabSize, {kBatchSize, kBlockSize});
    saved = saved_bytes(gpt.loss(ids, ids)) - parameters;  // weights are saved, too
  }
  ASSERT_GT(saved, parameters);
  const std::int64_t others = memory::counts().now - parameters;
  Trainer trainer = make_trainer(gpt);
  for (int i = 0; i < 3; ++i) trainer.step();
  memory::reset_peak();
  trainer.step();
  const std::int64_t taken = memory::counts().peak - others;
  const std::int64_t held = 4 * parameters + saved;  // with gradients and two moments
  EXPECT_GT(taken, held / 2);
  EXPECT_LE(taken, 2 * held);
}

TEST(GptMemory, NothingComesFromTheSystemAfterTheThirdStep) {
#ifdef WICK_IS_SANITIZED
  GTEST_SKIP() << "under sanitizers nothing is cached";
#endif
  // Of several threads, how many take a workspace at one moment is a matter of chance.
  const ThreadCount one(1);
  Gpt gpt = make_gpt();
  Trainer trainer = make_trainer(gpt);
  for (int i = 0; i < 3; ++i) trainer.step();
  const std::int64_t before = memory::counts().system_allocations;
  for (int i = 0; i < 5; ++i) trainer.step();
  EXPECT_EQ(memory::counts().system_allocations, before);
}

}  // namespace
}  // namespace wick
