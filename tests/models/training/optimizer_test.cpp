#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>
#include <wick/models/training/optimizer.h>
#include <wick/tests/framework/small_modules.h>
#include <wick/tests/models/training/training_helpers.h>

namespace wick {
namespace {

using testing::same_bits;

std::vector<Tensor> arrays_in(const nlohmann::json& list, DType dtype) {
  std::vector<Tensor> arrays;
  for (const nlohmann::json& one : list) arrays.push_back(array_in(one, dtype));
  return arrays;
}

std::unique_ptr<Optimizer> optimizer_named(const std::string& name, const Module& module) {
  if (name == "Sgd") return std::make_unique<Sgd>(module);
  if (name == "AdamW") return std::make_unique<AdamW>(module);
  return std::make_unique<AdamW>(
      module, AdamWOptions{.beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.3});
}

// PyTorch's parameters after each of ten steps, some of which decay and some do not.
TEST(Optimizer, StepsAsPyTorch) {
  on_every_set_and_type([](DType dtype) {
    for (const nlohmann::json cases = training_golden("steps"); const auto& one : cases) {
      SCOPED_TRACE(one.at("name").get<std::string>());
      Parameters module(arrays_in(one.at("parameters"), dtype));
      const std::unique_ptr<Optimizer> optimizer = optimizer_named(one.at("name"), module);
      for (std::size_t step = 0; step < one.at("rates").size(); ++step) {
        const std::vector<Tensor> gradients = arrays_in(one.at("gradients")[step], dtype);
        for (std::size_t i = 0; i < gradients.size(); ++i) module.add_gradient(i, gradients[i]);
        optimizer->step(parsed(one.at("rates")[step]));
        module.zero_grad();
        const std::vector<Tensor> after = arrays_in(one.at("after")[step], dtype);
        for (std::size_t i = 0; i < after.size(); ++i) {
          EXPECT_LE(testing::relative_difference(module[i], after[i]), dtype == float64 ? 1e-14 : 2e-6)
              << "parameter " << i << " after step " << step + 1;
        }
      }
      EXPECT_EQ(optimizer->steps(), 10);
    }
  });
}

TEST(Optimizer, ScalesGradients) {
  const Tensor gradient = normal({3, 4}, float32, 2);
  for (const std::string name : {"Sgd", "AdamW"}) {
    Parameters scaled({normal({3, 4}, float32)});
    Parameters given({normal({3, 4}, float32)});
    const std::unique_ptr<Optimizer> a = optimizer_named(name, scaled);
    const std::unique_ptr<Optimizer> b = optimizer_named(name, given);
    for (int step = 0; step < 3; ++step) {
      scaled.zero_grad();
      given.zero_grad();
      scaled.add_gradient(0, gradient);
      given.add_gradient(0, gradient * 0.25F);
      a->step(0.01, 0.25);
      b->step(0.01);
    }
    EXPECT_TRUE(same_bits(scaled[0], given[0])) << name;
  }
}

// Decay alone: with a gradient of 0 nothing else moves a parameter.
TEST(Optimizer, OnlyMatricesDecay) {
  Parameters module({ones({2, 3}), ones({3}), ones({}), ones({1, 1, 1})});
  AdamW optimizer(module, {.weight_decay = 0.5});
  for (std::size_t i = 0; i < 4; ++i) module.add_gradient(i, zeros(module[i].shape()));
  optimizer.step(0.1);
  for (std::size_t i = 0; i < 4; ++i) {
    const float expected = i == 0 || i == 3 ? 0.95F : 1.0F;
    EXPECT_TRUE(same_bits(module[i], full(module[i].shape(), expected))) << i;
  }
}

TEST(Optimizer, ChangesASharedParameterOnce) {
  small::Tied module;
  Sgd optimizer(module);
  ASSERT_EQ(optimizer.parameters().size(), 1U);
  EXPECT_EQ(optimizer.parameters()[0].name, "embedding");
  sum(module.parameter("embedding") + module.parameter("unembedding")).backward();
  optimizer.step(0.5);
  EXPECT_TRUE(same_bits(module.parameter("embedding"), full({2, 3}, -1)));
}

// Some of the same numbers under two names.
class Overlapping final : public Module {
 public:
  Overlapping() : Module("overlapping") {}
  std::string description() const override { return "Overlapping"; }

