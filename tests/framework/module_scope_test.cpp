#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "errors.h"
#include "small_modules.h"
#include <wick/framework/makers.h>
#include <wick/framework/module.h>
#include <wick/framework/module_scope.h>
#include <wick/framework/observer.h>

namespace wick {
namespace {

using small::Model;

// A scope of a module named "head", and what its expect() says about shapes.
class Scope : public testing::Test {
 protected:
  class Head final : public Module {
   public:
    Head() : Module("head") {}
    std::string description() const override { return "Head"; }
  };

  template <std::size_t N>
  std::string refusal(const char* name, const Shape& shape, const Dim (&dims)[N]) {
    return error_of<ShapeError>([&] { scope_.expect(name, empty(shape), dims); });
  }

  Head head_;
  ModuleScope scope_{head_};
};

TEST(ModuleScope, TheMessageOfTheDesignHoldsThroughNestedModules) {
  const Model gpt("gpt");
  const std::string expected =
      "gpt.blocks.2.attention: x is (4, 8, 16), expected (B, T, C=32): dimension 2 (C) is 16, not 32";
  const Tensor x = zeros({4, 8, 16});
  EXPECT_EQ(error_of<ShapeError>([&] { gpt.blocks()[2].forward(x); }), expected);
  EXPECT_EQ(error_of<ShapeError>([&] { gpt.blocks()[2].attention().forward(x); }), expected);
  EXPECT_EQ(current_module_path(), "");
}

TEST_F(Scope, ReturnsSizesInOrder) {
  const auto [B, T, C] = scope_.expect("x", empty({4, 8, 32}), {"B", "T", {"C", 32}});
  EXPECT_EQ(B, 4);
  EXPECT_EQ(T, 8);
  EXPECT_EQ(C, 32);
}

TEST_F(Scope, NamesBindAcrossTheTensorsOfOneCall) {
  scope_.expect("x", empty({1, 6, 64}), {"B", "T", "C"});
  EXPECT_EQ(refusal("scores", {1, 6, 7}, {"B", "T", "T"}),
            "head: scores is (1, 6, 7), expected (B=1, T=6, T=6): dimension 2 (T) is 7, not 6");
  EXPECT_EQ(refusal("scores", {2, 6, 6}, {"B", "T", "T"}),
            "head: scores is (2, 6, 6), expected (B=1, T=6, T=6): dimension 0 (B) is 2, not 1");
  scope_.expect("scores", empty({1, 6, 6}), {"B", "T", "T"});
}

TEST_F(Scope, NamesBindWithinOneTensor) {
  EXPECT_EQ(refusal("weights", {6, 7}, {"T", "T"}),
            "head: weights is (6, 7), expected (T=6, T=6): dimension 1 (T) is 7, not 6");
  EXPECT_EQ(refusal("weights", {5, 6, 7}, {"B", "T", "T"}),
            "head: weights is (5, 6, 7), expected (B, T=6, T=6): dimension 2 (T) is 7, not 6");
}

TEST_F(Scope, ASizeGivenByOneTensorBindsTheOthers) {
  scope_.expect("x", empty({3}), {{"C", 3}});
  EXPECT_EQ(refusal("y", {4}, {"C"}), "head: y is (4,), expected (C=3,): dimension 0 (C) is 4, not 3");
}

TEST_F(Scope, ARefusedTensorBindsNothing) {
  EXPECT_NE(refusal("x", {5, 6}, {"B", {"C", 7}}), "no error");
  scope_.expect("y", empty({2, 7}), {"B", "C"});
}

TEST_F(Scope, AnotherRankIsNamed) {
  EXPECT_EQ(refusal("x", {4, 8}, {"B", "T", {"C", 32}}),
            "head: x is (4, 8), expected (B, T, C=32): rank 2, not 3");
  EXPECT_EQ(refusal("x", {}, {"N"}), "head: x is (), expected (N,): rank 0, not 1");
  EXPECT_EQ(refusal("x", {1, 2}, {"N"}), "head: x is (1, 2), expected (N,): rank 2, not 1");
  scope_.expect("x", empty({4, 8}), {"B", "T"});
  EXPECT_EQ(refusal("y", {4}, {"B", "T"}), "head: y is (4,), expected (B=4, T=8): rank 1, not 2");
}

TEST_F(Scope, AnUndefinedTensorIsRefused) {
  EXPECT_EQ(error_of<ShapeError>([&] {
              scope_.expect("x", Tensor(), {"B", "T"});
            }),
            "head: x is undefined, expected (B, T)");
  EXPECT_EQ(error_of<ShapeError>([&] {
              scope_.expect("x", Tensor(), {"...", {"C", 3}});
            }),
            "head: x is undefined, expected (..., C=3)");
  EXPECT_EQ(error_of<ShapeError>([&] { scope_.expect("x", Tensor(), {"..."}); }),
            "head: x is undefined, expected (...,)");
}

TEST_F(Scope, ThreeDotsStandForAnyDimensionsInFront) {
  const auto [front, T, C] = scope_.expect("x", empty({2, 3, 5, 7}), {"...", "T", {"C", 7}});
  EXPECT_EQ(front, 6);
  EXPECT_EQ(T, 5);
  EXPECT_EQ(C, 7);
  const auto [none, width] = scope_.expect("y", empty({7}), {"...", "C"});
  EXPECT_EQ(none, 1);
  EXPECT_EQ(width, 7);
  EXPECT_EQ(scope_.expect("z", empty({}), {"..."})[0], 1);
  EXPECT_EQ(scope_.expect("z", empty({2, 0, 3, 7}), {"...", "C"})[0], 0);
}

TEST_F(Scope, ThreeDotsAreNamedInErrorsByWhereTheOtherDimensionsStand) {
  EXPECT_EQ(refusal("x", {2, 3, 5}, {"...", {"C", 7}}),
            "head: x is (2, 3, 5), expected (..., C=7): dimension 2 (C) is 5, not 7");
  EXPECT_EQ(refusal("x", {5}, {"...", "T", "C"}),
            "head: x is (5,), expected (..., T, C): rank 1, not 2 or more");
  EXPECT_EQ(refusal("x", {2, 3, 5}, {"...", "T", "T"}),
            "head: x is (2, 3, 5), expected (..., T=3, T=3): dimension 2 (T) is 5, not 3");
}

TEST_F(Scope, ASizeOf0IsASize) {
  scope_.expect("x", empty({0, 3}), {"B", "C"});
  EXPECT_EQ(refusal("y", {1}, {"B"}), "head: y is (1,), expected (B=0,): dimension 0 (B) is 1, not 0");
  EXPECT_EQ(refusal("z", {2}, {{"K", 0}}), "head: z is (2,), expected (K=0,): dimension 0 (K) is 2, not 0");
}

TEST_F(Scope, BindingsAreOfOneScope) {
  scope_.expect("x", empty({4}), {"T"});
  {
    ModuleScope inner(head_);
    inner.expect("x", empty({5}), {"T"});
  }
  scope_.expect("x", empty({4}), {"T"});
}

// A path that is gone before its scope.
static_assert(std::is_constructible_v<PathScope, const SharedPath&>);
static_assert(!std::is_constructible_v<PathScope, SharedPath>);

TEST(ModuleScope, OpensEveryErrorWithThePath) {
  const Model gpt("gpt");
  const ModuleScope outer(gpt);
  EXPECT_STREQ(FormatError("bad").what(), "gpt: bad");
  {
    const ModuleScope inner(gpt.blocks()[2].attention());
    EXPECT_EQ(current_module_path(), "gpt.blocks.2.attention");
    EXPECT_STREQ(ValueError("bad").what(), "gpt.blocks.2.attention: bad");
    EXPECT_EQ(error_of<IndexError>([] { return zeros({2}).size(1); }),
              "gpt.blocks.2.attention: size: axis 1: axes of a tensor of rank 1 lie in [-1, 0]");
  }
  EXPECT_STREQ(ValueError("bad").what(), "gpt: bad");
}

TEST(ModuleScope, IsRestoredWhenSomethingThrows) {
  const Model gpt("gpt");
  const ModuleScope outer(gpt);
  EXPECT_THROW(
      {
        const ModuleScope inner(gpt.blocks()[1]);
        throw std::runtime_error("inside");
      },
      std::runtime_error);
  EXPECT_EQ(current_module_path(), "gpt");
  EXPECT_THROW(gpt.blocks()[0].forward(zeros({1})), ShapeError);
  EXPECT_EQ(current_module_path(), "gpt");
}

TEST(ModuleScope, AnErrorThatPassesThroughKeepsItsPath) {
  const Model gpt("gpt");
  EXPECT_EQ(error_of<ValueError>([&] {
              const ModuleScope outer(gpt);
              try {
                const ModuleScope inner(gpt.blocks()[0]);
                throw ValueError("deep");
              } catch (const ValueError&) {
                throw;
              }
            }),
            "gpt.blocks.0: deep");
}

TEST(ModuleScope, IsOfItsThread) {
  const Model here("here");
  const Model there("there");
  const ModuleScope scope(here);
  std::string fresh;
  std::string own;
  std::thread([&] {
    fresh = current_module_path();
    const ModuleScope other(there);
    own = current_module_path();
  }).join();
  EXPECT_EQ(fresh, "");
  EXPECT_EQ(own, "there");
  EXPECT_EQ(current_module_path(), "here");
}

TEST(ModuleScope, NamesItsStepsByPath) {
  const Model gpt("gpt");
  const Trace trace;
  const ModuleScope scope(gpt.blocks()[1].attention());
  scope.step("scores", ones({2}));
  EXPECT_EQ(trace.steps().at(0).first, "gpt.blocks.1.attention.scores");
}

}  // namespace
}  // namespace wick
