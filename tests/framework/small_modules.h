#pragma once

// Modules for the tests of the module tree: the framework knows none.

#include <cstdint>
#include <string>
#include <utility>

#include <wick/framework/makers.h>
#include <wick/framework/module.h>

namespace wick::small {

class Projection final : public Module {
 public:
  Projection(std::int64_t in, std::int64_t out)
      : Module("projection"), in_(in), out_(out), weight_(this, "weight", zeros({in, out})) {}

  void forward(const Tensor& x) const {
    ModuleScope scope(*this);
    scope.expect("x", x, {"B", "T", {"C", in_}});
  }

  std::string description() const override {
    return "Projection(" + std::to_string(in_) + " -> " + std::to_string(out_) + ")";
  }

 private:
  std::int64_t in_;
  std::int64_t out_;
  Parameter weight_;
};

class ThreeProjections final : public Module {
 public:
  ThreeProjections(std::int64_t in, std::int64_t out)
      : Module("three"),
        query_(this, "query", in, out),
        key_(this, "key", in, out),
        value_(this, "value", in, out) {}
  std::string description() const override { return "ThreeProjections"; }

 private:
  Child<Projection> query_;
  Child<Projection> key_;
  Child<Projection> value_;
};

class Block final : public Module {
 public:
  Block() : Module("block"), attention_(this, "attention", 32, 32) {}
  const Projection& attention() const { return *attention_; }
  void forward(const Tensor& x) const {
    const ModuleScope scope(*this);
    attention_->forward(x);
  }
  std::string description() const override { return "Block"; }

 private:
  Child<Projection> attention_;
};

/// Three blocks in a list, and a projection: "gpt.blocks.2.attention".
class Model final : public Module {
 public:
  explicit Model(std::string name)
      : Module(std::move(name)), blocks_(this, "blocks"), final_(this, "final", 32, 2) {
    for (int i = 0; i < 3; ++i) blocks_->emplace_back();
  }
  const ModuleList<Block>& blocks() const { return *blocks_; }
  std::string description() const override { return "Model"; }

 private:
  Child<ModuleList<Block>> blocks_;
  Child<Projection> final_;
};

/// One parameter under two names.
class Tied final : public Module {
 public:
  Tied() : Module("tied") {}
  std::string description() const override { return "Tied"; }

 private:
  Parameter embedding_{this, "embedding", zeros({2, 3})};
  Parameter unembedding_{this, "unembedding", embedding_.tensor()};
};

}  // namespace wick::small
