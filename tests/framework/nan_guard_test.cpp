#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/module.h>
#include <wick/framework/nan_guard.h>
#include <wick/tests/framework/errors.h>
#include <wick/tests/framework/small_ops.h>

namespace wick {
namespace {

using small::add;
using small::leaf;
using small::scale;
using small::square_root;

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Call>
std::string guarded(Call call) {
  const NanGuard guard;
  return error_of<ValueError>(call);
}

class Root final : public Module {
 public:
  explicit Root(std::string name) : Module(std::move(name)) {}
  Tensor forward(const Tensor& x) const {
    const ModuleScope scope(*this);
    return square_root(x);
  }
  std::string description() const override { return "Root"; }
};

TEST(NanGuard, NamesTheOpThatMadeIt) {
  const Tensor x = tensor({{1, 2}, {3, -4}}, float64);
  EXPECT_EQ(guarded([&] { scale(square_root(x), 2); }),
            "square_root made NaN at (1, 1) of its result (2, 2)");
  EXPECT_EQ(guarded([&] { scale(scale(x, kLargest), 2); }), "scale made inf at (0, 1) of its result (2, 2)");
  EXPECT_EQ(guarded([&] { scale(scale(x, -kLargest), 2); }),
            "scale made -inf at (0, 1) of its result (2, 2)");
}

TEST(NanGuard, NamesTheModule) {
  const Root root("gpt");
  EXPECT_EQ(guarded([&] { root.forward(tensor({-1}, float64)); }),
            "gpt: square_root made NaN at (0,) of its result (1,)");
}

TEST(NanGuard, TellsWhatWasMetFromWhatWasMade) {
  const Tensor x = tensor({1, 2}, float64);
  const Tensor bad = tensor({1, kInfinity}, float64);
  EXPECT_EQ(guarded([&] { add(x, bad); }), "add met inf at (1,) of its input 1 (2,), which no op made");
}

TEST(NanGuard, LetsWhatIsFinitePass) {
  EXPECT_EQ(guarded([&] { scale(tensor({kLargest, -0.0, 1e-320}, float64), 1); }), "no error");
  EXPECT_EQ(guarded([&] { scale(zeros({0}, float64), 1); }), "no error");
  EXPECT_EQ(guarded([&] { small::same(tensor({1, 2})); }), "no error") << "int64";
}

TEST(NanGuard, AllowsInfinitiesWhereToldTo) {
  const NanGuard guard(NanGuard::Infinities::allowed);
  const Tensor infinite = scale(tensor({-1}, float64), kInfinity);
  EXPECT_EQ(infinite.item(), -kInfinity);
  EXPECT_EQ(error_of<ValueError>([&] { add(infinite, tensor({kInfinity}, float64)); }),
            "add made NaN at (0,) of its result (1,)");
}

TEST(NanGuard, NamesTheBackwardThatMadeIt) {
  const Root root("gpt");
  const Tensor x = leaf({4, 0});  // d sqrt(0) = 1 / 0
  const Tensor y = scale(root.forward(scale(x, 1)), 3);
  EXPECT_EQ(guarded([&] { y.backward(ones({2}, float64)); }),
            "gpt: square_root backward made inf at (1,) of the gradient of its input 0 (2,)");
  EXPECT_FALSE(x.grad().defined());
}

TEST(NanGuard, TellsAGivenGradientFromOneThatWasMade) {
  const Tensor x = leaf({1});
  EXPECT_EQ(
      guarded([&] { scale(x, 2).backward(full({1}, kInfinity, float64)); }),
      "scale backward met inf at (0,) of the gradient of its result (1,), which no op made: it was given, "
      "or is a sum");
}

TEST(NanGuard, SeesASumOfGradientsOverflow) {
  const Tensor x = leaf({1});
  const Tensor y = add(scale(x, kLargest), scale(x, kLargest));
  EXPECT_EQ(
      guarded([&] { y.backward(ones({1}, float64)); }),
      "leaf backward met inf at (0,) of the gradient of its result (1,), which no op made: it was given, "
      "or is a sum");
}

TEST(NanGuard, IsSilentOnceClosed) {
  { const NanGuard guard; }
  EXPECT_EQ(error_of<ValueError>([] { square_root(tensor({-1}, float64)); }), "no error");
}

}  // namespace
}  // namespace wick
