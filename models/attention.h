#pragma once

#include <wick/framework/module_scope.h>
#include <wick/framework/tensor.h>

namespace wick {

/// What a head does once it has its projections, for one head as for several: softmax(query @ keyᵀ /
/// sqrt(hs)) @ value.
///
/// query is (…, Tq, hs), key and value are (…, Tk, hs); the result is (…, Tq, hs). With `causal`, each query
/// sees only the keys up to its own position (see causal_mask).
///
/// Where an observer wants the steps, it computes them one by one, and the scope's module names them:
/// "scores" (after masking) and "weights", both (…, Tq, Tk). Otherwise it is attention(), which keeps
/// neither; the two agree within rounding, not to the bit. Vaswani et al., Attention Is All You Need, 2017,
/// equation 1. Throws ShapeError, TypeError.
Tensor attend(const ModuleScope& scope, const Tensor& query, const Tensor& key, const Tensor& value,
              bool causal);

}  // namespace wick
