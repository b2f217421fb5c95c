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

void require_same_floating(std::string_view op, const Tensor& a, const Tensor& b) {
  require_floating(op, "the first input", a);
  require_floating(op, "the second input", b);
  if (a.dtype() != b.dtype()) {
    throw TypeError(std::string(op) + ": " + type_of(a) + " and " + type_of(b) +
                    ": one type is needed; to() converts");
  }
}

}  // namespace wick
