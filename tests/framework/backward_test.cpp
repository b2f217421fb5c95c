#include <cstdint>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_ops.h"
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/memory.h>
#include <wick/framework/threads.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::mul;
using small::same;
using small::scale;
using small::sum;
using Floats = std::vector<double>;

// A node whose backward returns what a test wants.
class ScriptedNode final : public Node {
 public:
  ScriptedNode(const Origin& origin, std::vector<Tensor> gradients)
      : Node(origin), gradients_(std::move(gradients)) {}
  std::vector<Tensor> backward(const Tensor&) const override { return gradients_; }

 private:
  std::vector<Tensor> gradients_;
};

// Notes how the engine calls it, and what a saved value is.
struct Notes {
  bool recording = true;
  bool gradient_in_graph = true;
  bool saved_in_graph = true;
};
class NotingNode final : public Node {
 public:
  NotingNode(const Origin& origin, Notes& notes) : Node(origin), notes_(notes), x_(this, *origin.inputs[0]) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    notes_ = {grad_enabled(), gradient.requires_grad(), x_.get().requires_grad()};
    return {gradient};
  }

 private:
  Notes& notes_;
  Saved x_;
};

std::string error_of_scripted(const std::vector<Tensor>& gradients) {
  const Tensor x = leaf({1, 2});
  const Tensor y = record<ScriptedNode>("scripted", {&x}, zeros({}), gradients);
  return error_of<GraphError>([&] { y.backward(); });
}

TEST(Backward, ReachesALeafThroughAChain) {
  const Tensor x = leaf(1);
  scale(scale(x, 2), 3).backward();
  EXPECT_EQ(x.grad().item(), 6);
}

TEST(Backward, AddsUpOverADiamond) {
  const Tensor a = leaf(2);
  const Tensor b = leaf(3);
  const Tensor c = add(a, b);
  const Tensor d = mul(a, b);
  const Tensor y = add(add(c, d), mul(c, d));
  EXPECT_EQ(y.item(), 41);
  y.backward();
  EXPECT_EQ(a.grad().item(), 25);
  EXPECT_EQ(b.grad().item(), 19);
}

TEST(Backward, AddsUpOverTheSameInputTwice) {
  const Tensor x = leaf({1, 2});
  sum(mul(x, x)).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({2, 4}));
  const Tensor z = leaf({1, 2});
  const Tensor twice = add(z, z);
  sum(add(twice, twice)).backward();
  EXPECT_EQ(z.grad().to_vector<double>(), Floats({4, 4}));
}

TEST(Backward, VisitsANodeOnceHoweverManyPathsLeadToIt) {
  Tensor y = leaf(1);
  const Tensor x = y;
  for (int i = 0; i < 60; ++i) y = add(y, y);  // 2^60 paths
  y.backward();
  EXPECT_EQ(x.grad().item(), static_cast<double>(std::int64_t{1} << 60));
}

TEST(Backward, OfALeafIsOne) {
  const Tensor x = leaf({5});
  x.backward();
  EXPECT_EQ(x.grad().item(), 1);
  x.backward();
  EXPECT_EQ(x.grad().item(), 2);
}

TEST(Backward, LeavesOutWhatNeedsNoGradient) {
  const Tensor x = leaf({2});
  const Tensor constant = tensor({7}, float64);
  mul(constant, x).backward();
  EXPECT_EQ(x.grad().item(), 7);
  EXPECT_FALSE(constant.requires_grad());
}

TEST(Backward, TakesAGradientOfAnyLayoutAndLeavesItAlone) {
  const Tensor x = leaf({{1, 2}, {3, 4}});
  const Tensor weights = tensor({{10, 20}, {30, 40}}, float64);
  scale(x, 1).backward(weights.strided_view({2, 2}, {1, 2}));
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({10, 30, 20, 40}));
  x.backward(weights);
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({20, 50, 50, 80}));
  EXPECT_EQ(weights.to_vector<double>(), Floats({10, 20, 30, 40}));
}

TEST(Backward, GivesEachLeafMemoryOfItsOwn) {
  const Tensor a = leaf({1, 2});
  const Tensor b = leaf({3, 4});
  const Tensor weights = ones({2}, float64);
  add(a, b).backward(weights);
  EXPECT_FALSE(a.grad().shares_storage(b.grad()));
  EXPECT_FALSE(a.grad().shares_storage(weights));
  sum(a).backward();
  EXPECT_EQ(a.grad().to_vector<double>(), Floats({2, 2}));
  EXPECT_TRUE(a.grad().is_contiguous());
}

TEST(Backward, AddsToTheGradientUntilItIsForgotten) {
  Tensor x = leaf({1});
  EXPECT_FALSE(x.grad().defined());
  scale(x, 2).backward();
  const Tensor first = x.grad();
  scale(x, 3).backward();
  EXPECT_EQ(x.grad().item(), 5);
  EXPECT_EQ(first.item(), 2) << "a gradient that somebody took stays as it was";
  x.zero_grad();
  EXPECT_FALSE(x.grad().defined());
  scale(x, 4).backward();
  EXPECT_EQ(x.grad().item(), 4);
}

