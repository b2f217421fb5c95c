#pragma once

#include <wick/ops/testing/op_spec.h>

namespace wick::testing {

OpSpec add_spec();
OpSpec argmax_spec();
OpSpec attention_spec();
OpSpec blocked_attention_spec();
OpSpec causal_mask_spec();
OpSpec concat_spec();
OpSpec cross_entropy_spec();
OpSpec divide_spec();
OpSpec dropout_spec();
OpSpec embedding_spec();
OpSpec expand_spec();
OpSpec gelu_spec();
OpSpec layer_norm_spec();
OpSpec linear_spec();
OpSpec mask_spec();
OpSpec matmul_spec();
OpSpec mean_spec();
OpSpec mul_spec();
OpSpec packed_attention_spec();
OpSpec plain_layer_norm_spec();
OpSpec reshape_spec();
OpSpec scale_spec();
OpSpec slice_spec();
OpSpec softmax_spec();
OpSpec subtract_spec();
OpSpec sum_spec();
OpSpec transpose_spec();

}  // namespace wick::testing
