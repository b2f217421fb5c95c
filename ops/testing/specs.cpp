#include <wick/ops/testing/specs.h>
#include <wick/ops/testing/specs/all.h>

namespace wick::testing {

// Listed one by one: what registers itself from a static library is dropped by the linker where nobody names
// it.
const std::vector<OpSpec>& op_specs() {
  static const std::vector<OpSpec> specs = {
      matmul_spec(),
      linear_spec(),
      transpose_spec(),
      scale_spec(),
      mask_spec(),
      causal_mask_spec(),
      softmax_spec(),
      layer_norm_spec(),
      plain_layer_norm_spec(),
      gelu_spec(),
      cross_entropy_spec(),
      dropout_spec(),
      add_spec(),
      subtract_spec(),
      mul_spec(),
      divide_spec(),
      sum_spec(),
      mean_spec(),
      argmax_spec(),
      embedding_spec(),
      reshape_spec(),
      slice_spec(),
      expand_spec(),
      concat_spec(),
      attention_spec(),
      blocked_attention_spec(),
      packed_attention_spec(),
  };
  return specs;
}

}  // namespace wick::testing
