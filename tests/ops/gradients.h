#pragma once

// The gradients of an op, against finite differences.

#include <functional>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/ops/testing/gradcheck.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {

using testing::gradients_of;
using testing::Inputs;
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

/// Backward of `function` agrees with central differences for every element of every float64 input, the
/// output weighed with fixed random numbers. The output's gradient may have any layout; an input that alone
/// requires a gradient gets the same one; float32 agrees with float64.
inline void expect_gradients(const Function& function, const Inputs& inputs) {
  // Below float32's epsilon: a float64 gradient that went through float32 shows.
  const testing::GradcheckResult checked = testing::gradcheck(function, inputs, {.tolerance = 5e-9});
  EXPECT_TRUE(checked.passed) << to_string(checked);
  const Tensor weights = normal(function(inputs).shape(), float64, 99);
  const Inputs gradients = gradients_of(function, inputs, weights);
  for (const Layout& layout : layouts_of(weights)) {
    const Inputs others = gradients_of(function, inputs, layout.tensor);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_TRUE(testing::same_bits(others[i], gradients[i]))
          << "input " << i << ", output's gradient " << layout.name;
    }
    EXPECT_TRUE(testing::same_bits(layout.tensor, weights)) << "the output's gradient was written to";
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
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
      SCOPED_TRACE(layouts[0][layout].name);
      Inputs placed;
      for (const auto& choices : layouts) placed.push_back(choices[layout % choices.size()].tensor);
      expect_gradients(function, placed);
    }
  });
}

}  // namespace wick
