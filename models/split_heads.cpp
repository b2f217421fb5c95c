#include <string>

#include <wick/framework/error.h>
#include <wick/models/initial.h>
#include <wick/models/split_heads.h>
#include <wick/ops/reshape.h>
#include <wick/ops/transpose.h>

namespace wick {

std::int64_t size_of_head(std::string_view module, std::int64_t n_embd, std::int64_t n_head) {
  positive_size(module, "n_embd", n_embd);
  if (n_embd % positive_size(module, "n_head", n_head) != 0) {
    throw ValueError(std::string(module) + ": n_embd=" + std::to_string(n_embd) +
                     " is not divisible by n_head=" + std::to_string(n_head));
  }
  return n_embd / n_head;
}

Tensor split_heads(const Tensor& x, std::int64_t n_head) {
  return transpose(reshape(x, {x.size(0), x.size(1), n_head, x.size(2) / n_head}), {0, 2, 1, 3});
}

Tensor join_heads(const Tensor& x) {
  return reshape(transpose(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

}  // namespace wick
