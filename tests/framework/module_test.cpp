#include <cstdint>
#include <sstream>
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

using small::Model;
using small::Projection;
using Words = std::vector<std::string>;

Words names_of(const Module& module) {
  Words names;
  for (const NamedTensor& parameter : module.named_parameters()) names.push_back(parameter.name);
  return names;
}

// Registers whatever a test gives it, and can be got wrong.
class Pair final : public Module {
 public:
  Pair(const std::string& first, const std::string& second)
      : Module("pair"), first_(this, first, zeros({2})), second_(this, second, 2, 3) {}
  std::string description() const override { return "Pair"; }

 private:
  Parameter first_;
  Child<Projection> second_;
};

class TwoChildren final : public Module {
 public:
  TwoChildren() : Module("twins"), one_(this, "key", 2, 3), other_(this, "key", 2, 3) {}
  std::string description() const override { return "TwoChildren"; }

 private:
  Child<Projection> one_;
  Child<Projection> other_;
};

class Single final : public Module {
 public:
  Single(std::string name, Tensor value) : Module(std::move(name)), value_(this, "value", std::move(value)) {}
  std::string description() const override { return "Single"; }
  const Tensor& value() const { return value_; }

 private:
  Parameter value_;
};

// A child stands before a parameter.
class Mixed final : public Module {
 public:
  Mixed() : Module("mixed") {}
  std::string description() const override { return "Mixed"; }

 private:
  Parameter first_{this, "first", zeros({1})};
  Child<Projection> middle_{this, "middle", 2, 3};
  Parameter last_{this, "last", zeros({4})};
};

TEST(Module, KnowsItsPathFromTheRootDown) {
  const Model model("gpt");
  EXPECT_EQ(model.path(), "gpt");
  EXPECT_EQ(model.blocks()[2].path(), "gpt.blocks.2");
  EXPECT_EQ(model.blocks()[2].attention().path(), "gpt.blocks.2.attention");
  EXPECT_EQ(model.blocks()[2].attention().name(), "attention");
  EXPECT_EQ(Projection(2, 3).path(), "projection");
}

TEST(Module, ParameterKeysLeaveTheRootOut) {
  const Model model("gpt");
  EXPECT_EQ(names_of(model), Words({"blocks.0.attention.weight", "blocks.1.attention.weight",
                                    "blocks.2.attention.weight", "final.weight"}));
  EXPECT_EQ(model.parameter("blocks.1.attention.weight").shape(), Shape({32, 32}));
}

TEST(Module, ListsItsMembersInTheirOrder) {
  EXPECT_EQ(names_of(Mixed()), Words({"first", "middle.weight", "last"}));
}

TEST(Module, ReturnsFromAFunctionByValue) {
  const auto make = [] { return Model("made"); };
  const Model model = make();
  EXPECT_EQ(model.blocks()[0].path(), "made.blocks.0");
}

TEST(Module, ParametersAreLeavesAndHandlesOnOneTensor) {
  const Model model("gpt");
  Tensor weight = model.parameter("final.weight");
  EXPECT_TRUE(weight.requires_grad());
  EXPECT_TRUE(weight.node()->is_leaf());
  weight.fill(3);
  EXPECT_EQ(model.parameter("final.weight").at({0, 0}), 3);
}

TEST(Module, AParameterThatIsNotThereNamesThoseThatAre) {
  EXPECT_EQ(error_of<IndexError>([] { return Mixed().parameter("middle"); }),
            "mixed has no parameter middle; it has first middle.weight last");
  EXPECT_EQ(error_of<IndexError>([] { return ModuleList<Projection>("list").parameter("weight"); }),
            "list has no parameter weight; it has none");
}

TEST(Module, RefusesTwoMembersOfOneName) {
  EXPECT_EQ(error_of<GraphError>([] { TwoChildren(); }), "twins has two members named key");
  EXPECT_EQ(error_of<GraphError>([] { Pair("key", "key"); }), "pair has two members named key");
  EXPECT_EQ(names_of(Pair("key", "query")), Words({"key", "query.weight"}));
}

TEST(Module, RefusesEmptyAndDottedNames) {
  const std::string reason =
      " cannot name a module or a parameter: a name is not empty and has no dot, which stands between the "
      "names of a path";
  EXPECT_EQ(error_of<ValueError>([] { Pair("a.b", "c"); }), "\"a.b\"" + reason);
  EXPECT_EQ(error_of<ValueError>([] { Pair("a", "c."); }), "\"c.\"" + reason);
  EXPECT_EQ(error_of<ValueError>([] { Pair("", "c"); }), "\"\"" + reason);
  EXPECT_EQ(error_of<ValueError>([] { Pair("a", ""); }), "\"\"" + reason);
  EXPECT_EQ(error_of<ValueError>([] { Model("a.b"); }), "\"a.b\"" + reason);
  EXPECT_EQ(error_of<ValueError>([] { Model(""); }), "\"\"" + reason);
}

