// The ops and the graph together: what is recorded, saved, reported and freed.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/gradients.h>

namespace wick {
namespace {

struct NamedOp {
  std::string name;
  std::vector<Shape> inputs;  ///< those that can require gradients
  Function call;
};

const std::vector<NamedOp>& differentiable_ops() {
  static const std::vector<NamedOp> all = {
      {"add", {{3, 3}, {3}}, [](const Inputs& in) { return add(in[0], in[1]); }},
      {"subtract", {{3, 3}, {3}}, [](const Inputs& in) { return subtract(in[0], in[1]); }},
      {"mul", {{3, 3}, {3}}, [](const Inputs& in) { return mul(in[0], in[1]); }},
      {"divide", {{3, 3}, {3}}, [](const Inputs& in) { return divide(in[0], in[1]); }},
      {"matmul", {{3, 3}, {3, 3}}, [](const Inputs& in) { return matmul(in[0], in[1]); }},
      {"scale", {{3, 3}}, [](const Inputs& in) { return scale(in[0], 2); }},
      {"softmax", {{3, 3}}, [](const Inputs& in) { return softmax(in[0]); }},
      {"mask",
       {{3, 3}},
       [](const Inputs& in) {
         return mask(in[0], tensor({true, false, true}));
       }},
      {"causal_mask", {{3, 3}}, [](const Inputs& in) { return causal_mask(in[0]); }},
      {"sum", {{3, 3}}, [](const Inputs& in) { return sum(in[0], 0); }},
      {"embedding",
       {{3, 3}},
       [](const Inputs& in) {
         return embedding(in[0], tensor({2, 0, 2}));
       }},
      {"transpose", {{3, 3}}, [](const Inputs& in) { return transpose(in[0]); }},
      {"reshape", {{3, 3}}, [](const Inputs& in) { return reshape(in[0], {9}); }},
      {"slice", {{3, 3}}, [](const Inputs& in) { return slice(in[0], 0, 1, 3); }},
      {"expand", {{3, 3}}, [](const Inputs& in) {
         return expand(in[0], {2, 3, 3});
       }}};
  return all;
}

Inputs inputs_of(const NamedOp& op, DType dtype = float64) {
  Inputs inputs;
  for (const Shape& shape : op.inputs) inputs.push_back(normal(shape, dtype, 1 + inputs.size()));
  return inputs;
}

TEST(Graph, AnOpIsRecordedWhereAnInputRequiresAGradient) {
  for (const NamedOp& op : differentiable_ops()) {
    const Inputs plain = inputs_of(op);
    EXPECT_EQ(op.call(plain).node(), nullptr) << op.name;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      Inputs one_leaf = plain;
      one_leaf[i] = leaves_of({plain[i]})[0];
      const Tensor y = op.call(one_leaf);
      ASSERT_NE(y.node(), nullptr) << op.name;
      EXPECT_EQ(y.node()->op(), op.name);
      EXPECT_EQ(y.node()->shape(), y.shape());
      for (std::size_t k = 0; k < plain.size(); ++k) {
        EXPECT_EQ(y.node()->inputs()[k], k == i ? one_leaf[i].node() : nullptr) << op.name;
      }
    }
  }
}

TEST(Graph, NothingIsRecordedUnderNoGrad) {
  const NoGrad no_grad;
  for (const NamedOp& op : differentiable_ops()) {
    EXPECT_EQ(op.call(leaves_of(inputs_of(op))).node(), nullptr) << op.name;
  }
}

TEST(Graph, BackwardItselfIsNotRecorded) {
  for (const NamedOp& op : differentiable_ops()) {
    const Inputs leaves = leaves_of(inputs_of(op));
    const Tensor y = op.call(leaves);
    Tensor weights = ones(y.shape(), float64);
    weights.set_requires_grad(true);
    y.backward(weights);
    for (const Tensor& leaf : leaves) EXPECT_FALSE(leaf.grad().requires_grad()) << op.name;
  }
}

TEST(Graph, ALeafsGradientIsMemoryOfItsOwn) {
  for (const NamedOp& op : differentiable_ops()) {
    const Inputs leaves = leaves_of(inputs_of(op));
    const Tensor y = op.call(leaves);
    const Tensor weights = ones(y.shape(), float64);
    y.backward(weights);
    for (const Tensor& leaf : leaves) {
      EXPECT_TRUE(leaf.grad().is_contiguous()) << op.name;
      EXPECT_FALSE(leaf.grad().shares_storage(weights)) << op.name;
      EXPECT_FALSE(leaf.grad().shares_storage(leaves[0].grad()) && !leaf.is_same(leaves[0])) << op.name;
    }
  }
}

TEST(Graph, BackwardTwiceNeedsTheFirstToRetain) {
  for (const NamedOp& op : differentiable_ops()) {
    const Inputs leaves = leaves_of(inputs_of(op));
    const Tensor y = op.call(leaves);
    const Tensor weights = normal(y.shape());
    y.backward(weights, /*retain_graph=*/true);
    const std::vector<double> once = leaves[0].grad().to_vector<double>();
    y.backward(weights);
    const std::vector<double> twice = leaves[0].grad().to_vector<double>();
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(twice[i], 2 * once[i]) << op.name;
    EXPECT_EQ(y.node()->saved_bytes(), 0) << op.name;
    EXPECT_EQ(error_of<GraphError>([&] { y.backward(weights); }),
              op.name + ": the graph was freed by an earlier backward; give that one retain_graph");
  }
}

TEST(Graph, ScaledTwice) {
  on_every_set_and_type([](DType dtype) {
    Tensor x = full({}, 5, dtype);
    x.set_requires_grad(true);
    const Tensor y = scale(scale(x, 2), 3);
    y.backward(/*retain_graph=*/true);
    EXPECT_EQ(x.grad().item(), 6);
    y.backward();
    EXPECT_EQ(x.grad().item(), 12);
    EXPECT_THROW(y.backward(), GraphError);
    EXPECT_EQ(x.grad().item(), 12);
  });
}

TEST(Graph, Diamond) {
  on_every_set_and_type([](DType dtype) {
    Tensor a = full({}, 2, dtype);
    Tensor b = full({}, 3, dtype);
    a.set_requires_grad(true);
    b.set_requires_grad(true);
    const Tensor c = a + b;
    const Tensor d = a * b;
    const Tensor y = c + d + c * d;
    EXPECT_EQ(y.item(), 41);
    y.backward();
    EXPECT_EQ(a.grad().item(), 25);
    EXPECT_EQ(b.grad().item(), 19);
  });
}

TEST(Graph, OneGradientForTwoInputsIsNotWrittenTo) {
  // add hands one gradient to both inputs, sum an expanded view; then each collects more.
  on_every_set_and_type([](DType dtype) {
    const Inputs in = leaves_of({ones({2, 2}, dtype), ones({2, 2}, dtype)});
    sum((in[0] + in[1]) + (in[0] + in[0])).backward();
    EXPECT_EQ(in[0].grad().to_vector<double>(), std::vector<double>(4, 3));
    EXPECT_EQ(in[1].grad().to_vector<double>(), std::vector<double>(4, 1));
  });
}

class Names final : public Observer {
 public:
  void on_op(const OpEvent& event) override { seen.emplace_back(event.op); }
  std::vector<std::string> seen;
};

TEST(Graph, EveryOpIsReportedOnceUnderItsName) {
  for (const bool with_gradients : {false, true}) {
    for (const NamedOp& op : differentiable_ops()) {
      const Inputs inputs = with_gradients ? leaves_of(inputs_of(op)) : inputs_of(op);
      Names names;
      op.call(inputs);
      EXPECT_EQ(names.seen, std::vector<std::string>{op.name});
    }
  }
  Names names;
  argmax(zeros({3, 3}));
  EXPECT_EQ(names.seen, std::vector<std::string>{"argmax"});
}

TEST(Graph, FindsOutThatASavedValueWasWrittenTo) {
  // By what is written to: an input (0, 1) or the output (2).
  const std::set<std::pair<std::string, int>> saved = {
      {"mul", 0}, {"mul", 1}, {"divide", 1}, {"divide", 2}, {"matmul", 0}, {"matmul", 1}, {"softmax", 2}};
  for (const NamedOp& op : differentiable_ops()) {
    for (int written = 0; written <= 2; ++written) {
      if (written < 2 && written >= static_cast<int>(op.inputs.size())) continue;
      Inputs inputs = leaves_of(inputs_of(op));
      Tensor y = op.call(inputs);
      // A view of another op's result is the leaf's own memory, and the leaf's gradient does not read it.
      Tensor target = (written == 2 ? y : inputs[static_cast<std::size_t>(written)]).detach();
      slice(target, 0, 0, 1).fill(7);
      const bool must_throw = saved.contains({op.name, written});
      if (must_throw) {
        EXPECT_THROW(y.backward(ones(y.shape(), float64)), GraphError) << op.name << " " << written;
      } else {
        EXPECT_NO_THROW(y.backward(ones(y.shape(), float64))) << op.name << " " << written;
      }
    }
  }
}

TEST(Graph, FindsOutThatAMaskWasWrittenTo) {
  Tensor scores = normal({2, 3}, float32);
  scores.set_requires_grad(true);
  Tensor blocked = tensor({true, false, true});
  const Tensor y = mask(scores, blocked);
  blocked.set({0}, false);
  EXPECT_THROW(y.backward(ones({2, 3})), GraphError);
}

}  // namespace
}  // namespace wick
