// The engine: from one tensor's gradient to the gradients of every leaf it was computed from.

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/module_scope.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>

namespace wick {
namespace {

constexpr std::int64_t kGrain = 1 << 15;  // elements, for a thread of its own

// As below, in a row. Two loops, so that the compiler sees which arrays may overlap, and takes vectors.
template <typename T>
void add_row(const T* left, const T* right, T* sum, std::int64_t n) {
  if (sum == left) {
    for (std::int64_t i = 0; i < n; ++i) sum[i] += right[i];
  } else {
    for (std::int64_t i = 0; i < n; ++i) sum[i] = left[i] + right[i];
  }
}

// to + more, written into `out`, which may be `to`. The only sum that the framework itself needs, so a plain
// loop.
void add(const Tensor& to, const Tensor& more, Tensor& out) {
  const auto add = [&]<typename T>() {
    T* sum = out.mutable_data<T>();
    const T* left = to.data<T>();
    const T* right = more.data<T>();
    if (to.is_contiguous() && more.is_contiguous() && out.is_contiguous()) {
      return parallel_for(out.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        add_row(left + begin, right + begin, sum + begin, end - begin);
      });
    }
    for_each_row<3>(out.shape(), {out.strides(), to.strides(), more.strides()},
                    [&](auto offsets, std::int64_t n, auto steps) {
                      for (std::int64_t i = 0; i < n; ++i) {
                        sum[offsets[0] + i * steps[0]] =
                            left[offsets[1] + i * steps[1]] + right[offsets[2] + i * steps[2]];
                      }
                    });
  };
  if (out.dtype() == float32) {
    add.operator()<float>();
  } else {
    add.operator()<double>();
  }
}

// The first to arrive is kept as it is, a view perhaps, or another input's gradient too: only what nobody
// else sees is written to.
void accumulate(Tensor& gradient, Tensor&& more) {
  if (!gradient.defined()) {
    gradient = std::move(more);
  } else if (gradient.is_sole_owner()) {
    add(gradient, more, gradient);
  } else {
    Tensor sum(gradient.shape(), gradient.dtype());
    add(gradient, more, sum);
    gradient = std::move(sum);
  }
}

}  // namespace

// Every node that a root was computed from, each after its inputs, and the gradients that have arrived.
// Iterative: graphs are deep.
class Tape {
 public:
  explicit Tape(Node& root) {
    struct Visit {
      Node* node;
      std::size_t next_input;
    };
    // Marks on the nodes say what was visited, and by which tape: they are of use in here alone, so that
    // another backward may run inside of this one.
    const std::uint64_t id = next_id.fetch_add(1, std::memory_order_relaxed);
    root.tape_ = id;
    std::vector<Visit> path;
    path.reserve(kUsual);
    entries_.reserve(kUsual);
    positions_.reserve(kUsual);
    path.push_back({&root, 0});
    while (!path.empty()) {
      auto& [node, next_input] = path.back();
      if (next_input < node->inputs().size()) {
        Node* input = node->inputs()[next_input++].get();
        if (input != nullptr && std::exchange(input->tape_, id) != id) path.push_back({input, 0});
        continue;
      }
      node->position_ = entries_.size();
      entries_.push_back({node, positions_.size(), kNone});
      for (const auto& input : node->inputs()) {
        positions_.push_back(input == nullptr ? 0 : input->position_);
      }
      path.pop_back();
    }
  }

  std::size_t size() const { return entries_.size(); }
  Node& node(std::size_t i) const { return *entries_[i].node; }
  /// Where the gradient of a node's value adds up.
  Tensor& gradient(std::size_t i) {
    std::size_t& slot = entries_[i].slot;
    if (slot == kNone && !free_.empty()) {
      slot = free_.back();
      free_.pop_back();
    } else if (slot == kNone) {
      slot = gradients_.size();
      gradients_.emplace_back();
    }
    return gradients_[slot];
  }
  /// The same for an input of a node. Precondition: the input has one.
  Tensor& gradient_of_input(std::size_t i, std::size_t input) {
    return gradient(positions_[entries_[i].first_input + input]);
  }
  /// What has added up, once and for all; undefined where nothing did.
  Tensor take_gradient(std::size_t i) {
    const std::size_t slot = entries_[i].slot;
    if (slot == kNone) return {};
    free_.push_back(slot);
    return std::move(gradients_[slot]);
  }

 private:
  struct Entry {
    Node* node;
    std::size_t first_input;  // in positions_
    std::size_t slot;         // in gradients_
  };

  static constexpr std::size_t kNone = SIZE_MAX;
  static constexpr std::size_t kUsual = 64;  // nodes: what a head or a block takes, without growing
  static inline std::atomic<std::uint64_t> next_id{1};

  std::vector<Entry> entries_;
  std::vector<std::size_t> positions_;  // of every entry's inputs
  std::vector<Tensor> gradients_;       // as many as wait at a time, of however many nodes
  std::vector<std::size_t> free_;       // slots whose gradient was taken
};

namespace {

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

void require_not_released(const Tape& tape) {
  for (std::size_t i = tape.size(); i-- > 0;) {
    const PathScope path(tape.node(i).shared_path());
    tape.node(i).require_not_released();
  }
}

void run_backward(Node& root, const Tensor& gradient, bool retain_graph) {
  const NoGrad no_grad;
  Tape tape(root);
  require_not_released(tape);
  tape.gradient(tape.size() - 1) = gradient;
  for (std::size_t i = tape.size(); i-- > 0;) {
    Node& node = tape.node(i);
    Tensor own = tape.take_gradient(i);
    if (!own.defined()) continue;
    const PathScope path(node.shared_path());
    if (node.is_leaf()) {
      auto& leaf = static_cast<Leaf&>(node);
      leaf.collect(std::move(own));
      if (OpenObservers::any()) {
        OpenObservers::report_backward({leaf.op(), leaf.module_path(), leaf.gradient(), {}});
      }
      continue;
    }
    std::vector<Tensor> input_gradients = input_gradients_of(node, own);
    if (OpenObservers::any()) {
      OpenObservers::report_backward({node.op(), node.module_path(), own, input_gradients});
    }
    own = {};  // so that what is one with it has one owner less
    for (std::size_t input = 0; input < input_gradients.size(); ++input) {
      if (node.inputs()[input] != nullptr) {
        accumulate(tape.gradient_of_input(i, input), std::move(input_gradients[input]));
      }
    }
    if (!retain_graph) node.release();
  }
}

}  // namespace

void Leaf::collect(Tensor gradient) {
  // What arrives may be a view, or memory that is another tensor's too; else it is taken as it is.
  if (!gradient_.defined() && !gradient.is_sole_owner()) gradient = gradient.clone();
  accumulate(gradient_, std::move(gradient));
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
