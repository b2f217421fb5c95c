// Modules inside modules: paths in names and in errors, and what the GPT will stack.

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/observer.h>
#include <wick/models/embedding.h>
#include <wick/models/head.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {
namespace {

class Block final : public Module {
 public:
  explicit Block(Rng& rng) : Module("block"), attention_(this, "attention", 32, 16, HeadOptions{}, rng) {}
  Tensor forward(const Tensor& x) const { return attention_->forward(x); }
  std::string description() const override { return "Block"; }

 private:
  Child<Head> attention_;
};

class Gpt final : public Module {
 public:
  explicit Gpt(Rng& rng)
      : Module("gpt"), tokens_(this, "tokens", 24, 32, EmbeddingOptions{}, rng), blocks_(this, "blocks") {
    for (int i = 0; i < 3; ++i) blocks_->emplace_back(rng);
  }
  Tensor embed(const Tensor& ids) const { return tokens_->forward(ids); }
  Tensor block(std::size_t i, const Tensor& x) const { return (*blocks_)[i].forward(x); }
  std::string description() const override { return "Gpt"; }

 private:
  Child<Embedding> tokens_;
  Child<ModuleList<Block>> blocks_;
};

TEST(NestedModules, ErrorsOpenWithThePath) {
  const Gpt gpt(*default_rng(1));
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.block(2, zeros({4, 8, 16}));
            }),
            "gpt.blocks.2.attention: x is (4, 8, 16), expected (B, T, C=32): dimension 2 (C) is 16, not 32");
  EXPECT_EQ(error_of<TypeError>([&] {
              gpt.block(0, zeros({4, 8, 32}, float64));
            }),
            "gpt.blocks.0.attention.query: matmul: float64 and float32: one type is needed; to() converts");
  EXPECT_EQ(error_of<IndexError>([&] {
              gpt.embed(tensor({{0, 24}}));
            }),
            "gpt.tokens: embedding: the id at position (0, 1) is 24, outside [0, 24)");
}

TEST(NestedModules, AnErrorLeavesNoPathBehind) {
  const Gpt gpt(*default_rng(1));
  EXPECT_THROW(gpt.block(1, zeros({4, 8, 16})), ShapeError);
  EXPECT_EQ(error_of<ShapeError>([] {
              matmul(zeros({4, 8, 32}), zeros({16, 8}));
            }),
            "matmul: (4, 8, 32) @ (16, 8): inner dimensions 32 and 16 differ");
}

TEST(NestedModules, ObserversSeeStepsUnderThePath) {
  const Gpt gpt(*default_rng(1));
  Trace trace;
  gpt.block(1, zeros({1, 4, 32}));
  EXPECT_EQ(trace["gpt.blocks.1.attention.weights"].shape(), (Shape{1, 4, 4}));
  EXPECT_EQ(trace.steps().size(), 6U);
}

TEST(NestedModules, ParametersAreNamedFromTheRoot) {
  const Gpt gpt(*default_rng(1));
  EXPECT_EQ(gpt.named_parameters().size(), 10U);
  EXPECT_EQ(gpt.parameter("blocks.2.attention.query.weight").shape(), (Shape{32, 16}));
  EXPECT_EQ(gpt.parameter_count(), 24 * 32 + 3 * 3 * 32 * 16);
}

// The course's: four heads side by side, n_embd 64.
class Heads final : public Module {
 public:
  explicit Heads(Rng& rng) : Module("heads"), heads_(this, "list") {
    for (int i = 0; i < 4; ++i) heads_->emplace_back(64, 16, HeadOptions{}, rng);
  }
  std::string description() const override { return "Heads"; }

 private:
  Child<ModuleList<Head>> heads_;
};

TEST(NestedModules, FourHeadsInAListHoldTwelveTensors) {
  const Heads heads(*default_rng(1));
  EXPECT_EQ(heads.named_parameters().size(), 12U);
  EXPECT_EQ(heads.parameter_count(), 12288);
}

// A projection that asserts nothing: the op itself has to say what is wrong, and where.
class Projection final : public Module {
 public:
  Projection() : Module("projection") {}
  Tensor forward(const Tensor& x) const {
    const ModuleScope scope(*this);
    return matmul(x, weight_);
  }
  std::string description() const override { return "Projection"; }

 private:
  Parameter weight_{this, "weight", zeros({16, 8})};
};

class Attention final : public Module {
 public:
  Attention() : Module("attention") {}
  Tensor forward(const Tensor& x) const { return query_->forward(x); }
  std::string description() const override { return "Attention"; }

 private:
  Child<Projection> query_{this, "query"};
};

class PlainBlock final : public Module {
 public:
  PlainBlock() : Module("block") {}
  Tensor forward(const Tensor& x) const { return attention_->forward(x); }
  std::string description() const override { return "PlainBlock"; }

 private:
  Child<Attention> attention_{this, "attention"};
};

class PlainGpt final : public Module {
 public:
  PlainGpt() : Module("gpt") {
    for (int i = 0; i < 3; ++i) blocks_->emplace_back();
  }
  Tensor forward(const Tensor& x) const { return (*blocks_)[2].forward(x); }
  std::string description() const override { return "PlainGpt"; }

 private:
  Child<ModuleList<PlainBlock>> blocks_{this, "blocks"};
};

TEST(NestedModules, ErrorsOfOpsOpenWithThePath) {
  const PlainGpt gpt;
  EXPECT_EQ(error_of<ShapeError>([&] {
              gpt.forward(zeros({4, 8, 32}));
            }),
            "gpt.blocks.2.attention.query: matmul: (4, 8, 32) @ (16, 8): inner dimensions 32 and 16 differ");
}

}  // namespace
}  // namespace wick
