#pragma once

// The gradients of an op, against finite differences.

#include <functional>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {

using Inputs = std::vector<Tensor>;
using Function = std::function<Tensor(const Inputs&)>;

/// The same tensors, in their layouts, as leaves.
inline Inputs leaves_of(const Inputs& inputs) {
  Inputs leaves;
  for (const Tensor& input : inputs) {
    leaves.push_back(input.detach());
    leaves.back().set_requires_grad(true);
  }
  return leaves;
}

/// The gradients of sum(function(inputs) * weights).
inline Inputs gradients_of(const Function& function, const Inputs& inputs, const Tensor& weights) {
  const Inputs leaves = leaves_of(inputs);
  function(leaves).backward(weights);
  Inputs gradients;
  for (const Tensor& leaf : leaves) gradients.push_back(leaf.grad());
  return gradients;
}

/// d sum(function(inputs) * weights) / d element `place` of input i. Differences are taken before the sum, so
/// that a large number that does not change (a mask's fill) takes no digits away.
inline double central_difference(const Function& function, const Inputs& inputs, const Tensor& weights,
                                 std::size_t i, std::size_t place) {
  constexpr double step = 1e-6;
  const auto values_beside = [&](double change) {
    Inputs changed = inputs;
    std::vector<double> values = inputs[i].to_vector<double>();
    values[place] += change;
    changed[i] = from_vector(values, inputs[i].shape());
    return function(changed).to_vector<double>();
  };
  const std::vector<double> above = values_beside(step);
  const std::vector<double> below = values_beside(-step);
  const std::vector<double> factors = weights.to_vector<double>();
  double total = 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (above[k] != below[k]) total += (above[k] - below[k]) * factors[k];
  }
  return total / (2 * step);
}

/// Backward of `function` agrees with central differences for every element of every float64 input, the
/// output weighed with fixed random numbers. The output's gradient may have any layout; an input that alone
/// requires a gradient gets the same one; float32 agrees with float64.
inline void expect_gradients(const Function& function, const Inputs& inputs) {
  const Tensor weights = normal(function(inputs).shape(), float64, 99);
  const Inputs gradients = gradients_of(function, inputs, weights);
  for (const Layout& layout : layouts_of(weights)) {
    const Inputs others = gradients_of(function, inputs, layout.tensor);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_TRUE(testing::same_bits(others[i], gradients[i]))
          << "input " << i << ", output's gradient " << layout.description;
    }
    EXPECT_TRUE(testing::same_bits(layout.tensor, weights)) << "the output's gradient was written to";
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE("gradient of input " + std::to_string(i));
    ASSERT_TRUE(gradients[i].defined());
    Array expected(inputs[i].shape());
    for (std::size_t place = 0; place < expected.values.size(); ++place) {
      expected.values[place] = central_difference(function, inputs, weights, i, place);
    }
    expect_near(gradients[i], expected,
                [&](std::size_t place) { return 1e-7 * (1 + std::abs(expected.values[place])); });

    Inputs with_one_leaf = inputs;
    with_one_leaf[i] = leaves_of({inputs[i]})[0];
    function(with_one_leaf).backward(weights);
    EXPECT_TRUE(testing::same_bits(with_one_leaf[i].grad(), gradients[i])) << "alone";
  }

  Inputs narrow;
  for (const Tensor& input : inputs) narrow.push_back(input.to(float32));
  const Inputs narrow_gradients = gradients_of(function, narrow, weights.to(float32));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_EQ(narrow_gradients[i].dtype(), float32);
    SCOPED_TRACE("float32 gradient of input " + std::to_string(i));
    expect_near(narrow_gradients[i], Array(gradients[i]), [&](std::size_t place) {
      return 1e-5 * (1 + std::abs(gradients[i].to_vector<double>()[place]));
    });
  }
}

/// The same on every instruction set, with the inputs in every layout.
inline void expect_gradients_everywhere(const Function& function, const Inputs& inputs) {
  on_every_set([&] {
    std::vector<std::vector<Layout>> layouts;
    for (const Tensor& input : inputs) layouts.push_back(layouts_of(input));
    const std::size_t count = layouts.empty() ? 0 : layouts[0].size();
    for (std::size_t layout = 0; layout < count; ++layout) {
      SCOPED_TRACE(layouts[0][layout].description);
      Inputs placed;
      for (const auto& choices : layouts) placed.push_back(choices[layout % choices.size()].tensor);
      expect_gradients(function, placed);
    }
  });
}

}  // namespace wick
