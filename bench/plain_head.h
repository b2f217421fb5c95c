#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <wick/bench/plain_loops.h>
#include <wick/framework/tensor.h>

// A head, whole, by plain loops in double: what a head and its gradients are compared with before they are
// timed.

namespace wick::bench {

using Doubles = std::vector<double>;

/// Throws where `got` is not `expected`, against the array's largest value. Rounding is some 1e-6 of it; what
/// is wrong is not that close.
inline void require_close(const std::string& what, const Tensor& got, const Doubles& expected) {
  const Doubles values = got.to_vector<double>();
  if (values.size() != expected.size()) throw std::runtime_error("wrong: " + what + " has another size");
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(values[i] - expected[i]) <= 1e-4 * largest) continue;
    throw std::runtime_error("wrong: " + what + ": element " + std::to_string(i) + " is " +
                             std::to_string(values[i]) + ", expected " + std::to_string(expected[i]));
  }
}

/// What a head computes of x (B, T, C), its weights (C, hs) given, without bias.
class PlainHead {
 public:
  PlainHead(const Tensor& x, const std::vector<Tensor>& weights, bool causal)
      : B_(x.size(0)),
        T_(x.size(1)),
        C_(x.size(2)),
        hs_(weights[0].size(1)),
        causal_(causal),
        x_(x.to_vector<double>()) {
    for (const Tensor& weight : weights) {
      projections_.emplace_back(at(B_ * T_ * hs_));
      plain_matmul(x_.data(), weight.to_vector<double>().data(), projections_.back().data(), B_ * T_, hs_,
                   C_);
    }
  }

  /// (B, T, hs)
  Doubles out() const {
    Doubles y(at(B_ * T_ * hs_));
    for (std::int64_t i = 0; i < B_ * T_ * hs_; i += T_ * hs_) {
      plain_attention(query(i), key(i), value(i), y.data() + i, T_, hs_, causal_);
    }
    return y;
  }

  /// The gradients of the three weights, from out's.
  std::vector<Doubles> gradients(const Doubles& out_gradient) const {
    std::vector<Doubles> projected(3, Doubles(at(B_ * T_ * hs_)));
    for (std::int64_t i = 0; i < B_ * T_ * hs_; i += T_ * hs_) {
      plain_attention_backward(query(i), key(i), value(i), out_gradient.data() + i, projected[0].data() + i,
                               projected[1].data() + i, projected[2].data() + i, T_, hs_, causal_);
    }
    Doubles transposed(x_.size());
    plain_transpose(x_.data(), transposed.data(), B_ * T_, C_);
    std::vector<Doubles> gradients(3, Doubles(at(C_ * hs_)));
    for (std::size_t i = 0; i < 3; ++i) {
      plain_matmul(transposed.data(), projected[i].data(), gradients[i].data(), C_, hs_, B_ * T_);
    }
    return gradients;
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  const double* query(std::int64_t i) const { return projections_[0].data() + i; }
  const double* key(std::int64_t i) const { return projections_[1].data() + i; }
  const double* value(std::int64_t i) const { return projections_[2].data() + i; }

  std::int64_t B_, T_, C_, hs_;
  bool causal_;
  Doubles x_;
  std::vector<Doubles> projections_;  // query, key, value: (B, T, hs) each
};

}  // namespace wick::bench
