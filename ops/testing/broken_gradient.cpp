#include <algorithm>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/ops/testing/broken_gradient.h>

namespace wick::testing {
namespace {

class BrokenNode final : public Node {
 public:
  BrokenNode(const Origin& origin, Break kind) : Node(origin), kind_(kind) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    std::vector<double> numbers = gradient.to_vector<double>();
    switch (kind_) {
      case Break::zero:
        std::ranges::fill(numbers, 0.0);
        break;
      case Break::doubled:
        for (double& number : numbers) number *= 2;
        break;
      case Break::negated:
        for (double& number : numbers) number = -number;
        break;
      case Break::shifted:
        if (!numbers.empty()) std::rotate(numbers.begin(), numbers.begin() + 1, numbers.end());
        break;
      case Break::one_element:
        if (!numbers.empty()) numbers.back() += 1e-4;
        break;
    }
    return {from_vector(numbers, gradient.shape()).to(gradient.dtype())};
  }

 private:
  Break kind_;
};

}  // namespace

std::string_view description(Break kind) {
  switch (kind) {
    case Break::zero:
      return "is 0";
    case Break::doubled:
      return "is doubled";
    case Break::negated:
      return "is negated";
    case Break::shifted:
      return "is shifted by one element";
    case Break::one_element:
      return "is off by 1e-4 in the last element";
  }
  return "";
}

Tensor with_broken_gradient(const Tensor& x, Break kind) {
  return record<BrokenNode>("broken", {&x}, x.detach(), kind);
}

}  // namespace wick::testing
