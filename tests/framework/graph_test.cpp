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
#include <wick/framework/memory.h>
#include <wick/framework/module.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::mul;
using small::scale;
using small::square_root;
using Floats = std::vector<double>;

class Doubling final : public Module {
 public:
  explicit Doubling(std::string name) : Module(std::move(name)) {}
  Tensor forward(const Tensor& x) const {
    const ModuleScope scope(*this);
    return scale(x, 2);
  }
  std::string description() const override { return "Doubling"; }
};

TEST(Record, MakesNoNodeWithoutGradient) {
  const Tensor x = tensor({1.0}, float64);
  EXPECT_FALSE(scale(x, 2).requires_grad());
  EXPECT_EQ(scale(x, 2).node(), nullptr);
}

TEST(Record, GivesTheOutputANodeWithEdgesToNodes) {
  const Tensor x = leaf({1, 2});
  const Tensor constant = tensor({3, 4}, float64);
  const Tensor y = mul(x, constant);
  ASSERT_TRUE(y.requires_grad());
  const Node& node = *y.node();
  EXPECT_EQ(node.op(), "mul");

  EXPECT_EQ(node.module_path(), "");
  EXPECT_EQ(node.shape(), Shape({2}));
  EXPECT_EQ(node.dtype(), float64);
  ASSERT_EQ(node.inputs().size(), 2u);
  EXPECT_EQ(node.inputs()[0], x.node());
  EXPECT_EQ(node.inputs()[1], nullptr);
  EXPECT_FALSE(node.is_leaf());
  EXPECT_TRUE(x.node()->is_leaf());
}

TEST(Record, NotesTheModuleThatRanTheOp) {
  const Doubling module("outer");
  const Tensor y = module.forward(leaf({1}));
  EXPECT_EQ(y.node()->module_path(), "outer");
}

TEST(Record, RemembersThePathOfAModuleThatIsGone) {
  Tensor y;
  {
    const Doubling module("gone");
    y = module.forward(leaf({1}));
  }
  EXPECT_EQ(y.node()->module_path(), "gone");
  y.backward();
  EXPECT_EQ(error_of<GraphError>([&] { y.backward(); }).substr(0, 6), "gone: ");
}

TEST(Record, KeepsOnlyWhatBackwardReads) {
  const Tensor x = leaf({1, 2});
  const Tensor constant = tensor({3, 4}, float64);
  EXPECT_EQ(scale(x, 2).node()->saved_bytes(), 0);
  EXPECT_EQ(mul(x, constant).node()->saved_bytes(), 16);
  EXPECT_EQ(mul(x, x).node()->saved_bytes(), 32);
  const Tensor y = mul(x, constant);
  y.node()->release();
  EXPECT_EQ(y.node()->saved_bytes(), 0);
  EXPECT_TRUE(y.node()->is_released());
}

TEST(Graph, HasNoCycleThatLeaks) {
  const std::int64_t before = memory::counts().now;
  {
    const Tensor x = leaf({4, 9});
    const Tensor y = square_root(x);  // saves its own output
    mul(y, y).backward(ones({2}, float64));
    const Tensor unused = add(square_root(x), y);
  }
  EXPECT_EQ(memory::counts().now, before);
}

TEST(Graph, KeepsSavedValuesAfterTheirTensorsAreGone) {
  const Tensor x = leaf({2});
  Tensor y;
  {
    const Tensor factor = tensor({5}, float64);
    y = mul(x, factor);
  }
  y.backward();
  EXPECT_EQ(x.grad().item(), 5);
}

TEST(RequiresGrad, MarksThisHandleAndCopiesMadeAfterwards) {
  Tensor x = zeros({2});
  const Tensor earlier = x;
  x.set_requires_grad(true);
  const Tensor later = x;
  EXPECT_TRUE(x.requires_grad());
  EXPECT_TRUE(later.requires_grad());
  EXPECT_FALSE(earlier.requires_grad());
  EXPECT_FALSE(x.detach().requires_grad());
  EXPECT_FALSE(x.clone().requires_grad());
  EXPECT_FALSE(x.to(float64).requires_grad());
  EXPECT_TRUE(x.detach().shares_storage(x));
}

