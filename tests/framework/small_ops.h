#pragma once

// Ops for the tests of the graph: the framework knows none. Float64 only.

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>

namespace wick::small {

/// Applies `function` to the elements of two tensors of one shape.
inline Tensor apply(const Tensor& a, const Tensor& b, const std::function<double(double, double)>& function) {
  const std::vector<double> left = a.to_vector<double>();
  const std::vector<double> right = b.to_vector<double>();
  std::vector<double> result;
  for (std::size_t i = 0; i < left.size(); ++i) result.push_back(function(left[i], right[i]));
  return from_vector(result, a.shape());
}

inline Tensor times(const Tensor& a, const Tensor& b) { return apply(a, b, std::multiplies()); }

/// The cheapest op, for graphs of a million, in any type.
class SameNode final : public Node {
 public:
  using Node::Node;
  std::vector<Tensor> backward(const Tensor& gradient) const override { return {gradient}; }
};

inline Tensor same(const Tensor& x) { return record<SameNode>("same", {&x}, x.detach()); }

/// Saves nothing.
class ScaleNode final : public Node {
 public:
  ScaleNode(const Origin& origin, double factor) : Node(origin), factor_(factor) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {times(gradient, full(gradient.shape(), factor_, float64))};
  }

 private:
  double factor_;
};

inline Tensor scale(const Tensor& x, double factor) {
  return record<ScaleNode>("scale", {&x}, times(x, full(x.shape(), factor, float64)), factor);
}

/// Hands the same tensor to both inputs.
class AddNode final : public Node {
 public:
  using Node::Node;
  std::vector<Tensor> backward(const Tensor& gradient) const override { return {gradient, gradient}; }
};

inline Tensor add(const Tensor& a, const Tensor& b) {
  return record<AddNode>("add", {&a, &b}, apply(a, b, std::plus()));
}

/// Saves both inputs.
class MulNode final : public Node {
 public:
  MulNode(const Origin& origin, const Tensor& a, const Tensor& b)
      : Node(origin),
        a_(this, needs_gradient(1) ? a : Tensor()),
        b_(this, needs_gradient(0) ? b : Tensor()) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {needs_gradient(0) ? times(gradient, b_.get()) : Tensor(),
            needs_gradient(1) ? times(gradient, a_.get()) : Tensor()};
  }

 private:
  Saved a_;
  Saved b_;
};

inline Tensor mul(const Tensor& a, const Tensor& b) {
  return record<MulNode>("mul", {&a, &b}, times(a, b), a, b);
}

/// Saves its own output.
class SquareRootNode final : public Node {
 public:
  explicit SquareRootNode(const Origin& origin) : Node(origin), y_(this, origin.output) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    return {apply(gradient, y_.get(), [](double g, double y) { return g / (2 * y); })};
  }

 private:
  Saved y_;
};

inline Tensor square_root(const Tensor& x) {
  Tensor y = apply(x, x, [](double value, double) { return std::sqrt(value); });
  return record<SquareRootNode>("square_root", {&x}, std::move(y));
}

/// The sum of all elements, whose gradient is an expanded view.
class SumNode final : public Node {
 public:
  SumNode(const Origin& origin, Shape shape) : Node(origin), input_(std::move(shape)) {}
  std::vector<Tensor> backward(const Tensor& gradient) const override {
    Strides strides;
    for (int axis = 0; axis < input_.rank(); ++axis) strides.push_back(0);
    return {gradient.strided_view(input_, strides)};
  }

 private:
  Shape input_;
};

inline Tensor sum(const Tensor& x) {
  double total = 0;
  for (const double value : x.to_vector<double>()) total += value;
  return record<SumNode>("sum", {&x}, full({}, total, float64), x.shape());
}

inline Tensor leaf(const NestedList& numbers) {
  Tensor x = tensor(numbers, float64);
  x.set_requires_grad(true);
  return x;
}

}  // namespace wick::small
