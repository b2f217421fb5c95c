#include <algorithm>
#include <cmath>
#include <cstdint>

#include <wick/models/attention.h>
#include <wick/ops/attention.h>
#include <wick/ops/mask.h>
#include <wick/ops/matmul.h>
#include <wick/ops/scale.h>
#include <wick/ops/softmax.h>
#include <wick/ops/transpose.h>

namespace wick {

Tensor attend(const ModuleScope& scope, const Tensor& query, const Tensor& key, const Tensor& value,
              bool causal) {
  if (!ModuleScope::wants_steps()) return attention(query, key, value, {.causal = causal});
  const auto head_size = static_cast<double>(std::max<std::int64_t>(query.size(-1), 1));
  Tensor scores = scale(matmul(query, transpose(key)), 1 / std::sqrt(head_size));  // (…, Tq, Tk)
  if (causal) scores = causal_mask(scores);
  scope.step("scores", scores);
  const Tensor weights = softmax(scores);  // (…, Tq, Tk)
  scope.step("weights", weights);
  return matmul(weights, value);  // (…, Tq, hs)
}

}  // namespace wick