TEST(RequiresGrad, CanBeTakenBackAndKeepsItsLeafWhenMarkedTwice) {
  Tensor x = leaf({1});
  const auto node = x.node();
  x.set_requires_grad(true);
  EXPECT_EQ(x.node(), node);
  x.set_requires_grad(false);
  EXPECT_FALSE(x.requires_grad());
}

TEST(RequiresGrad, IsForFloatsThatNoOpMade) {
  EXPECT_EQ(error_of<TypeError>([] { arange(2).set_requires_grad(true); }),
            "set_requires_grad: a tensor of int64 has no gradient");
  EXPECT_EQ(error_of<TypeError>([] { zeros({2}, boolean).set_requires_grad(true); }),
            "set_requires_grad: a tensor of boolean has no gradient");
  const std::string expected =
      "set_requires_grad: this tensor is the result of scale; only a tensor that no op made can be a leaf "
      "(detach() gives one)";
  Tensor y = scale(leaf({1}), 2);
  EXPECT_EQ(error_of<GraphError>([&] { y.set_requires_grad(true); }), expected);
  EXPECT_EQ(error_of<GraphError>([&] { y.set_requires_grad(false); }), expected);
}

TEST(Contiguous, KeepsThePlaceInTheGraph) {
  const Tensor y = scale(leaf({{1, 2}, {3, 4}}), 2);
  Tensor turned = y.strided_view({2, 2}, {1, 2});
  EXPECT_FALSE(turned.requires_grad());
  turned.set_node(y.node());
  EXPECT_EQ(turned.contiguous().node(), y.node());
  EXPECT_TRUE(turned.contiguous().is_contiguous());
  EXPECT_EQ(turned.clone().node(), nullptr);
}

TEST(NoGrad, TurnsRecordingOffAndNests) {
  const Tensor x = leaf({1});
  EXPECT_TRUE(grad_enabled());
  {
    const NoGrad outer;
    EXPECT_FALSE(grad_enabled());
    {
      const NoGrad inner;
      EXPECT_FALSE(scale(x, 2).requires_grad());
    }
    EXPECT_FALSE(grad_enabled());
    EXPECT_FALSE(scale(x, 2).requires_grad());
  }
  EXPECT_TRUE(scale(x, 2).requires_grad());
}

TEST(NoGrad, EndsWhenSomethingThrows) {
  EXPECT_THROW(
      {
        const NoGrad no_grad;
        throw std::runtime_error("inside");
      },
      std::runtime_error);
  EXPECT_TRUE(grad_enabled());
}

TEST(NoGrad, IsForItsThreadOnly) {
  const NoGrad no_grad;
  bool elsewhere = false;
  std::thread([&] { elsewhere = grad_enabled(); }).join();
  EXPECT_TRUE(elsewhere);
  EXPECT_FALSE(grad_enabled());
}

TEST(Teardown, OfOneGraphFromManyThreads) {
  const std::int64_t before = memory::counts().now;
  {
    Tensor shared = leaf({1});
    for (int i = 0; i < 5000; ++i) shared = add(shared, shared);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([own = scale(shared, t)]() mutable {
        for (int i = 0; i < 1000; ++i) own = scale(own, 1);
        own = Tensor();
      });
    }
    shared = Tensor();
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(memory::counts().now, before);
}

TEST(Teardown, LeavesWhatOthersStillHold) {
  const Tensor x = leaf({3});
  const Tensor middle = mul(x, x);
  {
    Tensor top = middle;
    for (int i = 0; i < 10; ++i) top = scale(top, 2);
  }
  middle.backward();
  EXPECT_EQ(x.grad().item(), 6);
}

}  // namespace
}  // namespace wick
