#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/models/generate.h>
#include <wick/ops/ops.h>
#include <wick/tests/models/small_gpt.h>

namespace wick {
namespace {

using Ids = std::vector<std::int64_t>;

Ids ids_of(const Tensor& ids) { return ids.to_vector<std::int64_t>(); }

Gpt model(DType dtype = float32) { return Gpt(kSmallGpt, {.dtype = dtype}, *default_rng(1)); }

// ---- one draw ----

TEST(Sample, TakesTheFirstIdWhoseSumExceedsTheDraw) {
  const std::vector<double> logits{0.5, -1, 2, 0, 1.5};
  for (const double temperature : {1.0, 0.3, 5.0}) {
    const std::unique_ptr<Rng> rng = default_rng(3);
    const std::unique_ptr<Rng> same = default_rng(3);
    for (int i = 0; i < 200; ++i) {
      double total = 0;
      for (const double logit : logits) total += std::exp(logit / temperature);
      const double drawn = same->random();
      std::int64_t expected = 0;
      for (double sum = std::exp(logits[0] / temperature); sum <= drawn * total;) {
        sum += std::exp(logits[static_cast<std::size_t>(++expected)] / temperature);
      }
      EXPECT_EQ(sample(from_vector(logits), {.temperature = temperature}, *rng), expected);
    }
  }
}

TEST(Sample, AtTemperature0TakesTheFirstOfTheLikeliestAndDrawsNothing) {
  const std::unique_ptr<Rng> rng = default_rng(3);
  EXPECT_EQ(sample(tensor({1, 4, -2, 4, 3}, float32), {.temperature = 0}, *rng), 1);
  EXPECT_EQ(sample(tensor({1, 4, -2, 4, 3}, float64), {.temperature = 0, .top_k = 3}, *rng), 1);
  EXPECT_EQ(rng->random(), default_rng(3)->random());
}

// How often each id comes in 4000 draws.
std::array<int, 5> frequencies(const Tensor& logits, const SamplingOptions& options) {
  const std::unique_ptr<Rng> rng = default_rng(11);
  std::array<int, 5> counts{};
  for (int i = 0; i < 4000; ++i) ++counts[static_cast<std::size_t>(sample(logits, options, *rng))];
  return counts;
}

TEST(Sample, TopKLeavesTheLikeliest) {
  const Tensor logits = tensor({1, 3, 0, 2, 3}, float64);
  // e³ : e³ : e² among the three likeliest.
  const std::array<int, 5> three = frequencies(logits, {.top_k = 3});
  EXPECT_EQ(three[0], 0);
  EXPECT_EQ(three[2], 0);
  EXPECT_NEAR(three[1], 4000 * 0.42232, 120);
  EXPECT_NEAR(three[3], 4000 * 0.15536, 100);
  EXPECT_NEAR(three[4], 4000 * 0.42232, 120);
  EXPECT_EQ(frequencies(logits, {.top_k = 1}), (std::array{0, 4000, 0, 0, 0})) << "of equals, the lower";
  EXPECT_EQ(frequencies(logits, {.top_k = 5}), frequencies(logits, {}));
  EXPECT_EQ(frequencies(logits, {.top_k = 500}), frequencies(logits, {}));
}

TEST(Sample, IsNotMisledByLargeLogits) {
  EXPECT_EQ(frequencies(tensor({1e30, -1e30, 0, 1e29, 5}, float64), {}), (std::array{4000, 0, 0, 0, 0}));
  const std::array<int, 5> low = frequencies(tensor({-1000, -1001, -1e9, -1e9, -1000}, float64), {});
  EXPECT_EQ(low[2] + low[3], 0);
  EXPECT_NEAR(low[1], 4000 * 0.15536, 100);
  EXPECT_EQ(frequencies(tensor({1, 2, 3, 2, 1}, float64), {.temperature = 1e-300}),
            (std::array{0, 0, 4000, 0, 0}));
}

TEST(Sample, RefusesWhatItCannotDrawFrom) {
  const std::unique_ptr<Rng> rng = default_rng(3);
  const Tensor logits = tensor({1, 2, 3}, float32);
  const auto error_with = [&](const Tensor& x, const SamplingOptions& options) {
    return error_of<ValueError>([&] { sample(x, options, *rng); });
  };
  EXPECT_EQ(error_with(logits, {.temperature = -0.5}),
            "sample: temperature is -0.5, expected 0 or more, and finite");
  EXPECT_EQ(error_with(logits, {.temperature = kNaN}),
            "sample: temperature is nan, expected 0 or more, and finite");
  EXPECT_EQ(error_with(logits, {.temperature = kInfinity}),
            "sample: temperature is inf, expected 0 or more, and finite");
  EXPECT_EQ(error_with(logits, {.top_k = 0}), "sample: top_k is 0, expected 1 or more");
  EXPECT_EQ(error_with(from_vector(std::vector{0.0, kNaN}), {}),
            "sample: the logit of id 1 is nan, expected finite numbers");
  EXPECT_EQ(error_with(from_vector(std::vector{0.0, 1.0, -kInfinity}), {.temperature = 0}),
            "sample: the logit of id 2 is -inf, expected finite numbers");
  EXPECT_EQ(error_of<ShapeError>([&] {
              sample(zeros({1, 3}), {}, *rng);
            }),
            "sample: logits is (1, 3), expected (V,) with V of 1 or more");
  EXPECT_EQ(error_of<ShapeError>([&] { sample(zeros({0}), {}, *rng); }),
            "sample: logits is (0,), expected (V,) with V of 1 or more");
  EXPECT_EQ(rng->random(), default_rng(3)->random()) << "a refusal draws nothing";
}

// ---- a text ----

// The rule as it is told, every window encoded whole.
Ids continued(const Gpt& gpt, Ids text, const GenerateOptions& options, Rng& rng) {
  const auto block_size = static_cast<std::size_t>(gpt.config().block_size);
  Ids window(text.end() - static_cast<std::ptrdiff_t>(std::min(text.size(), block_size)), text.end());
  Ids added;
  while (static_cast<std::int64_t>(added.size()) < options.tokens) {
    const auto T = static_cast<std::int64_t>(window.size());
    const Tensor logits = gpt.forward(from_vector(window, {1, T}));
    added.push_back(sample(reshape(slice(logits, 1, T - 1, T), {-1}), options.sampling, rng));
    if (window.size() == block_size) {
      window = Ids(window.end() - static_cast<std::ptrdiff_t>(block_size / 2), window.end());
    }
    window.push_back(added.back());
  }
  return added;
}

TEST(Generate, GivesTheSameTextWithCacheAndWithoutBeyondTheWindowToo) {
  on_every_set_and_type([](DType dtype) {
    for (const std::int64_t block_size : {1, 2, 5, 12}) {
      GptConfig config = kSmallGpt;
      config.block_size = block_size;
      Gpt gpt(config, {.dtype = dtype}, *default_rng(1));
      randomize(gpt);
      for (const std::int64_t length : {1, 4, 12, 30}) {
        const Tensor prompt = some_ids({length});
        GenerateOptions options{.tokens = 40, .sampling = {.temperature = 1.2, .top_k = 8}};
        const Ids expected = continued(gpt, ids_of(prompt), options, *default_rng(6));
        for (const bool cache : {true, false}) {
          options.cache = cache;
          EXPECT_EQ(ids_of(generate(gpt, prompt, options, *default_rng(6))), expected)
              << "block_size " << block_size << ", a prompt of " << length << (cache ? ", cached" : "");
        }
      }
    }
  });
}

TEST(Generate, TellsEveryTokenAsItComes) {
  Gpt gpt = model();
  randomize(gpt);
  Ids told;
  const Tensor added = generate(gpt, some_ids({3}), {.tokens = 20}, *default_rng(6),
                                [&](std::int64_t id) { told.push_back(id); });
  EXPECT_EQ(added.shape(), (Shape{20}));
  EXPECT_EQ(told, ids_of(added));
}

TEST(Generate, EndsWithWhatTheListenerThrows) {
  Gpt gpt = model();
  int told = 0;
  EXPECT_THROW(generate(gpt, some_ids({3}), {.tokens = 20}, *default_rng(6),
                        [&](std::int64_t) {
                          if (++told == 3) throw std::runtime_error("enough");
                        }),
               std::runtime_error);
  EXPECT_EQ(told, 3);
}

TEST(Generate, AtTemperature0NeedsNoLuck) {
  Gpt gpt = model();
  randomize(gpt);
  const GenerateOptions options{.tokens = 30, .sampling = {.temperature = 0}};
  const Ids text = ids_of(generate(gpt, some_ids({3}), options, *default_rng(6)));
  EXPECT_EQ(ids_of(generate(gpt, some_ids({3}), options, *default_rng(7))), text);
  const Ids one =
      ids_of(generate(gpt, some_ids({3}), {.tokens = 30, .sampling = {.top_k = 1}}, *default_rng(7)));
  EXPECT_EQ(one, text);
}

TEST(Generate, TakesAPromptOfAnyLayout) {
  Gpt gpt = model();
  randomize(gpt);
  const Tensor prompt = some_ids({6});
  const Ids expected = ids_of(generate(gpt, prompt, {.tokens = 20}, *default_rng(6)));
  for (const Layout& layout : layouts_of(prompt)) {
    EXPECT_EQ(ids_of(generate(gpt, layout.tensor, {.tokens = 20}, *default_rng(6))), expected) << layout.name;
  }
}

TEST(Generate, NoTokensAreNone) {
  const Gpt gpt = model();
  EXPECT_EQ(generate(gpt, some_ids({3}), {.tokens = 0}, *default_rng(6)).shape(), (Shape{0}));
}

TEST(Generate, RefusesAModelThatWouldDrop) {
  GptConfig config = kSmallGpt;
  config.dropout = 0.1;
  Gpt gpt(config, {.dropout_rng = default_rng(5)}, *default_rng(1));
  EXPECT_EQ(error_of<ValueError>([&] { generate(gpt, some_ids({3}), {}, *default_rng(6)); }),
            "generate: gpt is in training, and would drop: call eval() first");
  gpt.eval();
  EXPECT_NO_THROW(generate(gpt, some_ids({3}), {.tokens = 2}, *default_rng(6)));
}

TEST(Generate, RefusesWhatIsNoPrompt) {
  const Gpt gpt = model();
  EXPECT_EQ(error_of<ShapeError>([&] { generate(gpt, zeros({0}, int64), {}, *default_rng(6)); }),
            "generate: prompt is (0,), expected (T,) with T of 1 or more");
  EXPECT_EQ(error_of<ShapeError>([&] {
              generate(gpt, zeros({1, 3}, int64), {}, *default_rng(6));
            }),
            "generate: prompt is (1, 3), expected (T,) with T of 1 or more");
  EXPECT_EQ(error_of<IndexError>([&] {
              generate(gpt, tensor({1, 11}), {}, *default_rng(6));
            }),
            "gpt.token_embedding: embedding: the id at position (0, 1) is 11, outside [0, 11)");
  EXPECT_THROW(generate(gpt, zeros({3}), {}, *default_rng(6)), TypeError);
  EXPECT_EQ(error_of<ValueError>([&] { generate(gpt, some_ids({3}), {.tokens = -1}, *default_rng(6)); }),
            "generate: tokens is -1, expected 0 or more");
}

}  // namespace
}  // namespace wick
