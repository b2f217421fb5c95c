// A user's own ops under wick::testing::main: one that is right, and others that are wrong in one way each,
// for the tests of what `check` says of them.

#include <memory>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/tools/tester.h>

namespace {

using wick::Tensor;
using wick::testing::Attributes;
using wick::testing::Expected;
using wick::testing::Inputs;
using wick::testing::OpSpec;

// Each element through `function`, in the type of x.
template <typename Function>
Tensor mapped(const Tensor& x, Function function) {
  std::vector<double> values = x.to_vector<double>();
  for (double& value : values) value = function(value);
  return wick::from_vector(values, x.shape()).to(x.dtype());
}

class SquareNode final : public wick::Node {
 public:
  SquareNode(const Origin& origin, const Tensor& x, double slope)
      : Node(origin), x_(this, x), slope_(slope) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const std::vector<double> x = x_.get().to_vector<double>();
    std::size_t i = 0;
    return {mapped(gradient, [&](double dy) { return slope_ * x[i++] * dy; })};
  }

 private:
  wick::Saved x_;
  double slope_;
};

// x² times `factor`, with `slope` x as its gradient. Right where they are 1 and 2.
Tensor square(const Tensor& x, double factor, double slope) {
  Tensor y = mapped(x, [&](double value) { return factor * value * value; });
  return wick::record<SquareNode>("square", {&x}, std::move(y), x, slope);
}

Expected reference(const Inputs& inputs, const Attributes&) {
  std::vector<double> y = inputs[0].to_vector<double>();
  std::vector<double> bound;
  for (double& value : y) bound.push_back(value *= value);
  return {wick::from_vector(y, inputs[0].shape()), wick::from_vector(bound, inputs[0].shape())};
}

OpSpec square_spec(const std::string& name, double factor, double slope) {
  OpSpec spec;
  spec.name = name;
  spec.inputs = {{"x"}};
  spec.forward = [=](const Inputs& inputs, const Attributes&) { return square(inputs[0], factor, slope); };
  spec.reference = reference;
  spec.cases = {{.name = "one", .inputs = {{{1}}}, .attributes = {}},
                {.name = "it's 2 \"rows\" of $HOME", .inputs = {{{2, 3}}}, .attributes = {}}};
  return spec;
}

OpSpec throwing_spec() {
  OpSpec spec = square_spec("throwing", 1, 2);
  spec.forward = [](const Inputs& inputs, const Attributes&) -> Tensor {
    throw wick::ValueError("no\nluck with " + to_string(inputs[0].shape()));
  };
  return spec;
}

OpSpec throwing_a_number_spec() {
  OpSpec spec = square_spec("throwing_a_number", 1, 2);
  spec.forward = [](const Inputs&, const Attributes&) -> Tensor { throw 5; };
  return spec;
}

// No case asks for its gradient by differences of more than a number that is 0: nobody would notice if it
// were wrong.
OpSpec unnoticed_spec() {
  OpSpec spec = square_spec("unnoticed", 1, 2);
  spec.cases = {{.name = "no elements", .inputs = {{{0}}}, .attributes = {}}};
  return spec;
}

OpSpec often_wrong_spec() {
  OpSpec spec = square_spec("often wrong", 3, 2);
  for (int n = 1; n <= 30; ++n) {
    spec.cases.push_back({.name = "n" + std::to_string(n), .inputs = {{{n}}}, .attributes = {}});
  }
  return spec;
}

}  // namespace

int main(int count, char** values) {
  return wick::testing::main(
      count, values,
      {square_spec("square", 1, 2), square_spec("wrong_value", 1.5, 3), square_spec("wrong_gradient", 1, -2),
       throwing_spec(), throwing_a_number_spec(), unnoticed_spec(), often_wrong_spec()});
}
