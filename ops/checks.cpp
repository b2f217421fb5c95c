#include <algorithm>
#include <span>
#include <string>

#include <wick/framework/error.h>
#include <wick/ops/checks.h>

namespace wick {
namespace {

std::string type_of(const Tensor& tensor) {
  return tensor.defined() ? std::string(name(tensor.dtype())) : "an undefined tensor";
}

}  // namespace

void require_defined(std::string_view op, std::string_view input, const Tensor& tensor) {
  if (tensor.defined()) return;
  throw TypeError(std::string(op) + ": " + std::string(input) + " is " + type_of(tensor));
}

void require_floating(std::string_view op, std::string_view input, const Tensor& tensor) {
  if (tensor.defined() && is_floating(tensor.dtype())) return;
  throw TypeError(std::string(op) + ": " + std::string(input) + " is " + type_of(tensor) +
                  ", expected float32 or float64");
}

void require_type(std::string_view op, std::string_view input, const Tensor& tensor, DType expected) {
  if (tensor.defined() && tensor.dtype() == expected) return;
  throw TypeError(std::string(op) + ": " + std::string(input) + " is " + type_of(tensor) + ", expected " +
                  std::string(name(expected)));
}

void refuse_types(std::string_view op, const Tensor& a, const Tensor& b) {
  require_floating(op, "the first input", a);
  require_floating(op, "the second input", b);
  throw TypeError(std::string(op) + ": " + type_of(a) + " and " + type_of(b) +
                  ": one type is needed; to() converts");
}

void require_ids_in_range(std::string_view op, const Tensor& ids, std::int64_t V,
                          std::optional<std::int64_t> ignored) {
  const std::span<const std::int64_t> all = ids.span<std::int64_t>();
  const auto wrong =
      std::ranges::find_if(all, [&](std::int64_t id) { return (id < 0 || id >= V) && id != ignored; });
  if (wrong == all.end()) return;
  const Dimensions position = position_of(wrong - all.begin(), ids.shape());
  throw IndexError(std::string(op) + ": the id at position " + to_string(position) + " is " +
                   std::to_string(*wrong) + ", outside [0, " + std::to_string(V) + ")" +
                   (ignored ? " and not the ignored " + std::to_string(*ignored) : ""));
}

}  // namespace wick
