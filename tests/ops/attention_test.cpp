#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/ops.h>
#include <wick/tests/framework/errors.h>
#include <wick/tests/ops/attention_steps.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

using testing::relative_difference;

struct Example {
  std::string name;
  Shape query, key, value;
  AttentionOptions options = {};
};

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const bool causal : {false, true}) {
    const std::string kind = causal ? ", causal" : "";
    const auto add = [&](const std::string& name, const Shape& query, const Shape& key, const Shape& value) {
      all.push_back({name + kind, query, key, value, {.causal = causal}});
    };
    for (const std::int64_t T : {1, 2, 6, 12, 17, 64, 127, 128, 129, 260}) {
      add("T " + std::to_string(T), {T, 16}, {T, 16}, {T, 16});
    }
    for (const std::int64_t hs : {1, 3, 16, 17, 64}) {
      for (const std::int64_t vs : {1, 3, 16, 17, 64}) {
        add("sizes " + std::to_string(hs) + " and " + std::to_string(vs), {2, 9, hs}, {2, 21, hs},
            {2, 21, vs});
      }
    }
    add("one query", {1, 16}, {300, 16}, {300, 16});
    add("few queries", {2, 3, 7, 8}, {2, 3, 200, 8}, {2, 3, 200, 8});
    add("shared keys", {2, 3, 7, 8}, {3, 20, 8}, {2, 1, 20, 5});
    add("no query", {0, 4}, {3, 4}, {3, 2});
    add("no batch", {0, 2, 4}, {0, 3, 4}, {3, 2});
    add("no value columns", {2, 4}, {3, 4}, {3, 0});
    for (const std::int64_t every : {2, 3, 100}) {
      all.push_back({"blocked, one of " + std::to_string(every) + kind,
                     {2, 60, 8},
                     {2, 150, 8},
                     {2, 150, 8},
                     {.causal = causal, .blocked = some_blocked({60, 150}, every)}});
    }
    all.push_back({"whole rows blocked" + kind,
                   {9, 4},
                   {140, 4},
                   {140, 3},
                   {.causal = causal, .blocked = some_blocked({9, 1}, 3)}});
    all.push_back({"whole keys blocked" + kind,
                   {2, 9, 4},
                   {2, 40, 4},
                   {2, 40, 3},
                   {.causal = causal, .blocked = some_blocked({2, 1, 40}, 3)}});
    all.push_back(
        {"all blocked" + kind, {5, 4}, {7, 4}, {7, 3}, {.causal = causal, .blocked = full({}, 1, boolean)}});
    all.push_back({"another scale" + kind, {5, 4}, {7, 4}, {7, 3}, {.causal = causal, .scale = -1.5}});
  }
  all.push_back({"more queries than keys", {200, 4}, {6, 4}, {6, 3}});
  all.push_back({"no key", {3, 4}, {0, 4}, {0, 2}});
  return all;
}

// body(example, its inputs) on every set, in both types. The numbers are drawn once, which takes longest.
template <typename Body>
void on_every_example(const Body& body) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(example.name);
    const Inputs drawn{normal(example.query, float64, 1), normal(example.key, float64, 2),
                       normal(example.value, float64, 3)};
    on_every_set_and_type([&](DType dtype) {
      body(example, Inputs{drawn[0].to(dtype), drawn[1].to(dtype), drawn[2].to(dtype)});
    });
  }
}

// Within 20 epsilons of the largest element, 40 for gradients: the two round in another order.
TEST(Attention, IsWhatTheStepsAre) {
  on_every_example([](const Example& example, const Inputs& in) {
    const DType dtype = in[0].dtype();
    const Tensor expected = step_by_step(in[0], in[1], in[2], example.options);
    leave_nan(expected.shape(), dtype);
    const Tensor out = attention(in[0], in[1], in[2], example.options);
    EXPECT_EQ(out.shape(), expected.shape());
    EXPECT_LE(relative_difference(out, expected), 20 * epsilon(dtype));
  });
}

TEST(Attention, HasTheGradientsOfTheSteps) {
  on_every_example([](const Example& example, const Inputs& in) {
    const Tensor weights = attention(in[0], in[1], in[2]) * 0.5 + 0.25;  // any numbers of the output's shape
    const auto gradients = [&](auto function) {
      return gradients_of([&](const Inputs& x) { return function(x[0], x[1], x[2], example.options); }, in,
                          weights);
    };
    const Inputs expected = gradients(step_by_step);
    const Inputs found = gradients(attention);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<double> a = found[i].to_vector<double>();
      const std::vector<double> b = expected[i].to_vector<double>();
      double largest = 1;
      for (const double number : b) largest = std::max(largest, std::abs(number));
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) {
        ASSERT_LE(std::abs(a[k] - b[k]), 40 * epsilon(in[0].dtype()) * largest)
            << "input " << i << ", element " << k;
      }
    }
  });
}

