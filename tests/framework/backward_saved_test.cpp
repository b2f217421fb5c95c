// What a graph saves for backward: until when it is there, and who writes into it.

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_ops.h"
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::mul;
using small::scale;
using small::square_root;

constexpr const char* kFreed =
    "scale: the graph was freed by an earlier backward; give that one retain_graph";

TEST(Backward, TwiceIsAnErrorThatLeavesTheGradient) {
  const Tensor x = leaf(1);
  const Tensor y = scale(scale(x, 2), 3);
  y.backward();
  EXPECT_EQ(error_of<GraphError>([&] { y.backward(); }), kFreed);
  EXPECT_EQ(x.grad().item(), 6);
}

TEST(Backward, TwiceIsRightWhereTheFirstRetained) {
  const Tensor x = leaf(1);
  const Tensor y = scale(scale(x, 2), 3);
  y.backward(true);
  EXPECT_EQ(x.grad().item(), 6);
  y.backward();
  EXPECT_EQ(x.grad().item(), 12);
  EXPECT_EQ(error_of<GraphError>([&] { y.backward(); }), kFreed);
  EXPECT_EQ(x.grad().item(), 12);
}

TEST(Backward, ThroughAPartThatWasFreedIsAnErrorBeforeAnyGradient) {
  const Tensor x = leaf(1);
  const Tensor other = leaf(1);
  const Tensor shared = scale(x, 2);
  scale(shared, 3).backward();
  const Tensor y = add(scale(other, 5), shared);
  EXPECT_EQ(error_of<GraphError>([&] { y.backward(); }), kFreed);
  EXPECT_FALSE(other.grad().defined());
}

TEST(Backward, FreesWhatWasSaved) {
  const Tensor x = leaf({1, 2});
  const Tensor y = mul(x, x);
  y.backward(ones({2}, float64), true);
  EXPECT_EQ(y.node()->saved_bytes(), 32);
  y.backward(ones({2}, float64));
  EXPECT_EQ(y.node()->saved_bytes(), 0);
  EXPECT_TRUE(y.node()->is_released());
  EXPECT_FALSE(x.node()->is_released());
}

TEST(Saved, AWriteToWhatWasSavedIsFoundOut) {
  Tensor x = leaf({1, 2});
  const Tensor y = mul(x, x);
  x.fill(3);
  EXPECT_EQ(
      error_of<GraphError>([&] { y.backward(ones({2}, float64)); }),
      "mul: a value of shape (2,) that backward needs was written to after the op had used it (version 2, "
      "saved at 1)");
}

TEST(Saved, AWriteThroughAnyViewIsFoundOut) {
  const auto writes = std::vector<std::function<void(Tensor)>>{
      [](Tensor view) { view.fill(0); },
      [](Tensor view) { view.set({0}, 1); },
      [](Tensor view) { view.copy_from(zeros({1})); },
      [](Tensor view) { view.mutable_data<double>()[0] = 1; },
      [](Tensor view) { view.mutable_span<double>()[0] = 1; },
  };
  for (const auto& write : writes) {
    const Tensor x = leaf({4, 9});
    const Tensor y = mul(x, x);
    const Tensor root = square_root(y);
    write(x.strided_view({1}, {1}, 1));
    EXPECT_THROW(y.backward(ones({2}, float64)), GraphError);
    write(root.strided_view({1}, {1}));
    EXPECT_THROW(root.backward(ones({2}, float64)), GraphError);
  }
}

TEST(Saved, WritesThatNobodyReadsAreAllowed) {
  Tensor x = leaf({1});
  const Tensor y = scale(x, 2);
  x.fill(100);
  y.backward();
  EXPECT_EQ(x.grad().item(), 2);
}

}  // namespace
}  // namespace wick
