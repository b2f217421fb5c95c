// The ops' messages inside of modules: every one opens with the path of the module that computes.

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/module.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

class Query final : public Module {
 public:
  Query(std::int64_t in, std::int64_t out) : Module("query"), weight_(this, "weight", ones({in, out})) {}

  Tensor forward(const Tensor& x) const {
    ModuleScope scope(*this);
    return matmul(x, weight_);
  }
  std::string description() const override { return "Query"; }

 private:
  Parameter weight_;
};

class Attention final : public Module {
 public:
  explicit Attention(std::int64_t n_embd)
      : Module("attention"), n_embd_(n_embd), query_(this, "query", 16, 8) {}

  Tensor forward(const Tensor& x) const {
    ModuleScope scope(*this);
    scope.expect("x", x, {"B", "T", {"C", n_embd_}});
    const Tensor q = query_->forward(x);
    return softmax(causal_mask(matmul(q, transpose(q))));
  }

  // One op, called by this module.
  template <typename Call>
  std::string error(Call call) const {
    ModuleScope scope(*this);
    return error_of<Error>(call);
  }
  std::string description() const override { return "Attention"; }

 private:
  std::int64_t n_embd_;
  Child<Query> query_;
};

class Block final : public Module {
 public:
  explicit Block(std::int64_t n_embd) : Module("block"), attention_(this, "attention", n_embd) {}
  const Attention& attention() const { return *attention_; }
  std::string description() const override { return "Block"; }

 private:
  Child<Attention> attention_;
};

class Gpt final : public Module {
 public:
  explicit Gpt(std::int64_t n_embd) : Module("gpt"), blocks_(this, "blocks") {
    for (int i = 0; i < 3; ++i) blocks_->emplace_back(n_embd);
  }
  const Attention& attention() const { return (*blocks_)[2].attention(); }
  std::string description() const override { return "Gpt"; }

 private:
  Child<ModuleList<Block>> blocks_;
};

TEST(Messages, OpenWithTheModulesPath) {
  const Gpt gpt(32);
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.attention().forward(zeros({4, 8, 32}));
            }),
            "gpt.blocks.2.attention.query: matmul: (4, 8, 32) @ (16, 8): inner dimensions 32 and 16 differ");
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.attention().forward(zeros({4, 8, 16}));
            }),
            "gpt.blocks.2.attention: x is (4, 8, 16), expected (B, T, C=32): dimension 2 (C) is 16, not 32");
}

TEST(Messages, OfEveryOpOpenWithTheModulesPath) {
  const Gpt gpt(16);
  const Tensor x = zeros({2, 3});
  const auto error = [&](auto call) { return gpt.attention().error(call); };
  const std::string path = "gpt.blocks.2.attention: ";
  EXPECT_EQ(error([&] { add(x, zeros({2})); }),
            path + "add: (2, 3) and (2,) do not broadcast: dimension -1 is 3 and 2");
  EXPECT_EQ(error([&] { softmax(x, 5); }),
            path + "softmax: axis 5: axes of a tensor of rank 2 lie in [-2, 1]");
  EXPECT_EQ(error([&] { scale(arange(3), 2); }), path + "scale: x is int64, expected float32 or float64");
  EXPECT_EQ(error([&] {
              embedding(x, tensor({0, 2}));
            }),
            path + "embedding: the id at position (1,) is 2, outside [0, 2)");
  EXPECT_EQ(error([&] { reshape(x, {4}); }), path + "reshape: (2, 3) has 6 elements, which do not fill (4,)");
  EXPECT_EQ(error([&] { slice(x, 1, 0, 4); }),
            path + "slice: [0:4] reaches outside axis 1 of size 3 of (2, 3)");
  EXPECT_EQ(error([&] { expand(x, {3}); }), path + "expand: (2, 3) does not broadcast to (3,)");
  EXPECT_EQ(error([&] { transpose(x, {0, 0}); }), path + "transpose: axis 0 is given twice in (0, 0)");
  EXPECT_EQ(error([&] { sum(x, {0, 0}); }), path + "sum: axis 0 is given twice in (0, 0)");
  EXPECT_EQ(error([&] { mean(x, {0, 0}); }), path + "mean: axis 0 is given twice in (0, 0)");
  EXPECT_EQ(error([&] { gelu(arange(3)); }), path + "gelu: x is int64, expected float32 or float64");
  EXPECT_EQ(error([&] { layer_norm(x, zeros({2})); }),
            path + "layer_norm: x (2, 3) and gain (2,): the gain should be (3,)");
  EXPECT_EQ(error([&] {
              argmax(zeros({2, 0}));
            }),
            path + "argmax: axis -1 of (2, 0) is empty: nothing is largest");
  EXPECT_EQ(error([&] {
              mask(x, zeros({3, 3}, boolean));
            }),
            path + "mask: (2, 3) and (3, 3) do not broadcast: dimension -2 is 2 and 3");
}

TEST(Messages, OfBackwardNameTheModuleThatRanTheOp) {
  const Gpt gpt(16);
  const Tensor y = gpt.attention().forward(ones({1, 3, 16}));
  EXPECT_EQ(y.node()->module_path(), "gpt.blocks.2.attention");
  y.backward(ones({1, 3, 3}));
  EXPECT_EQ(error_of<GraphError>([&] {
              y.backward(ones({1, 3, 3}));
            }),
            "gpt.blocks.2.attention: softmax: the graph was freed by an earlier backward; give that one "
            "retain_graph");
}

}  // namespace
}  // namespace wick
