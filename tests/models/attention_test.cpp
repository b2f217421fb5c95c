#include <cmath>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/module.h>
#include <wick/framework/observer.h>
#include <wick/models/attention.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

// attend() needs a module that names the steps.
class Attention final : public Module {
 public:
  Attention() : Module("attention") {}
  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value, bool causal = false) const {
    const ModuleScope scope(*this);
    return attend(scope, query, key, value, causal);
  }
  std::string description() const override { return "Attention"; }
};

TEST(Attend, EqualKeysShareAQuery) {
  on_every_set_and_type([](DType dtype) {
    const Tensor value = tensor({{1, 10}, {2, 20}, {3, 30}, {6, 60}}, dtype);
    const Tensor out = Attention().forward(ones({1, 3}, dtype), ones({4, 3}, dtype), value);
    expect_values(out, {{3, 30}}, 1e-5);
  });
}

TEST(Attend, ScoresAreDividedByTheRootOfTheHeadSize) {
  on_every_set_and_type([](DType dtype) {
    Trace trace;
    Attention().forward(ones({1, 4}, dtype), full({2, 4}, 3, dtype), ones({2, 4}, dtype));
    expect_values(trace["attention.scores"], {{6, 6}});
    expect_values(trace["attention.weights"], {{0.5, 0.5}});
  });
}

TEST(Attend, FindsTheKeyThatAnswers) {
  on_every_set_and_type([](DType dtype) {
    const Tensor keys = tensor({{100, 0, 0}, {0, 100, 0}, {0, 0, 100}}, dtype);
    const Tensor value = tensor({{1, 2}, {3, 4}, {5, 6}}, dtype);
    expect_values(Attention().forward(tensor({{0, 100, 0}}, dtype), keys, value), {{3, 4}});
  });
}

TEST(Attend, CausalQueriesStandAtTheEndOfTheKeys) {
  on_every_set_and_type([](DType dtype) {
    Trace trace;
    Attention().forward(zeros({2, 4}, dtype), zeros({5, 4}, dtype), zeros({5, 4}, dtype), true);
    expect_values(trace["attention.weights"], {{.25, .25, .25, .25, 0}, {.2, .2, .2, .2, .2}}, 1e-7);
  });
}

TEST(Attend, WorksForAnyBatchOfHeads) {
  on_every_set_and_type([](DType dtype) {
    const Shape shape{2, 3, 7, 5};
    const Tensor q = normal(shape, dtype, 1);
    const Tensor k = normal(shape, dtype, 2);
    const Tensor v = normal(shape, dtype, 3);
    const Tensor all = Attention().forward(q, k, v, true);
    EXPECT_EQ(all.shape(), shape);
    const auto one = [](const Tensor& x) { return slice(slice(x, 0, 1, 2), 1, 2, 3); };
    EXPECT_TRUE(testing::same_bits(Attention().forward(one(q), one(k), one(v), true), one(all)));
  });
}

TEST(Attend, NamesWhatDoesNotFit) {
  EXPECT_EQ(error_of<ShapeError>([] {
              Attention().forward(zeros({5, 4}), zeros({5, 3}), zeros({5, 4}));
            }),
            "attention: attention: query (5, 4) and key (5, 3): head sizes 4 and 3 differ");
  EXPECT_EQ(error_of<ShapeError>([] {
              Attention().forward(zeros({5, 4}), zeros({6, 4}), zeros({5, 4}));
            }),
            "attention: attention: key (6, 4) and value (5, 4): 6 keys and 5 values");
  const Trace trace;  // step by step, each step has its own words
  EXPECT_EQ(error_of<ShapeError>([] {
              Attention().forward(zeros({5, 4}), zeros({5, 3}), zeros({5, 4}));
            }),
            "attention: matmul: (5, 4) @ (3, 5): inner dimensions 4 and 3 differ");
}

}  // namespace
}  // namespace wick
