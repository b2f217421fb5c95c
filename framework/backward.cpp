// The engine: from one tensor's gradient to the gradients of every leaf it was computed from.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/module_scope.h>
#include <wick/framework/strided.h>

namespace wick {
namespace {

// a + b in new memory. The only sum that the framework itself needs, so a plain loop.
Tensor sum_of(const Tensor& a, const Tensor& b) {
  Tensor sum(a.shape(), a.dtype());
  const auto add = [&]<typename T>() {
    T* out = sum.mutable_data<T>();
    const T* left = a.data<T>();
    const T* right = b.data<T>();
    for_each_row<3>(a.shape(), {sum.strides(), a.strides(), b.strides()},
                    [&](auto offsets, std::int64_t n, auto steps) {
                      for (std::int64_t i = 0; i < n; ++i) {
                        out[offsets[0] + i * steps[0]] =
                            left[offsets[1] + i * steps[1]] + right[offsets[2] + i * steps[2]];
                      }
                    });
  };
  if (a.dtype() == float32) {
    add.operator()<float>();
  } else {
    add.operator()<double>();
  }
  return sum;
}

void accumulate(Tensor& gradient, const Tensor& more) {
  // The first is kept as it is, a view perhaps, and never written to: it may be another input's gradient too.
  gradient = gradient.defined() ? sum_of(gradient, more) : more;
}

// Every node that `root` was computed from, each before its inputs. Iterative: graphs are deep.
std::vector<Node*> results_first(Node& root) {
  struct Visit {
    Node* node;
    std::size_t next_input;
  };
  std::vector<Node*> inputs_first;
  std::unordered_set<const Node*> seen{&root};
  std::vector<Visit> stack{{&root, 0}};
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.next_input == visit.node->inputs().size()) {
      inputs_first.push_back(visit.node);
      stack.pop_back();
      continue;
    }
    Node* input = visit.node->inputs()[visit.next_input++].get();
    if (input != nullptr && seen.insert(input).second) stack.push_back({input, 0});
  }
  std::ranges::reverse(inputs_first);
  return inputs_first;
}

void require_fit(const Node& node, std::size_t i, const Tensor& gradient) {
  const Node& input = *node.inputs()[i];
  if (!gradient.defined() || !(gradient.shape() == input.shape()) || gradient.dtype() != input.dtype()) {
    const std::string met = gradient.defined()
                                ? to_string(gradient.shape()) + " of " + std::string(name(gradient.dtype()))
                                : "nothing";
    throw GraphError(std::string(node.op()) + ": backward returned " + met + " for input " +
                     std::to_string(i) + ", which is " + to_string(input.shape()) + " of " +
                     std::string(name(input.dtype())));
  }
}

// The gradients of a node's inputs. The ops that its backward consists of are its own business.
std::vector<Tensor> input_gradients_of(const Node& node, const Tensor& gradient) {
  const PauseObservers pause;
  std::vector<Tensor> gradients = node.backward(gradient);
  if (gradients.size() != node.inputs().size()) {
    throw GraphError(std::string(node.op()) + ": backward returned " + std::to_string(gradients.size()) +
                     " gradients for " + std::to_string(node.inputs().size()) + " inputs");
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (node.inputs()[i] != nullptr) {
      require_fit(node, i, gradients[i]);
    } else {
      gradients[i] = {};  // an op may give more than is needed; observers are promised that it does not
    }
  }
  return gradients;
}

void require_not_released(const std::vector<Node*>& tape) {
  for (const Node* node : tape) {
    const PathScope path(node->module_path());
    node->require_not_released();
  }
}

void run_backward(Node& root, const Tensor& gradient, bool retain_graph) {
  const NoGrad no_grad;
  const std::vector<Node*> tape = results_first(root);
  require_not_released(tape);
  std::unordered_map<const Node*, Tensor> gradients{{&root, gradient}};
  for (Node* node : tape) {
    const auto own = gradients.extract(node);
    if (own.empty()) continue;
    const PathScope path(node->module_path());
    if (node->is_leaf()) {
      auto& leaf = static_cast<Leaf&>(*node);
      leaf.collect(own.mapped());
      OpenObservers::report_backward({leaf.op(), leaf.module_path(), leaf.gradient(), {}});
      continue;
    }
    const std::vector<Tensor> input_gradients = input_gradients_of(*node, own.mapped());
    OpenObservers::report_backward({node->op(), node->module_path(), own.mapped(), input_gradients});
    for (std::size_t i = 0; i < input_gradients.size(); ++i) {
      const Node* input = node->inputs()[i].get();
      if (input != nullptr) accumulate(gradients[input], input_gradients[i]);
    }
    if (!retain_graph) node->release();
  }
}

}  // namespace

void Leaf::collect(const Tensor& gradient) {
  // A copy of its own, since what arrives may be a view, or memory that is another tensor's too.
  gradient_ = gradient_.defined() ? sum_of(gradient_, gradient) : gradient.clone();
}

void Tensor::set_requires_grad(bool on) {
  if (node_ != nullptr && !node_->is_leaf()) {
    throw GraphError("set_requires_grad: this tensor is the result of " + std::string(node_->op()) +
                     "; only a tensor that no op made can be a leaf (detach() gives one)");
  }
  if (on) require_defined();
  if (on && !is_floating(dtype_)) {
    throw TypeError("set_requires_grad: a tensor of " + std::string(name(dtype_)) + " has no gradient");
  }
  if (!on) {
    node_ = nullptr;
  } else if (node_ == nullptr) {
    node_ = std::make_shared<Leaf>(*this);
  }
}

namespace {

Leaf& leaf_of(const Tensor& tensor, const char* where) {
  if (tensor.node() == nullptr || !tensor.node()->is_leaf()) {
    throw GraphError(std::string(where) +
                     ": only a leaf, a tensor marked by set_requires_grad, collects a gradient");
  }
  return static_cast<Leaf&>(*tensor.node());
}

}  // namespace

Tensor Tensor::grad() const { return leaf_of(*this, "grad").gradient(); }

void Tensor::zero_grad() { leaf_of(*this, "zero_grad").clear(); }

void Tensor::backward(bool retain_graph) const {
  require_defined();
  if (numel_ != 1) {
    throw GraphError("backward of a tensor of shape " + to_string(shape_) +
                     " needs the gradient of the output: backward(gradient)");
  }
  backward(full(shape_, 1, dtype_), retain_graph);
}

void Tensor::backward(const Tensor& gradient, bool retain_graph) const {
  require_defined();
  gradient.require_defined();
  if (node_ == nullptr) {
    throw GraphError("backward: nothing that this tensor was computed from requires a gradient");
  }
  if (!(gradient.shape() == shape_) || gradient.dtype() != dtype_) {
    throw GraphError("backward: a gradient of " + to_string(gradient.shape()) + " of " +
                     std::string(name(gradient.dtype())) + " for a tensor of " + to_string(shape_) + " of " +
                     std::string(name(dtype_)));
  }
  run_backward(*node_, gradient.detach(), retain_graph);
}

}  // namespace wick
