// Lessons 4 and 5 with their exercises, out of the modules: every array that the course has.

#include <memory>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/observer.h>
#include <wick/models/corpus.h>
#include <wick/models/embedding.h>
#include <wick/models/head.h>
#include <wick/models/initial.h>
#include <wick/models/tokenizer.h>
#include <wick/ops/ops.h>
#include <wick/tests/models/goldens.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

// What came out of the head, beside the course's own name for it; and the same with nobody looking on, where
// the head goes another way.
void expect_steps(const Head& head, const Tensor& x, const std::string& folder) {
  expect_golden(head.forward(x), folder, "out");
  const Trace trace;
  const Tensor out = head.forward(x);
  expect_golden(trace["head.query"], folder, "q");
  expect_golden(trace["head.key"], folder, "k");
  expect_golden(trace["head.value"], folder, "v");
  expect_golden(trace["head.scores"], folder, "scores");
  expect_golden(trace["head.weights"], folder, "weights");
  expect_golden(trace["head.out"], folder, "out");
  EXPECT_TRUE(same_bits(out, trace["head.out"]));
}

void expect_parameters(const Head& head, const std::string& folder) {
  expect_drawn(head.parameter("query.weight"), folder, "wq");
  expect_drawn(head.parameter("key.weight"), folder, "wk");
  expect_drawn(head.parameter("value.weight"), folder, "wv");
}

// ---- lesson 4

// One stream makes x and the head; then the weight named `redrawn` comes from another.
void expect_lesson4(DType dtype, const std::string& folder, std::int64_t head_size,
                    const std::string& redrawn = "") {
  const std::unique_ptr<Rng> rng = default_rng(42);
  const Tensor x = rng->standard_normal({1, 6, 64}, dtype);
  const Head head(64, head_size, {.weight_scale = 0.25, .dtype = dtype}, *rng);
  if (!redrawn.empty()) {
    head.parameter(redrawn).copy_from(scaled_normal({64, head_size}, 0.25, dtype, *default_rng(1)));
  }
  expect_drawn(x, folder, "x");
  expect_parameters(head, folder);
  expect_steps(head, x, folder);
}

TEST(Lesson4, MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) { expect_lesson4(dtype, "lesson4", 16); });
}

TEST(Lesson4, MeetsTheGoldensWithAnotherQueryWeight) {
  on_every_set_and_type([](DType dtype) { expect_lesson4(dtype, "lesson4_wq2", 16, "query.weight"); });
}

TEST(Lesson4, Exercise1MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) { expect_lesson4(dtype, "lesson4_exercise1", 8); });
}

TEST(Lesson4, Exercise3MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) { expect_lesson4(dtype, "lesson4_exercise3", 16, "key.weight"); });
}

// ---- lesson 5

struct Lesson5 {
  explicit Lesson5(DType dtype, bool causal = false, std::int64_t start = 0)
      : tokenizer(lantern_bay()),
        ids(slice(tokenizer.encode(lantern_bay()), 0, start, start + 12)),
        embed(24, 32, {.dtype = dtype}, *random_state(42)),
        stream(random_state(42)),
        head(32, 16, {.causal = causal, .weight_scale = 0.1, .dtype = dtype}, *stream),
        x(embed.forward(reshape(ids, {1, 12}))) {}

  Tensor weights() const {
    Trace trace;
    head.forward(x);
    return reshape(trace["head.weights"], {12, 12});
  }

  CharTokenizer tokenizer;
  Tensor ids;
  Embedding embed;
  std::unique_ptr<Rng> stream;
  Head head;
  Tensor x;  // (1, 12, 32)
};

TEST(Lesson5, MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) {
    const Lesson5 lesson(dtype);
    EXPECT_TRUE(same_bits(lesson.ids, golden("lesson5", "ids")));
    expect_drawn(lesson.embed.parameter("weight"), "lesson5", "table");
    expect_drawn(lesson.x, "lesson5", "x");
    expect_parameters(lesson.head, "lesson5");
    expect_steps(lesson.head, lesson.x, "lesson5");
  });
}

TEST(Lesson5, Exercise1MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) {
    const Lesson5 lesson(dtype, false, 100);
    EXPECT_EQ(lesson.tokenizer.decode(lesson.ids), "he boats com");
    EXPECT_TRUE(same_bits(lesson.ids, golden("lesson5_exercise1", "ids")));
    expect_drawn(lesson.x, "lesson5_exercise1", "x");
    expect_steps(lesson.head, lesson.x, "lesson5_exercise1");
  });
}

TEST(Lesson5, Exercise2MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) {
    const Lesson5 lesson(dtype, true);
    expect_steps(lesson.head, lesson.x, "lesson5_exercise2");
  });
}

TEST(Lesson5, Exercise2SeesNothingThatComesLater) {
  on_every_set_and_type([](DType dtype) {
    const Tensor weights = Lesson5(dtype, true).weights();
    EXPECT_EQ(weights.at({0, 0}), 1);
    EXPECT_TRUE(same_bits(weights, causal_mask(weights, 0)));
  });
}

TEST(Lesson5, Exercise3MeetsTheGoldens) {
  on_every_set_and_type([](DType dtype) {
    const Lesson5 lesson(dtype);
    const Tensor positions = scaled_normal({12, 32}, 0.1, dtype, *lesson.stream);
    expect_drawn(positions, "lesson5_exercise3", "pos");
    expect_steps(lesson.head, lesson.x + positions, "lesson5_exercise3");
  });
}

TEST(Lesson5, EqualCharactersHaveEqualRowsAndColumnsToTheBit) {
  on_every_set_and_type([](DType dtype) {
    const Tensor weights = Lesson5(dtype).weights();
    for (const Tensor& side : {weights, transpose(weights)}) {
      const auto row = [&](std::int64_t i) { return slice(side, 0, i, i + 1); };
      EXPECT_TRUE(same_bits(row(2), row(10)));
      EXPECT_TRUE(same_bits(row(2), row(11)));
      EXPECT_TRUE(same_bits(row(3), row(8)));
      EXPECT_FALSE(same_bits(row(2), row(3)));
    }
  });
}

TEST(Lesson5, TiesAreWonByTheFirst) {
  on_every_set_and_type([](DType dtype) {
    const std::vector<std::int64_t> expected{0, 4, 4, 9, 3, 9, 9, 6, 9, 7, 4, 4};
    EXPECT_EQ(argmax(Lesson5(dtype).weights()).to_vector<std::int64_t>(), expected);
  });
}

TEST(Lesson5, TwiceIsTheSameToTheBit) {
  on_every_set_and_type([](DType dtype) {
    const Lesson5 once(dtype);
    const Lesson5 again(dtype);
    EXPECT_TRUE(same_bits(once.head.forward(once.x), once.head.forward(once.x)));
    EXPECT_TRUE(same_bits(once.head.forward(once.x), again.head.forward(again.x)));
  });
}

}  // namespace
}  // namespace wick
