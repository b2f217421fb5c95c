#pragma once

// What the tests of training share: goldens, and a model small enough to train in a test.

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/framework/makers.h>
#include <wick/framework/module.h>
#include <wick/models/embedding.h>
#include <wick/models/linear.h>
#include <wick/models/training/trainer.h>
#include <wick/ops/ops.h>
#include <wick/tests/ops/testing_helpers.h>

namespace wick {

inline nlohmann::json training_golden(const std::string& key) {
  std::ifstream in(WICK_GOLDENS "/training_cases.json");
  return nlohmann::json::parse(in).at(key);
}

/// A golden number is a C hexadecimal literal.
inline double parsed(const nlohmann::json& literal) {
  return std::strtod(literal.get<std::string>().c_str(), nullptr);
}

inline Tensor array_in(const nlohmann::json& one, DType dtype = float64) {
  std::vector<double> numbers;
  for (const nlohmann::json& literal : one.at("data")) numbers.push_back(parsed(literal));
  return from_vector(numbers, Shape(one.at("shape").get<std::vector<std::int64_t>>())).to(dtype);
}

/// Parameters and nothing else, named "0", "1", …
class Parameters final : public Module {
 public:
  explicit Parameters(const std::vector<Tensor>& values) : Module("parameters") {
    for (const Tensor& value : values) {
      values_.push_back(std::make_unique<Parameter>(this, std::to_string(values_.size()), value.clone()));
    }
  }

  const Tensor& operator[](std::size_t i) const { return values_[i]->tensor(); }
  std::string description() const override { return "Parameters"; }

  /// Gives parameter i this gradient, on top of what it has.
  void add_gradient(std::size_t i, const Tensor& gradient) const {
    sum(values_[i]->tensor() * gradient).backward();
  }

 private:
  std::vector<std::unique_ptr<Parameter>> values_;
};

/// The next character from the one before: table[ids] @ weight + bias, with dropout in between. What it loses
/// is told by loss(); `spoil` may change the logits.
class Bigram final : public Module {
 public:
  Bigram(std::int64_t vocab_size, std::int64_t n_embd, DType dtype, std::uint64_t seed,
         std::shared_ptr<Rng> dropout_rng = nullptr)
      : Bigram(vocab_size, n_embd, dtype, *default_rng(seed), std::move(dropout_rng)) {}

  Tensor loss(const Tensor& ids, const Tensor& targets) const {
    const ModuleScope scope(*this);
    Tensor x = table_->forward(ids);
    if (is_training() && dropout_rng_ != nullptr) x = dropout(x, 0.2, *dropout_rng_);
    Tensor logits = output_->forward(x);
    if (spoil) logits = spoil(logits);
    return cross_entropy(logits, targets);
  }

  LossFunction loss_function() {
    return [this](const Tensor& ids, const Tensor& targets) { return loss(ids, targets); };
  }

  std::string description() const override { return "Bigram"; }

  std::function<Tensor(const Tensor& logits)> spoil;

 private:
  Bigram(std::int64_t vocab_size, std::int64_t n_embd, DType dtype, Rng& rng,
         std::shared_ptr<Rng> dropout_rng)
      : Module("bigram"),
        dropout_rng_(std::move(dropout_rng)),
        table_(this, "table", vocab_size, n_embd, EmbeddingOptions{.dtype = dtype}, rng),
        output_(this, "output", n_embd, vocab_size, LinearOptions{.dtype = dtype}, rng) {}

  std::shared_ptr<Rng> dropout_rng_;
  Child<Embedding> table_;
  Child<Linear> output_;
};

/// The same names with the same bits.
inline void expect_same_tensors(const std::vector<NamedTensor>& actual,
                                const std::vector<NamedTensor>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].name, expected[i].name);
    EXPECT_TRUE(testing::same_bits(actual[i].tensor, expected[i].tensor)) << expected[i].name;
  }
}

inline void expect_same_state(const TrainingState& actual, const TrainingState& expected) {
  EXPECT_EQ(actual.step, expected.step);
  expect_same_tensors(actual.model, expected.model);
  expect_same_tensors(actual.optimizer, expected.optimizer);
  EXPECT_EQ(actual.streams, expected.streams);
  EXPECT_EQ(actual.losses, expected.losses);
  EXPECT_EQ(actual.metadata, expected.metadata);
}

}  // namespace wick
