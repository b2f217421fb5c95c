#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_ops.h"
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/module.h>
#include <wick/framework/observer.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::scale;
using Words = std::vector<std::string>;

class Doubling final : public Module {
 public:
  explicit Doubling(std::string name) : Module(std::move(name)) {}
  Tensor forward(const Tensor& x) const {
    const ModuleScope scope(*this);
    const Tensor y = scale(x, 2);
    scope.step("doubled", y);
    return y;
  }
  std::string description() const override { return "Doubling"; }
};

// Notes everything under its own name, in a log that several may share.
class Logger : public Observer {
 public:
  Logger(std::string name, Words& log) : name_(std::move(name)), log_(log) {}
  void on_op(const OpEvent& event) override {
    log_.push_back(name_ + " op " + std::string(event.op) + " in " + std::string(event.module_path) + " of " +
                   std::to_string(event.inputs.size()) + " to " + to_string(event.output.shape()));
  }
  void on_backward(const BackwardEvent& event) override {
    std::string shapes;
    for (const Tensor& gradient : event.input_gradients) {
      shapes += " " + (gradient.defined() ? to_string(gradient.shape()) : "nothing");
    }
    log_.push_back(name_ + " backward " + std::string(event.op) + " in " + std::string(event.module_path) +
                   " of " + to_string(event.gradient.shape()) + " to" + shapes);
  }
  void on_step(const std::string& step, const Tensor& value) override {
    log_.push_back(name_ + " step " + step + " " + to_string(value.shape()));
  }

 private:
  std::string name_;
  Words& log_;
};

const Tensor& pair() {
  static const Tensor x = tensor({1, 2}, float64);
  return x;
}

// An op whose backward is made of ops, under the path where it ran.
class ComposedNode final : public Node {
 public:
  ComposedNode(const Origin& origin, std::string& path) : Node(origin), path_(path) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    path_ = current_module_path();
    return {scale(scale(gradient, 2), 3), Tensor()};
  }

 private:
  std::string& path_;
};

TEST(Observer, IsToldOfBackwardOncePerOpAndLeaf) {
  const Doubling module("root");
  const Tensor x = leaf({1, 2});
  std::string path;
  const Tensor y = [&] {
    const ModuleScope scope(module);
    const Tensor constant = ones({1}, float64);
    return record<ComposedNode>("composed", {&x, &constant}, ones({3}, float64), path);
  }();
  Words log;
  const Logger logger("a", log);
  EXPECT_EQ(error_of<GraphError>([&] { y.backward(ones({3}, float64), true); }),
            "root: composed: backward returned (3,) of float64 for input 0, which is (2,) of float64");
  EXPECT_EQ(log, Words());
  EXPECT_EQ(path, "root");
  EXPECT_EQ(current_module_path(), "");

  scale(x, 2).backward(ones({2}, float64));
  EXPECT_EQ(log, Words({"a op scale in  of 1 to (2,)", "a backward scale in  of (2,) to (2,)",
                        "a backward leaf in  of (2,) to"}));
}

TEST(Observer, IsToldOfNoGradientThatNobodyNeeds) {
  const Tensor y = add(leaf({1, 2}), pair());  // whose backward gives both inputs theirs
  Words log;
  const Logger logger("a", log);
  y.backward(ones({2}, float64));
  ASSERT_FALSE(log.empty());
  EXPECT_EQ(log.front(), "a backward add in  of (2,) to (2,) nothing");
}

TEST(Observer, IsToldOfBackwardUnderThePathOfTheForward) {
  const Doubling module("root");
  const Tensor x = leaf({1, 2});
  const Tensor y = module.forward(x);
  Words log;
  const Logger logger("a", log);
  y.backward(ones({2}, float64));
  EXPECT_EQ(log, Words({"a backward scale in root of (2,) to (2,)", "a backward leaf in  of (2,) to"}));
}

TEST(Observer, IsToldOfOpsAndStepsWithTheirPath) {
  Words log;
  const Doubling module("root");
  {
    const Logger logger("a", log);
    EXPECT_TRUE(OpenObservers::any());
    module.forward(pair());
    add(pair(), pair());
  }
  EXPECT_FALSE(OpenObservers::any());
  module.forward(pair());
  EXPECT_EQ(log, Words({"a op scale in root of 1 to (2,)", "a step root.doubled (2,)",
                        "a op add in  of 2 to (2,)"}));
}

TEST(Observer, SeesTheInputsAndTheNodeOfTheOutput) {
  class Looker final : public Observer {
   public:
    void on_op(const OpEvent& event) override {
      input_is_same = event.inputs[0]->is_same(*expected);
      output_has_node = event.output.requires_grad();
    }
    const Tensor* expected = nullptr;
    bool input_is_same = false;
    bool output_has_node = false;
  } looker;
  const Tensor x = leaf({1});
  looker.expected = &x;
  scale(x, 2);
  EXPECT_TRUE(looker.input_is_same);
  EXPECT_TRUE(looker.output_has_node);
}

