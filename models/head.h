#pragma once

#include <cstdint>
#include <string>

#include <wick/framework/module.h>
#include <wick/framework/random.h>
#include <wick/models/linear.h>

namespace wick {

struct HeadOptions {
  bool causal = false;         ///< each position sees itself and what came before
  bool bias = false;           ///< of the three projections; the course has none
  double weight_scale = 0.02;  ///< of the three projections (see LinearOptions); the lessons use 0.25 and 0.1
  DType dtype = float32;
  std::string name = "head";  ///< as a root; a Child names it anew
};

/// One head of self-attention: every position asks with its query, is found by its key, and gives its value.
///
///     query = x Wq,  key = x Wk,  value = x Wv       (B, T, hs)
///     scores = query keyᵀ / sqrt(hs)                 (B, T, T), masked where causal
///     weights = softmax(scores)                      (B, T, T), each row sums to 1
///     out = weights value                            (B, T, hs)
///
/// Observers are told each of these under its name: head.query, head.key, head.value, head.scores,
/// head.weights, head.out.
class Head final : public Module {
 public:
  /// Draws the weights of query, key and value from `rng`, in this order. Throws ValueError for a size below
  /// 1, TypeError for a dtype that is not floating.
  Head(std::int64_t n_embd, std::int64_t head_size, const HeadOptions& options, Rng& rng);

  /// (B, T, n_embd) -> (B, T, head_size). Throws ShapeError, TypeError.
  Tensor forward(const Tensor& x) const;

  std::string description() const override;

 private:
  std::int64_t n_embd_;
  std::int64_t head_size_;
  bool causal_;
  Child<Linear> query_;
  Child<Linear> key_;
  Child<Linear> value_;
};

}  // namespace wick