// Every tile of keys has larger scores than all before it, or smaller ones: up to 40, by steps of 0.1.
TEST(Attention, ScoresThatGrowFromTileToTile) {
  on_every_set_and_type([](DType dtype) {
    for (const double step : {0.1, -0.1}) {
      const Tensor keys = reshape(scale(arange(400).to(dtype), step), {400, 1});
      const Inputs in{ones({400, 1}, dtype), keys, normal({400, 3}, dtype)};
      for (const bool causal : {false, true}) {
        const AttentionOptions options{.causal = causal};
        const Tensor dy = normal({400, 3}, dtype, 2);
        const auto results = [&](auto function) {
          const auto call = [&](const Inputs& x) { return function(x[0], x[1], x[2], options); };
          Inputs all = gradients_of(call, in, dy);
          all.push_back(call(in));
          return all;
        };
        const Inputs found = results(attention);
        const Inputs expected = results(step_by_step);
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_LE(relative_difference(found[i], expected[i]), 400 * epsilon(dtype)) << i;
        }
      }
    }
  });
}

TEST(Attention, AQueryFromWhichAllIsHiddenGetsTheMean) {
  on_every_set_and_type([](DType dtype) {
    for (const bool causal : {false, true}) {
      const Tensor value = tensor({{1, 10}, {2, 20}, {3, 30}, {6, 60}}, dtype);
      const AttentionOptions options{
          .causal = causal, .blocked = tensor({{true, true, true, true}, {true, false, true, true}})};
      const Inputs in = leaves_of({normal({2, 3}, dtype, 1), normal({4, 3}, dtype, 2), value});
      const Tensor out = attention(in[0], in[1], in[2], options);
      expect_values(out, {{3, 30}, {2, 20}}, 1e-5);
      out.backward(tensor({{4, 8}, {1, 2}}, dtype));
      expect_values(in[0].grad(), {{0, 0, 0}, {0, 0, 0}});
      expect_values(in[1].grad(), {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
      expect_values(in[2].grad(), {{1, 2}, {2, 4}, {1, 2}, {1, 2}});
    }
  });
}

TEST(Attention, AHiddenKeyWeighsNothing) {
  on_every_set_and_type([](DType dtype) {
    const Tensor keys = tensor({{-50}, {3}, {50}}, dtype);
    const Tensor value = tensor({{1}, {1000}, {1000}}, dtype);
    const AttentionOptions options{.blocked = tensor({false, true, true})};
    expect_values(attention(ones({1, 1}, dtype), keys, value, options), {{1}});
  });
}

TEST(Attention, KeepsTwoNumbersPerRow) {
  Inputs in = leaves_of({normal({5, 4}), normal({7, 4}), normal({7, 3})});
  const Tensor out = attention(in[0], in[1], in[2]);
  EXPECT_EQ(out.node()->saved_bytes(), 8 * (5 * 4 + 7 * 4 + 7 * 3 + 5 * 3 + 2 * 5));
  out.backward(ones({5, 3}, float64));
  EXPECT_EQ(out.node()->saved_bytes(), 0);
}

// Beyond the inputs, and what of it the largest sizes take.
TEST(Attention, MemoryGrowsAsTheSequence) {
  const ThreadCount one(1);
  for (const bool causal : {false, true}) {
    std::int64_t before_forward = 0;
    std::int64_t before_backward = 0;
    for (const std::int64_t T : {1024, 2048, 4096, 8192}) {
      const Inputs in =
          leaves_of({zeros({1, T, 16}, float32), zeros({1, T, 16}, float32), zeros({1, T, 16}, float32)});
      const Tensor dy = zeros({1, T, 16}, float32);
      Tensor out;
      const std::int64_t forward =
          bytes_taken([&] { out = attention(in[0], in[1], in[2], {.causal = causal}); });
      const std::int64_t backward = bytes_taken([&] { out.backward(dy); });
      if (before_forward > 0) {
        EXPECT_LE(static_cast<double>(forward), 2.1 * static_cast<double>(before_forward)) << T;
        EXPECT_LE(static_cast<double>(backward), 2.1 * static_cast<double>(before_backward)) << T;
      }
      before_forward = forward;
      before_backward = backward;
    }
    EXPECT_LT(before_backward, 8192 * 8192);  // bytes: a quarter of one matrix of scores
  }
}

TEST(Attention, SaysWhatDoesNotFit) {
  const auto error = [](const Shape& q, const Shape& k, const Shape& v,
                        const AttentionOptions& options = {}) {
    return error_of<ShapeError>([&] { attention(zeros(q), zeros(k), zeros(v), options); });
  };
  EXPECT_EQ(error({4}, {3, 4}, {3, 4}), "attention: query (4,) of rank 1, expected (..., Tq, hs)");
  EXPECT_EQ(error({3, 4}, {}, {3, 4}), "attention: key () of rank 0, expected (..., Tk, hs)");
  EXPECT_EQ(error({3, 4}, {3, 4}, {3}), "attention: value (3,) of rank 1, expected (..., Tk, vs)");
  EXPECT_EQ(error({2, 4}, {3, 5}, {3, 4}),
            "attention: query (2, 4) and key (3, 5): head sizes 4 and 5 differ");
  EXPECT_EQ(error({2, 4}, {3, 4}, {5, 4}), "attention: key (3, 4) and value (5, 4): 3 keys and 5 values");
  EXPECT_EQ(error({2, 2, 4}, {3, 3, 4}, {3, 4}),
            "attention: query (2, 2, 4) and key (3, 3, 4): (2,) and (3,) do not broadcast: dimension -1 is 2 "
            "and 3");
  EXPECT_EQ(error({2, 2, 4}, {3, 4}, {5, 3, 4}),
            "attention: query (2, 2, 4) and key (3, 4) with value (5, 3, 4): (2,) and (5,) do not broadcast: "
            "dimension -1 is 2 and 5");
  EXPECT_EQ(
      error({5, 4}, {2, 4}, {2, 4}, {.causal = true}),
      "attention: query (5, 4) and key (2, 4): Tq=5 queries are more than Tk=2 keys, so the first would "
      "see none");
  EXPECT_EQ(error({2, 4}, {3, 4}, {3, 4}, {.blocked = zeros({4}, boolean)}),
            "attention: scores and blocked: (2, 3) and (4,) do not broadcast: dimension -1 is 3 and 4");
  EXPECT_EQ(error({2, 4}, {3, 4}, {3, 4}, {.blocked = zeros({5, 2, 3}, boolean)}),
            "attention: blocked (5, 2, 3) does not broadcast to the scores' shape (2, 3)");
}

TEST(Attention, SaysWhichTypeDoesNotFit) {
  const Tensor x = zeros({2, 4});
  EXPECT_EQ(error_of<TypeError>([&] {
              attention(zeros({2, 4}, int64), x, x);
            }),
            "attention: query is int64, expected float32 or float64");
  EXPECT_EQ(error_of<TypeError>([&] {
              attention(x, zeros({2, 4}, float64), x);
            }),
            "attention: key is float64, expected float32");
  EXPECT_EQ(error_of<TypeError>([&] { attention(x, x, Tensor()); }),
            "attention: value is an undefined tensor, expected float32");
  EXPECT_EQ(error_of<TypeError>([&] {
              attention(x, x, x, {.blocked = zeros({2, 2})});
            }),
            "attention: blocked is float32, expected boolean");
}

// Expanded views may be larger than any memory.
TEST(Attention, RefusesSizesWhoseMemoryCannotBeCounted) {
  const std::int64_t Tk = 384307168202282336;  // 48 Tk is 512 modulo 2^64
  const Tensor query = ones({1, 16});
  EXPECT_EQ(
      error_of<ShapeError>([&] {
        attention(query, expand(query, {Tk, 16}), expand(ones({1, 17}), {Tk, 17}));
      }),
      "attention: Tq=1 queries and Tk=384307168202282336 keys of 16, values of 17: the memory for a head "
      "overflows a 64-bit integer");
  EXPECT_EQ(
      error_of<ShapeError>([&] {
        packed_attention(expand(ones({1, 48}), {Tk / 4, 48}), 1);
      }),
      "packed_attention: Tq=96076792050570584 queries and Tk=96076792050570584 keys of 16, values of 16: "
      "the memory for a head overflows a 64-bit integer");
}

}  // namespace
}  // namespace wick
