#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_modules.h"
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/module.h>

namespace wick {
namespace {

using State = std::vector<NamedTensor>;
using Floats = std::vector<double>;

// A matrix, a scalar and a vector in float64.
class Three final : public Module {
 public:
  Three() : Module("three") {}
  std::string description() const override { return "Three"; }
  Floats values() const {
    Floats all;
    for (const NamedTensor& parameter : named_parameters()) {
      for (const double value : parameter.tensor.to_vector<double>()) all.push_back(value);
    }
    return all;
  }

 private:
  Parameter weight_{this, "weight", full({64, 16}, 1)};
  Parameter scale_{this, "scale", full({}, 2, float64)};
  Parameter bias_{this, "bias", full({3}, 3)};
};

State good_state() { return {{"weight", zeros({64, 16})}, {"scale", tensor(5)}, {"bias", zeros({3})}}; }

// What load_state says, after a look that it changed nothing.
std::string refusal_of(const State& state) {
  Three three;
  const Floats before = three.values();
  const std::string message = error_of<ValueError>([&] { three.load_state(state); });
  EXPECT_EQ(three.values(), before) << "nothing is changed";
  for (const NamedTensor& parameter : three.named_parameters()) EXPECT_EQ(parameter.tensor.version(), 1u);
  return message;
}

TEST(State, IsACopyOfEveryParameterUnderItsName) {
  Three three;
  const State state = three.state();
  ASSERT_EQ(state.size(), 3u);
  EXPECT_EQ(state[1].name, "scale");
  EXPECT_EQ(state[1].tensor.item(), 2);
  EXPECT_EQ(state[1].tensor.dtype(), float64);
  EXPECT_FALSE(state[1].tensor.requires_grad());
  three.parameter("scale").fill(9);
  EXPECT_EQ(state[1].tensor.item(), 2);
}

TEST(LoadState, CopiesValuesIntoTheParametersInAnyOrder) {
  Three three;
  const Tensor scale = three.parameter("scale");
  const Tensor bias = tensor({1, 2, 3});
  three.load_state({{"bias", bias}, {"weight", full({64, 16}, 0.1, float64)}, {"scale", tensor(5)}});
  EXPECT_EQ(scale.item(), 5) << "a handle sees the new value";
  EXPECT_EQ(scale.dtype(), float64);
  EXPECT_TRUE(scale.requires_grad());
  EXPECT_EQ(three.parameter("weight").at<float>({63, 15}), 0.1F);
  EXPECT_EQ(three.parameter("bias").to_vector<double>(), Floats({1, 2, 3}));
  EXPECT_FALSE(three.parameter("bias").shares_storage(bias));
}

TEST(LoadState, TakesBackItsOwnState) {
  Three three;
  const Floats before = three.values();
  const State state = three.state();
  three.parameter("weight").fill(7);
  three.load_state(state);
  EXPECT_EQ(three.values(), before);
  three.load_state(three.named_parameters());
  EXPECT_EQ(three.values(), before);
}

TEST(LoadState, TakesItsOwnTensorsUnderEachOthersNames) {
  class Pair final : public Module {
   public:
    Pair() : Module("pair") {}
    std::string description() const override { return "Pair"; }

   private:
    Parameter left_{this, "left", full({3}, 1)};
    Parameter right_{this, "right", full({3}, 2)};
  };
  Pair pair;
  pair.load_state({{"left", pair.parameter("right")}, {"right", pair.parameter("left")}});
  EXPECT_EQ(pair.parameter("left").to_vector<double>(), (Floats{2, 2, 2}));
  EXPECT_EQ(pair.parameter("right").to_vector<double>(), (Floats{1, 1, 1}));
}

TEST(LoadState, AnotherShapeIsNamed) {
  State state = good_state();
  state[0].tensor = zeros({1, 16});
  EXPECT_EQ(refusal_of(state), "three: the state does not fit: weight: file (1, 16), model (64, 16)");
  state = good_state();
  state[1].tensor = zeros({32000});
  EXPECT_EQ(refusal_of(state), "three: the state does not fit: scale: file (32000,), model ()");
  state[1].tensor = zeros({1});
  EXPECT_EQ(refusal_of(state), "three: the state does not fit: scale: file (1,), model ()");
}

TEST(LoadState, AllMismatchesStandInOneError) {
  const State state = {{"weight", zeros({1, 16})}, {"scale", zeros({32000})}, {"bias", zeros({2})}};
  EXPECT_EQ(
      refusal_of(state),
      "three: the state does not fit: weight: file (1, 16), model (64, 16); scale: file (32000,), model "
      "(); bias: file (2,), model (3,)");
}

TEST(LoadState, MissingUnknownDoubleAndUndefinedEntriesAreMismatches) {
  EXPECT_EQ(
      refusal_of({{"weight", zeros({64, 16})},
                  {"wheight", zeros({2})},
                  {"scale", Tensor()},
                  {"weight", zeros({64, 16})}}),
      "three: the state does not fit: wheight: file (2,), not in the model; weight: given twice; scale: "
      "undefined in the file, model (); bias: not in the file, model (3,)");
  EXPECT_EQ(refusal_of({}),
            "three: the state does not fit: weight: not in the file, model (64, 16); scale: not in the file, "
            "model (); bias: not in the file, model (3,)");
}

TEST(LoadState, NamesTheModulesPath) {
  small::Model model("gpt");
  State state = model.state();
  state[1].tensor = zeros({2});
  EXPECT_EQ(error_of<ValueError>([&] { model.load_state(state); }),
            "gpt: the state does not fit: blocks.1.attention.weight: file (2,), model (32, 32)");
}

TEST(LoadState, ASharedParameterTakesEqualValuesUnderBothNames) {
  small::Tied tied;
  const Tensor values = tensor({{1, 2, 3}, {4, 5, std::nan("")}});
  tied.load_state({{"embedding", values}, {"unembedding", values.clone()}});
  EXPECT_EQ(tied.parameter("unembedding").at({1, 0}), 4);

  Tensor other = values.clone();
  other.set({0, 0}, 9);
  EXPECT_EQ(error_of<ValueError>([&] {
              tied.load_state({{"embedding", other}, {"unembedding", values}});
            }),
            "tied: the state does not fit: unembedding: differs from embedding, which is the same parameter");
  EXPECT_EQ(tied.parameter("embedding").at({0, 0}), 1);
}

TEST(LoadState, IsAWriteThatAGraphFindsOut) {
  Three three;
  const std::uint32_t before = three.parameter("bias").version();
  three.load_state(good_state());
  EXPECT_GT(three.parameter("bias").version(), before);
}

}  // namespace
}  // namespace wick
