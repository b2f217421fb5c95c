#include <string>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/graph_recorder.h>
#include <wick/framework/makers.h>
#include <wick/tests/framework/small_modules.h>
#include <wick/tests/framework/small_ops.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::mul;
using small::scale;

// gain * x, twice: once itself, once in its child.
class Inner final : public Module {
 public:
  explicit Inner(std::string name = "inner") : Module(std::move(name)) {}
  Tensor forward(const Tensor& x) const {
    ModuleScope scope(*this);
    return mul(x, gain_);
  }
  std::string description() const override { return "Inner"; }

 private:
  Parameter gain_{this, "gain", tensor({2, 3}, float64)};
};

class Outer final : public Module {
 public:
  explicit Outer(std::string name) : Module(std::move(name)) {}
  Tensor forward(const Tensor& x) const {
    ModuleScope scope(*this);
    const Tensor y = scale(inner_->forward(x), 2);
    scope.step("out", y);
    return y;
  }
  std::string description() const override { return "Outer"; }

 private:
  Child<Inner> inner_{this, "inner"};
};

TEST(GraphRecorder, NotesOpsWithTheirSources) {
  GraphRecorder graph;
  const Tensor x = leaf({1, 2});
  const Tensor y = mul(x, x);
  const Tensor z = add(y, x);
  ASSERT_EQ(graph.ops().size(), 2u);
  ASSERT_EQ(graph.leaves().size(), 1u);
  EXPECT_TRUE(graph.leaves()[0].value.is_same(x));
  EXPECT_EQ(graph.ops()[0].name, "mul");
  EXPECT_FALSE(graph.ops()[0].sources[0].is_op);
  EXPECT_TRUE(graph.ops()[1].sources[0].is_op);
  EXPECT_EQ(graph.ops()[1].sources[0].index, 0u);
  EXPECT_FALSE(graph.ops()[1].sources[1].is_op);
  EXPECT_TRUE(graph.ops()[1].result.is_same(z));
  EXPECT_EQ(graph.ops()[0].kept.size(), 2u);
}

TEST(GraphRecorder, SeesEdgesWithoutGradientsToo) {
  GraphRecorder graph;
  const NoGrad no_grad;
  scale(scale(tensor({1}, float64), 2), 3);
  ASSERT_EQ(graph.ops().size(), 2u);
  EXPECT_TRUE(graph.ops()[1].sources[0].is_op);
  EXPECT_TRUE(graph.ops()[1].kept.empty());
}

TEST(GraphRecorder, PrintsATable) {
  const Outer outer("outer");
  const Tensor x = tensor({{1, 2}}, float64).strided_view({2}, {1});
  GraphRecorder graph;
  graph.name("x", x);
  graph.name_parameters(outer);
  outer.forward(x);
  EXPECT_EQ(graph.table(),
            "   op     module       inputs     result  kept  step\n"
            "1  mul    outer.inner  (2,) (2,)  (2,)    16\n"
            "2  scale  outer        (2,)       (2,)    0     outer.out\n"
            "kept for backward: 16 bytes, what several ops keep counted once\n");
}

TEST(GraphRecorder, CountsOnceWhatSeveralOpsKeep) {
  const Tensor x = leaf({1, 2, 3});
  GraphRecorder graph;
  mul(x, x);
  mul(x.strided_view({2}, {1}), leaf({1, 2}));
  mul(x, leaf({1, 1, 1}));
  EXPECT_EQ(graph.table(),
            "   op   module  inputs     result  kept  step\n"
            "1  mul          (3,) (3,)  (3,)    48\n"
            "2  mul          (2,) (2,)  (2,)    16\n"  // the leaf's gradient reads x alone
            "3  mul          (3,) (3,)  (3,)    48\n"
            "kept for backward: 48 bytes, what several ops keep counted once\n");
}

TEST(GraphRecorder, CountsOfOneStorageTheLargestThatIsKept) {
  const Tensor x = leaf({1, 2, 3});
  GraphRecorder graph;
  mul(x.strided_view({2}, {1}), leaf({1, 2}));
  mul(x, tensor({1, 1, 1}, float64));  // keeps the constant
  mul(leaf({1, 1, 1}), x.detach());
  EXPECT_TRUE(graph.table().ends_with("kept for backward: 48 bytes, what several ops keep counted once\n"))
      << graph.table();
}

// What gives its input back as it is stands between that and those who read it.
TEST(GraphRecorder, TakesTheLatestMakerOfAValue) {
  GraphRecorder graph;
  scale(small::same(scale(leaf({1}), 2)), 3);
  ASSERT_EQ(graph.ops().size(), 3u);
  EXPECT_EQ(graph.ops()[2].sources[0].index, 1u);
}

TEST(GraphRecorder, WritesDotGroupedByModule) {
  const Outer outer("ou\"ter");
  GraphRecorder graph;
  graph.name_parameters(outer);
  graph.name("not read", tensor({1}, float64));
  outer.forward(tensor({1, 2}, float64));
  EXPECT_EQ(graph.dot(),
            "digraph {\n"
            "  node [shape=box];\n"
            "  subgraph \"cluster_ou\\\"ter\" {\n"
            "    label=\"ou\\\"ter\";\n"
            "    subgraph \"cluster_ou\\\"ter.inner\" {\n"
            "      label=\"ou\\\"ter.inner\";\n"
            "      op1 [label=\"mul\\n(2,)\"];\n"
            "    }\n"
            "    op2 [label=\"scale\\n(2,)\\nou\\\"ter.out\"];\n"
            "  }\n"
            "  leaf0 [shape=ellipse, label=\"ou\\\"ter.inner.gain\\n(2,)\"];\n"
            "  leaf2 [shape=ellipse, label=\"input\\n(2,)\"];\n"
            "  leaf2 -> op1;\n"
            "  leaf0 -> op1;\n"
            "  op1 -> op2;\n"
            "}\n");
}

TEST(GraphRecorder, OfNothing) {
  GraphRecorder graph;
  EXPECT_EQ(graph.dot(), "digraph {\n  node [shape=box];\n}\n");
  EXPECT_NE(graph.table().find("kept for backward: 0 bytes"), std::string::npos);
}

TEST(GraphRecorder, LeavesTheStepsWhereToldTo) {
  EXPECT_TRUE([] {
    const GraphRecorder graph;
    return ModuleScope::wants_steps();
  }());
  EXPECT_FALSE([] {
    const GraphRecorder graph(/*wants_steps=*/false);
    return ModuleScope::wants_steps();
  }());
}

}  // namespace
}  // namespace wick