TEST(Parameter, IsAFloatingTensorThatNoOpMade) {
  EXPECT_EQ(error_of<TypeError>([] { Single("one", arange(3)); }),
            "set_requires_grad: a tensor of int64 has no gradient");
  EXPECT_THROW(Single("one", Tensor()), TypeError);
  EXPECT_EQ(Single("one", zeros({2}, float64)).value().dtype(), float64);
}

TEST(ModuleList, CountsAndNamesItsModules) {
  ModuleList<Projection> list("heads");
  EXPECT_EQ(list.size(), 0u);
  Projection& first = list.emplace_back(2, 3);
  list.emplace_back(4, 5);
  EXPECT_EQ(&list[0], &first);
  EXPECT_EQ(first.path(), "heads.0");
  EXPECT_EQ(list[1].path(), "heads.1");
  EXPECT_EQ(list.description(), "list of 2");
  EXPECT_EQ(error_of<IndexError>([&] { return list[2].name(); }), "heads has no module 2; it has 2");
}

TEST(ModuleList, StaysAsItWasWhereAModuleCannotBeMade) {
  ModuleList<Projection> list;
  list.emplace_back(2, 3);
  EXPECT_THROW(list.emplace_back(-1, 3), ShapeError);
  EXPECT_EQ(list.size(), 1u);
  EXPECT_EQ(list.emplace_back(4, 5).path(), "list.1");
  EXPECT_EQ(names_of(list), Words({"0.weight", "1.weight"}));
}

TEST(Module, CountsItsNumbers) {
  ModuleList<small::ThreeProjections> heads("heads");
  for (int i = 0; i < 4; ++i) heads.emplace_back(64, 16);
  EXPECT_EQ(heads.named_parameters().size(), 12u);
  EXPECT_EQ(heads.parameter_count(), 12'288);
  EXPECT_EQ(ModuleList<Projection>().parameter_count(), 0);
}

TEST(Module, CountsASharedParameterOnceAndListsItTwice) {
  const small::Tied tied;
  EXPECT_EQ(tied.parameter_count(), 6);
  EXPECT_EQ(names_of(tied), Words({"embedding", "unembedding"}));
  EXPECT_TRUE(tied.parameter("embedding").is_same(tied.parameter("unembedding")));
  EXPECT_EQ(tied.parameter("embedding").node(), tied.parameter("unembedding").node());
  EXPECT_EQ(tied.state().size(), 2u);
}

TEST(Module, TrainsOrEvaluatesWithAllBelowIt) {
  Model model("gpt");
  EXPECT_TRUE(model.is_training());
  model.eval();
  EXPECT_FALSE(model.is_training());
  EXPECT_FALSE(model.blocks()[1].attention().is_training());
  model.train();
  EXPECT_TRUE(model.blocks()[1].attention().is_training());
  model.train(false);
  EXPECT_FALSE(model.blocks()[1].is_training());
}

TEST(Module, ForgetsTheGradientsOfAllItsParameters) {
  Model model("gpt");
  for (const NamedTensor& parameter : model.named_parameters()) {
    parameter.tensor.backward(ones(parameter.tensor.shape()));
    EXPECT_TRUE(parameter.tensor.grad().defined());
  }
  model.zero_grad();
  for (const NamedTensor& parameter : model.named_parameters()) {
    EXPECT_FALSE(parameter.tensor.grad().defined()) << parameter.name;
  }
}

TEST(Module, IsPrintedAsATree) {
  const std::string expected =
      "mixed: Mixed, 11 numbers, 44 bytes\n"
      "  first: (1,) float32\n"
      "  middle: Projection(2 -> 3), 6 numbers, 24 bytes\n"
      "    weight: (2, 3) float32\n"
      "  last: (4,) float32\n";
  EXPECT_EQ(to_string(Mixed()), expected);
  std::ostringstream out;
  out << Mixed();
  EXPECT_EQ(out.str(), expected);
  EXPECT_EQ(to_string(Single("one", zeros({}, float64))),
            "one: Single, 1 number, 8 bytes\n  value: () float64\n");
}

}  // namespace
}  // namespace wick