TEST(Backward, AGradientThatSomebodyHoldsStaysAsItWas) {
  const Tensor x = leaf({1, 2});
  const auto differentiate = [&] { sum(scale(x, 3)).backward(); };
  differentiate();
  const Tensor held = x.grad();
  differentiate();
  EXPECT_EQ(held.to_vector<double>(), Floats({3, 3}));
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({6, 6}));
  const Tensor view = x.grad().strided_view({1}, {1}, 1);
  differentiate();
  EXPECT_EQ(view.to_vector<double>(), Floats({6}));
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({9, 9}));
}

TEST(Backward, ALeafKeepsNoMoreThanItsGradient) {
  const Tensor x = leaf({1, 2});
  const std::int64_t before = memory::counts().now;
  const auto part_of_more = [] { return full({100}, 5, float64).strided_view({2}, {1}); };
  record<ScriptedNode>("scripted", {&x}, zeros({}, float64), std::vector<Tensor>{part_of_more()}).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), Floats({5, 5}));
  EXPECT_EQ(memory::counts().now, before + 16);
}

// Marks that one backward leaves on nodes do not reach another that runs around it.
TEST(Backward, MayRunInsideOfAnother) {
  class Inner final : public Observer {
   public:
    explicit Inner(const Tensor& y) : y_(y) {}
    void on_backward(const BackwardEvent& event) override {
      if (event.op == "mul" && !std::exchange(done_, true)) y_.backward(/*retain_graph=*/true);
    }

   private:
    Tensor y_;
    bool done_ = false;
  };
  const Tensor a = leaf({2});
  const Tensor b = leaf({3});
  const Tensor y = add(scale(a, 5), mul(add(a, b), b));
  const Inner inner(y);
  add(scale(b, 100), y).backward(/*retain_graph=*/true);
  EXPECT_EQ(a.grad().item(), 2 * (5 + 3));
  EXPECT_EQ(b.grad().item(), 2 * (5 + 3) + 100);
}

TEST(Backward, RunsWithRecordingOffOnValuesOutsideTheGraph) {
  const Tensor x = leaf({1});
  const Tensor gradient = leaf({1});
  Notes notes;
  record<NotingNode>("noting", {&x}, ones({1}, float64), notes).backward(gradient);
  EXPECT_FALSE(notes.recording);
  EXPECT_FALSE(notes.gradient_in_graph);
  EXPECT_FALSE(notes.saved_in_graph);
  EXPECT_FALSE(x.grad().requires_grad());
  EXPECT_FALSE(gradient.grad().defined());
  EXPECT_TRUE(grad_enabled());
}

TEST(Backward, SaysWhatItLacks) {
  const Tensor x = leaf({1, 2});
  EXPECT_EQ(error_of<GraphError>([&] { scale(x, 2).backward(); }),
            "backward of a tensor of shape (2,) needs the gradient of the output: backward(gradient)");
  EXPECT_EQ(error_of<GraphError>([] { ones({}).backward(); }),
            "backward: nothing that this tensor was computed from requires a gradient");
  EXPECT_EQ(error_of<GraphError>([&] { scale(x, 2).backward(ones({1}, float64)); }),
            "backward: a gradient of (1,) of float64 for a tensor of (2,) of float64");
  EXPECT_EQ(error_of<GraphError>([&] { scale(x, 2).backward(ones({2}, float32)); }),
            "backward: a gradient of (2,) of float32 for a tensor of (2,) of float64");
  EXPECT_EQ(error_of<GraphError>([&] { return scale(x, 2).grad(); }),
            "grad: only a leaf, a tensor marked by set_requires_grad, collects a gradient");
}

TEST(Backward, RefusesAnUndefinedGradientThoughItLooksLikeAScalar) {
  Tensor x = zeros({}, float32);
  x.set_requires_grad(true);
  EXPECT_EQ(error_of<TypeError>([&] { same(x).backward(Tensor()); }),
            "an undefined tensor has no elements to read or write");
}

TEST(Backward, FindsOutAnOpThatReturnsWrongGradients) {
  const std::string input = " for input 0, which is (2,) of float64";
  EXPECT_EQ(error_of_scripted({}), "scripted: backward returned 0 gradients for 1 inputs");
  EXPECT_EQ(error_of_scripted({Tensor()}), "scripted: backward returned nothing" + input);
  EXPECT_EQ(error_of_scripted({zeros({1, 2}, float64)}),
            "scripted: backward returned (1, 2) of float64" + input);
  EXPECT_EQ(error_of_scripted({zeros({2})}), "scripted: backward returned (2,) of float32" + input);
  EXPECT_TRUE(grad_enabled());
}

TEST(Backward, AddsLargeGradientsUpToTheSameOnSeveralThreads) {
  constexpr std::int64_t kCount = 200'003;
  const Tensor values = arange(kCount, float64);
  for (const int threads : {1, 2, 3}) {
    const ThreadCount setting(threads);
    Tensor x = values.clone();
    x.set_requires_grad(true);
    mul(x, x).backward(ones({kCount}, float64));
    const std::vector<double> gradient = x.grad().to_vector<double>();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      wrong += gradient[static_cast<std::size_t>(i)] != 2 * static_cast<double>(i) ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0) << threads;
  }
}

}  // namespace
}  // namespace wick
