#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/training/batches.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

using Ids = std::vector<std::int64_t>;

TEST(Batches, AreNumPysWindows) {
  const nlohmann::json run = training_golden("run");
  const Ids ids = run.at("ids");
  const std::int64_t T = run.at("block_size");
  const std::int64_t B = run.at("batch_size");
  Batches batches(from_vector(ids), T, B, default_rng(run.at("seed")));
  for (const Ids starts : run.at("starts")) {
    const Batch batch = batches.next();
    ASSERT_EQ(batch.inputs.shape(), (Shape{B, T}));
    ASSERT_EQ(batch.targets.shape(), (Shape{B, T}));
    for (std::int64_t b = 0; b < B; ++b) {
      for (std::int64_t t = 0; t < T; ++t) {
        const auto place = static_cast<std::size_t>(starts[static_cast<std::size_t>(b)] + t);
        ASSERT_EQ(batch.inputs.at<std::int64_t>({b, t}), ids[place]);
        ASSERT_EQ(batch.targets.at<std::int64_t>({b, t}), ids[place + 1]);
      }
    }
  }
}

TEST(Batches, DrawNothingElse) {
  const std::shared_ptr<Rng> rng = random_state(5);
  Batches batches(arange(100), 7, 3, rng);
  batches.next();
  batches.next();
  const std::unique_ptr<Rng> other = random_state(5);
  other->integers(0, 93, {6});
  EXPECT_EQ(rng->state(), other->state());
  EXPECT_EQ(batches.shared_rng(), rng);
}

TEST(Batches, TheShortestTextHasOneWindow) {
  Batches batches(arange(5), 4, 2, default_rng(1));
  const Batch batch = batches.next();
  EXPECT_EQ(batch.inputs.to_vector<std::int64_t>(), (Ids{0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(batch.targets.to_vector<std::int64_t>(), (Ids{1, 2, 3, 4, 1, 2, 3, 4}));
}

TEST(Batches, ReadAnyLayout) {
  const Tensor every_second = arange(20).strided_view({10}, {2});
  const Batch batch = windows_at(every_second, tensor({1, 6}), 3);
  EXPECT_EQ(batch.inputs.to_vector<std::int64_t>(), (Ids{2, 4, 6, 12, 14, 16}));
  EXPECT_EQ(batch.targets.to_vector<std::int64_t>(), (Ids{4, 6, 8, 14, 16, 18}));
}

TEST(Batches, Refusals) {
  const auto made = [](const Tensor& ids, std::int64_t block_size, std::int64_t batch_size) {
    Batches(ids, block_size, batch_size, default_rng(1));
  };
  EXPECT_EQ(error_of<ValueError>([&] { made(arange(64), 64, 1); }),
            "the training text has 64 ids, expected block_size + 1 = 65 or more");
  EXPECT_EQ(error_of<ValueError>([&] { made(arange(0), 1, 1); }),
            "the training text has 0 ids, expected block_size + 1 = 2 or more");
  EXPECT_EQ(error_of<ValueError>([&] { made(arange(9), 0, 1); }),
            "Batches: block_size is 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([&] { made(arange(9), 1, -2); }),
            "Batches: batch_size is -2, expected 1 or more");
  EXPECT_EQ(error_of<ShapeError>([&] {
              made(zeros({3, 3}, int64), 1, 1);
            }),
            "Batches: ids is (3, 3), expected (n,)");
  EXPECT_EQ(error_of<TypeError>([&] { made(zeros({9}), 1, 1); }), "Batches: ids is float32, expected int64");
  for (const std::int64_t start : {-1, 6, 7}) {
    EXPECT_EQ(
        error_of<IndexError>([&] { windows_at(arange(9), full({1}, start, int64), 3); }),
        "windows_at: a window of 3 at " + std::to_string(start) + " and its targets are not within 9 ids");
  }
}

TEST(SplitByPosition, KeepsTheEndForValidation) {
  const auto sizes = [](std::int64_t n, double share) {
    const TextParts parts = split_by_position(arange(n), share);
    const Ids first = parts.training.to_vector<std::int64_t>();
    const Ids second = parts.validation.to_vector<std::int64_t>();
    Ids joined = first;
    joined.insert(joined.end(), second.begin(), second.end());
    EXPECT_EQ(joined, arange(n).to_vector<std::int64_t>());
    return std::pair(first.size(), second.size());
  };
  EXPECT_EQ(sizes(10020, 0.1), std::pair(9018UL, 1002UL));
  EXPECT_EQ(sizes(10, 0.25), std::pair(8UL, 2UL));
  EXPECT_EQ(sizes(10, 0), std::pair(10UL, 0UL));
  EXPECT_EQ(sizes(9, 0.1), std::pair(9UL, 0UL));
  EXPECT_EQ(sizes(0, 0.5), std::pair(0UL, 0UL));
  for (const double wrong : {-0.1, 1.0, kNaN}) {
    EXPECT_EQ(error_of<ValueError>([&] { split_by_position(arange(9), wrong); }),
              "split_by_position: the share is " + std::to_string(wrong) + ", expected [0, 1)");
  }
}

}  // namespace
}  // namespace wick