TEST(Observer, Nests) {
  Words log;
  const Logger outer("outer", log);
  {
    const Logger inner("inner", log);
    scale(pair(), 2);
  }
  scale(pair(), 2);
  EXPECT_EQ(log, Words({"inner op scale in  of 1 to (2,)", "outer op scale in  of 1 to (2,)",
                        "outer op scale in  of 1 to (2,)"}));
}

TEST(Observer, MayCloseInAnyOrder) {
  Words log;
  auto first = std::make_unique<Logger>("first", log);
  auto second = std::make_unique<Logger>("second", log);
  auto third = std::make_unique<Logger>("third", log);
  second.reset();
  scale(pair(), 2);
  first.reset();
  scale(pair(), 2);
  third.reset();
  scale(pair(), 2);
  EXPECT_EQ(log, Words({"third op scale in  of 1 to (2,)", "first op scale in  of 1 to (2,)",
                        "third op scale in  of 1 to (2,)"}));
  EXPECT_FALSE(OpenObservers::any());
}

TEST(Observer, ClosesWhenSomethingThrows) {
  Words log;
  EXPECT_THROW(
      {
        const Logger logger("a", log);
        throw std::runtime_error("inside");
      },
      std::runtime_error);
  EXPECT_FALSE(OpenObservers::any());
}

class Refusing final : public Observer {
 public:
  void on_op(const OpEvent& event) override { throw ValueError("refused " + std::string(event.op)); }
};

TEST(Observer, WhatItThrowsReachesTheCallerOfTheOp) {
  const Doubling module("root");
  Words log;
  const Logger outer("outer", log);
  {
    const Refusing refusing;
    EXPECT_EQ(error_of<ValueError>([&] { module.forward(pair()); }), "root: refused scale");
    EXPECT_EQ(error_of<ValueError>([] { scale(pair(), 2); }), "refused scale");
  }
  scale(pair(), 2);
  EXPECT_EQ(log, Words({"outer op scale in  of 1 to (2,)"})) << "observing goes on after an error";
}

TEST(Observer, IsNotToldOfWhatItComputesItself) {
  class Computing final : public Observer {
   public:
    void on_op(const OpEvent& event) override {
      ++told;
      seen = scale(event.output, 10).to_vector<double>();
    }
    int told = 0;
    std::vector<double> seen;
  } computing;
  scale(pair(), 3);
  EXPECT_EQ(computing.told, 1);
  EXPECT_EQ(computing.seen, std::vector<double>({30, 60}));
  scale(pair(), 3);
  EXPECT_EQ(computing.told, 2);
}

TEST(Observer, IsOpenOnItsThreadOnly) {
  Words log;
  const Logger logger("a", log);
  bool elsewhere = true;
  std::thread([&] {
    elsewhere = OpenObservers::any();
    scale(pair(), 2);
  }).join();
  EXPECT_FALSE(elsewhere);
  EXPECT_TRUE(log.empty());
}

class Plain final : public Observer {
 public:
  bool wants_steps() const override { return false; }
};

TEST(Observer, AsksForStepsUnlessItSaysOtherwise) {
  EXPECT_FALSE(ModuleScope::wants_steps());
  const Plain plain;
  EXPECT_TRUE(OpenObservers::any());
  EXPECT_FALSE(ModuleScope::wants_steps());
  {
    const Trace trace;
    const Plain another;
    EXPECT_TRUE(ModuleScope::wants_steps());
  }
  EXPECT_FALSE(ModuleScope::wants_steps());
}

TEST(Trace, KeepsStepsInOrderAndOutsideTheGraph) {
  const Doubling module("root");
  const Trace trace;
  module.forward(leaf({1, 2}));
  module.forward(leaf({5}));
  ASSERT_EQ(trace.steps().size(), 2u);
  EXPECT_EQ(trace.steps()[0].first, "root.doubled");
  EXPECT_EQ(trace.steps()[0].second.shape(), Shape({2}));
  EXPECT_FALSE(trace.steps()[0].second.requires_grad());
  EXPECT_EQ(trace["root.doubled"].item(), 10) << "the latest of a name";
}

TEST(Trace, AStepThatIsNotThereNamesThoseThatAre) {
  const Trace trace;
  EXPECT_EQ(error_of<IndexError>([&] { return trace["head.scores"]; }),
            "no step is named head.scores; the trace has none");
  Doubling("one").forward(pair());
  Doubling("two").forward(pair());
  EXPECT_EQ(error_of<IndexError>([&] { return trace["head.scores"]; }),
            "no step is named head.scores; the trace has one.doubled two.doubled");
}

}  // namespace
}  // namespace wick
