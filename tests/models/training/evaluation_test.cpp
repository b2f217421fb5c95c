#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/models/training/evaluation.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

using Ids = std::vector<std::int64_t>;

Ids starts_in(const Tensor& tensor) { return tensor.to_vector<std::int64_t>(); }

TEST(Evaluation, WindowsInStrides) {
  EXPECT_EQ(starts_in(window_starts(9, 4)), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(starts_in(window_starts(9, 4, 2)), (Ids{0, 2, 4}));
  EXPECT_EQ(starts_in(window_starts(9, 4, 3)), (Ids{0, 3}));
  EXPECT_EQ(starts_in(window_starts(9, 4, 100)), Ids{0});
  EXPECT_EQ(starts_in(window_starts(5, 4)), Ids{0});
  EXPECT_EQ(window_starts(501 + 64, 64).numel(), 501);  // one whole period of the corpus
  EXPECT_EQ(error_of<ValueError>([] { window_starts(4, 4); }),
            "the text has 4 ids, expected block_size + 1 = 5 or more");
  EXPECT_EQ(error_of<ValueError>([] { window_starts(9, 4, 0); }),
            "window_starts: stride is 0, expected 1 or more");
}

TEST(Evaluation, WindowsEvenlySpaced) {
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 1)), Ids{0});
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 2)), (Ids{0, 10}));
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 3)), (Ids{0, 5, 10}));
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 4)), (Ids{0, 3, 6, 10}));
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 11)), (Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(starts_in(spaced_window_starts(15, 4, 99)), (Ids{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(error_of<ValueError>([] { spaced_window_starts(64, 64, 3); }),
            "the validation text has 64 ids, expected block_size + 1 = 65 or more");
  EXPECT_EQ(error_of<ValueError>([] { spaced_window_starts(9, 4, 0); }),
            "spaced_window_starts: count is 0, expected 1 or more");
}

// A loss that is known: the mean of inputs times targets.
TEST(Evaluation, CountsEveryPosition) {
  const Tensor ids = default_rng(1)->integers(0, 9, {40});
  const Ids text = starts_in(ids);
  for (const std::int64_t batch_size : {1, 2, 3, 7, 100}) {
    int calls = 0;
    const LossFunction loss = [&](const Tensor& x, const Tensor& y) {
      ++calls;
      EXPECT_FALSE(grad_enabled());
      EXPECT_LE(x.size(0), batch_size);
      return scale(sum(x.to(float64) * y.to(float64)), 1.0 / static_cast<double>(x.numel()));
    };
    const Tensor starts = window_starts(40, 5, 3);
    const MeanLoss result = mean_loss(loss, ids, starts, 5, batch_size);
    double expected = 0;
    for (const std::int64_t start : starts_in(starts)) {
      for (std::int64_t t = 0; t < 5; ++t) {
        const auto place = static_cast<std::size_t>(start + t);
        expected += static_cast<double>(text[place] * text[place + 1]);
      }
    }
    EXPECT_EQ(result.positions, 12 * 5);
    EXPECT_NEAR(result.loss, expected / 60, 1e-13);
    EXPECT_EQ(calls, (12 + batch_size - 1) / batch_size);
  }
}

TEST(Evaluation, Refusals) {
  const LossFunction loss = [](const Tensor&, const Tensor&) { return ones({}); };
  EXPECT_EQ(error_of<ValueError>([&] { mean_loss(loss, arange(9), tensor({0}), 3, 0); }),
            "mean_loss: batch_size is 0, expected 1 or more");
  EXPECT_EQ(error_of<IndexError>([&] { mean_loss(loss, arange(9), tensor({7}), 3, 1); }),
            "windows_at: a window of 3 at 7 and its targets are not within 9 ids");
}

}  // namespace
}  // namespace wick
