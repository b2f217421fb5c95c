#pragma once

#include <optional>

#include <wick/framework/tensor.h>

namespace wick {

struct AttentionOptions {
  bool causal = false;  ///< query i sees keys 0 … i + (Tk - Tq): queries stand at the end of the keys
  Tensor blocked = {};  ///< boolean, broadcasts to (…, Tq, Tk): true hides the key from the query
  std::optional<double> scale = {};  ///< of the scores; 1 / sqrt(hs) unless given
};

/// softmax(scale * query @ keyᵀ) @ value in one go: the (Tq, Tk) scores exist tile by tile only, so that
/// memory, backward's too, grows with Tq + Tk and not with their product. query is (…, Tq, hs), key (…, Tk,
/// hs), value (…, Tk, vs), all of one floating type; the dimensions in front broadcast; the result is (…, Tq,
/// vs). Any layout is read where it lies. Vaswani et al., Attention Is All You Need, 2017, equation 1; in
/// tiles, and with weights that backward computes anew: Dao et al., FlashAttention, 2022.
///
/// A hidden key weighs exactly 0. A tile of 128 keys of which a block of queries sees nothing, because of
/// causality or `blocked`, is not computed. (Where `blocked` hides it, only if the values in it are finite,
/// and backward the keys in it, these queries and their gradients: else a row would hang on its neighbours'
/// masks.)
///
/// A query from which every key is hidden gets the mean of all values, and its gradient goes to the values
/// alone; without any key it gets 0. (So does causal_mask(mask(…)) with the default fill, step by step.) NaN
/// and infinities are those of the steps, but where a value under a hidden key is not finite: whether 0 times
/// that counts stays open, and so do gradients then, and those of keys that are hidden from a query whose own
/// numbers or gradient are not finite. Where only a query's scores are not, it adds nothing to the gradients
/// of keys and values that are hidden from it (step by step, those of values are NaN). A query whose every
/// visible score is -infinity gets NaN.
///
/// A row's bits depend on its query, on the keys and values it sees and on their places, hs and the
/// instruction set (and on Tk where it sees none); so a query alone gets what it gets among others, and keys
/// added behind that are hidden from it change nothing. Accuracy: within (2 m + Tk + hs + 16) epsilon of
/// |weights| @ |value|, m = (hs + 4) max |scale| |query| @ |key|ᵀ.
///
/// Threads share heads and queries forward, heads backward.
///
/// Throws ShapeError "attention: query (2, 4) and key (3, 5): head sizes 4 and 5 differ" and the like, where
/// causal Tq > Tk, since the first queries would then see no key; TypeError.
Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const AttentionOptions& options = {});

/// The shape rule.
Shape attention_shape(const Shape& query, const Shape& key, const Shape& value,
                      const AttentionOptions& options = {});

}  // namespace wick