 private:
  Parameter table_{this, "table", ones({4, 3})};
  Parameter bias_{this, "bias", ones({2})};
  Parameter row_{this, "row", table_.tensor().strided_view({3}, {1}, 6)};
};

TEST(Optimizer, RefusesParametersThatOverlap) {
  const Overlapping module;
  const std::string message = "the parameters table and row share memory, but are not the same tensor";
  EXPECT_EQ(error_of<ValueError>([&] { AdamW{module}; }), message);
  EXPECT_EQ(error_of<ValueError>([&] { Sgd{module}; }), message);
}

// Fails as often as it is told to.
class Failing final : public Optimizer {
 public:
  explicit Failing(const Module& module) : Optimizer(module) {}
  std::string name() const override { return "Failing"; }
  int failures = 0;

 private:
  void update(std::span<const std::size_t>, double, double) override {
    if (failures-- > 0) throw ValueError("no step");
  }
};

TEST(Optimizer, CountsNoStepThatFailed) {
  Parameters module({ones({2})});
  Failing optimizer(module);
  optimizer.step(0.1);
  optimizer.failures = 2;
  for (int i = 0; i < 2; ++i) EXPECT_THROW(optimizer.step(0.1), ValueError);
  EXPECT_EQ(optimizer.steps(), 1);
  EXPECT_EQ(Optimizer::steps_in(optimizer.state()), 1);
  optimizer.step(0.1);
  EXPECT_EQ(optimizer.steps(), 2);
}

// What the header says of a gradient that first comes late: t is the optimizer's, not the parameter's.
TEST(Optimizer, CountsStepsForAllParametersAlike) {
  Parameters module({ones({1}, float64), ones({1}, float64)});
  AdamW optimizer(module);
  for (int step = 1; step <= 5; ++step) {
    module.zero_grad();
    module.add_gradient(0, ones({1}, float64));
    if (step == 5) module.add_gradient(1, ones({1}, float64));
    optimizer.step(0.01);
  }
  const double mean = 0.1 / (1 - std::pow(0.9, 5));
  const double square = 0.001 / (1 - std::pow(0.999, 5));
  EXPECT_NEAR(module[1].item(), 1 - 0.01 * mean / (std::sqrt(square) + 1e-8), 1e-15);
}

TEST(Optimizer, LeavesWhatHasNoGradient) {
  Parameters module({ones({2, 2}), ones({2, 2})});
  AdamW optimizer(module, {.weight_decay = 0.5});
  module.add_gradient(1, ones({2, 2}));
  const std::vector<NamedTensor> before = optimizer.state();
  optimizer.step(0.1);
  const std::vector<NamedTensor> after = optimizer.state();
  EXPECT_TRUE(same_bits(module[0], ones({2, 2})));
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool is_same = after[i].name == "first_moment.0" || after[i].name == "second_moment.0";
    EXPECT_EQ(same_bits(after[i].tensor, before[i].tensor), is_same) << after[i].name;
  }
}

TEST(Optimizer, TheSameBitsAtAnyThreadCount) {
  const auto run = [](int threads) {
    const ThreadCount count(threads);
    Parameters module({normal({300, 301}, float32), normal({70'001}, float32, 2)});
    AdamW optimizer(module);
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < 2; ++i) module.add_gradient(i, normal(module[i].shape(), float32, 7));
      optimizer.step(0.01);
    }
    return module.state();
  };
  const std::vector<NamedTensor> serial = run(1);
  for (const int threads : {2, 3, 4}) expect_same_tensors(run(threads), serial);
}

TEST(Optimizer, ListsItsState) {
  Parameters module({ones({2, 3}), ones({3}, float64)});
  AdamW optimizer(module);
  std::vector<std::string> names;
  for (const NamedTensor& entry : optimizer.state()) {
    names.push_back(entry.name + " " + to_string(entry.tensor.shape()) + " " +
                    std::string(name(entry.tensor.dtype())));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"steps () int64", "first_moment.0 (2, 3) float32",
                                             "first_moment.1 (3,) float64", "second_moment.0 (2, 3) float32",
                                             "second_moment.1 (3,) float64"}));
  EXPECT_EQ(Sgd(module).state().size(), 1U);
}

TEST(Optimizer, GoesOnFromItsState) {
  for (const std::string name : {"Sgd", "AdamW"}) {
    Parameters module({normal({5, 3}, float32), normal({3}, float32, 2)});
    const std::unique_ptr<Optimizer> optimizer = optimizer_named(name, module);
    const auto step = [](Parameters& of, Optimizer& with, std::uint64_t seed) {
      of.zero_grad();
      for (std::size_t i = 0; i < 2; ++i) of.add_gradient(i, normal(of[i].shape(), float32, seed));
      with.step(0.01);
    };
    for (std::uint64_t seed = 0; seed < 4; ++seed) step(module, *optimizer, seed);

    Parameters other({module[0], module[1]});
    const std::unique_ptr<Optimizer> later = optimizer_named(name, other);
    const std::vector<NamedTensor> state = optimizer->state();
    later->load_state(state);
    expect_same_tensors(later->state(), state);
    for (std::uint64_t seed = 4; seed < 8; ++seed) {
      step(module, *optimizer, seed);
      step(other, *later, seed);
    }
    EXPECT_EQ(later->steps(), 8);
    EXPECT_TRUE(same_bits(other[0], module[0]));
    EXPECT_TRUE(same_bits(other[1], module[1]));
    expect_same_tensors(later->state(), optimizer->state());
  }
}

TEST(Optimizer, TellsAllMismatchesAtOnce) {
  Parameters module({ones({2, 3}), ones({3})});
  AdamW optimizer(module);
  const std::vector<NamedTensor> before = optimizer.state();
  const std::vector<NamedTensor> wrong{
      {"steps", full({}, -3, int64)},         {"first_moment.0", ones({3, 2})},
      {"first_moment.1", ones({3}, float64)}, {"first_moment.1", ones({3})},
      {"second_moment.0", Tensor()},          {"momentum.0", ones({1})}};
  EXPECT_EQ(
      error_of<ValueError>([&] { optimizer.load_state(wrong); }),
      "AdamW: the state does not fit: first_moment.1: given twice; momentum.0: file (1,) float32, not in "
      "AdamW; steps: file -3, expected 0 or more; first_moment.0: file (3, 2) float32, AdamW (2, 3) "
      "float32; first_moment.1: file (3,) float64, AdamW (3,) float32; second_moment.0: file undefined, "
      "AdamW (2, 3) float32; second_moment.1: not in the file, AdamW (3,) float32");
  expect_same_tensors(optimizer.state(), before);
  EXPECT_EQ(
      error_of<ValueError>([&] { optimizer.load_state(Sgd(module).state()); }),
      "AdamW: the state does not fit: first_moment.0: not in the file, AdamW (2, 3) float32; "
      "first_moment.1: not in the file, AdamW (3,) float32; second_moment.0: not in the file, AdamW (2, "
      "3) float32; second_moment.1: not in the file, AdamW (3,) float32");
}

TEST(Optimizer, TakesNoStateWithNumbersThatNoStepMakes) {
  Parameters module({ones({2, 3}), ones({3}, float64)});
  AdamW optimizer(module);
  std::vector<NamedTensor> wrong = optimizer.state();
  const std::vector<NamedTensor> before = optimizer.state();
  wrong[1].tensor.set({1, 2}, -1);  // a first moment may be anything finite
  wrong[2].tensor.set({1}, kInfinity);
  wrong[3].tensor.set({0, 1}, -1e-30);
  wrong[4].tensor.set({0}, kNaN);
  EXPECT_EQ(error_of<ValueError>([&] { optimizer.load_state(wrong); }),
            "AdamW: the state does not fit: first_moment.1: file has numbers that are not finite; "
            "second_moment.0: file has numbers below 0, expected 0 or more; second_moment.1: file has "
            "numbers that are not finite");
  expect_same_tensors(optimizer.state(), before);
}

TEST(Optimizer, RefusesNumbersThatCannotBe) {
  Parameters module({ones({1})});
  Sgd sgd(module);
  EXPECT_EQ(error_of<ValueError>([&] { sgd.step(-1); }),
            "the learning rate is -1.000000, expected a finite number of 0 or more");
  EXPECT_EQ(error_of<ValueError>([&] { sgd.step(kNaN); }),
            "the learning rate is nan, expected a finite number of 0 or more");
  EXPECT_EQ(error_of<ValueError>([&] { sgd.step(1, kInfinity); }),
            "the gradients' scale is inf, expected a finite number of 0 or more");
  EXPECT_EQ(error_of<ValueError>([&] { sgd.step(1, -1); }),
            "the gradients' scale is -1.000000, expected a finite number of 0 or more");
  EXPECT_EQ(sgd.steps(), 0);
  EXPECT_EQ(error_of<ValueError>([&] { AdamW(module, {.beta1 = 1}); }),
            "AdamW: beta1 is 1.000000, expected [0, 1)");
  EXPECT_EQ(error_of<ValueError>([&] { AdamW(module, {.beta2 = -0.5}); }),
            "AdamW: beta2 is -0.500000, expected [0, 1)");
  EXPECT_EQ(error_of<ValueError>([&] { AdamW(module, {.epsilon = kNaN}); }),
            "AdamW: epsilon is nan, expected a finite number of 0 or more");
  EXPECT_EQ(error_of<ValueError>([&] { AdamW(module, {.weight_decay = -1}); }),
            "AdamW: weight_decay is -1.000000, expected a finite number of 0 or more");
}

}  // namespace
}  // namespace wick
