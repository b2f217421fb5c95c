#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wick/framework/module_scope.h>
#include <wick/framework/observer.h>
#include <wick/framework/small_vector.h>
#include <wick/framework/tensor.h>

// The op graph. An op runs when it is called. Where one of its inputs requires a gradient, its output owns a
// Node: the op's name, edges to the inputs' *nodes* (never to the tensors), and the values that backward will
// read. Nodes point from results to inputs only, and saved values are storage without node, so no cycle can
// form.

namespace wick {

class Saved;

/// One application of an op, as backward needs it. Every op derives its own, in its .cpp file.
class Node {
 public:
  /// What record() hands through an op's node to this base.
  struct Origin {
    std::string_view op;  ///< a literal: it is not copied
    std::span<const Tensor* const> inputs;
    const Tensor& output;
  };

  explicit Node(const Origin& origin);
  /// Tears down what hangs below it without recursion: a chain of a million nodes needs no deeper stack than
  /// one.
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::string_view op() const { return op_; }
  /// The path of the module that ran the op, "" outside of any.
  const std::string& module_path() const { return text_of(module_path_); }
  const SharedPath& shared_path() const { return module_path_; }
  /// Shape and type of the value this node made, and so of its gradient.
  const Shape& shape() const { return shape_; }
  DType dtype() const { return dtype_; }

  /// One per input of the op; null where that input requires no gradient.
  std::span<const std::shared_ptr<Node>> inputs() const { return {inputs_.data(), inputs_.size()}; }
  bool is_leaf() const { return inputs_.empty(); }

  /// The values kept for backward: none once they are released.
  std::vector<Tensor> saved_values() const;
  /// Their bytes (see byte_count).
  std::int64_t saved_bytes() const;

  /// From the gradient of the output to the gradients of the inputs, in their order, each in its input's
  /// shape and type; an undefined tensor where needs_gradient() says no. Called with recording off; adding up
  /// is the engine's.
  virtual std::vector<Tensor> backward(const Tensor& gradient) const = 0;

  /// Frees what was saved. A backward that comes after it is an error.
  void release();
  bool is_released() const { return released_; }
  /// Throws GraphError where it was.
  void require_not_released() const;

 protected:
  /// True where input i requires a gradient.
  bool needs_gradient(std::size_t i) const { return inputs_[i] != nullptr; }

 private:
  friend class Saved;

  std::string_view op_;
  SharedPath module_path_;
  SmallVector<std::shared_ptr<Node>, 3> inputs_;
  Saved* first_saved_ = nullptr;
  Saved* last_saved_ = nullptr;
  Shape shape_;
  DType dtype_;
  bool released_ = false;

  // Which Tape came by last, and where it stands there.
  friend class Tape;
  std::uint64_t tape_ = 0;
  std::size_t position_ = 0;
};

/// A value that a node keeps for backward, as a member of it: declaring it registers it.
///
///     Saved weights_{this, y};
class Saved {
 public:
  /// Keeps the storage of `value`, not its node. An undefined tensor keeps nothing.
  Saved(Node* owner, const Tensor& value);
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;

  /// The value. Throws GraphError naming the op where it was written to since, through whatever view, or
  /// where the graph was freed.
  const Tensor& get() const;

 private:
  friend class Node;
  const Node* owner_;
  Saved* next_ = nullptr;  // of the same node
  Tensor value_;
  std::uint32_t version_;
};

/// The node of a tensor that was marked by set_requires_grad: it collects the gradient.
class Leaf final : public Node {
 public:
  explicit Leaf(const Tensor& tensor);
  std::vector<Tensor> backward(const Tensor& gradient) const override;

  const Tensor& gradient() const { return gradient_; }
  /// Adds to the gradient collected so far.
  void collect(Tensor gradient);
  void clear() { gradient_ = {}; }

 private:
  Tensor gradient_;
};

/// True unless a NoGrad is open on this thread.
bool grad_enabled();

/// While one lives, ops on this thread make no nodes, also where inputs require gradients. Nests; ends with
/// its scope, however that ends.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

/// True where an op on these inputs has to be recorded.
bool needs_node(std::span<const Tensor* const> inputs);

/// Tells the observers of an op; record() calls it. Ops without gradient (argmax) call it themselves.
void report_op(std::string_view op, std::span<const Tensor* const> inputs, const Tensor& output);

/// The last step of every op: gives `output` its node where one is needed, and tells the observers.
///
///     return record<SoftmaxNode>("softmax", {&x}, std::move(y), axis);
///
/// NodeType is constructed as NodeType(origin, arguments…), and only where an input requires a gradient.
/// Arguments may refer to the inputs and, through origin.output, to the output.
template <typename NodeType, typename... Arguments>
Tensor record(std::string_view op, std::span<const Tensor* const> inputs, Tensor output,
              Arguments&&... arguments) {
  if (needs_node(inputs)) {
    output.set_node(
        std::make_shared<NodeType>(Node::Origin{op, inputs, output}, std::forward<Arguments>(arguments)...));
  }
  if (OpenObservers::any()) report_op(op, inputs, output);
  return output;
}

template <typename NodeType, typename... Arguments>
Tensor record(std::string_view op, std::initializer_list<const Tensor*> inputs, Tensor output,
              Arguments&&... arguments) {
  return record<NodeType>(op, std::span(inputs.begin(), inputs.size()), std::move(output),
                          std::forward<Arguments>(arguments)...);
}

}  // namespace wick
