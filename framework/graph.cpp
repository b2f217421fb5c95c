#include <algorithm>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>

namespace wick {
namespace {

thread_local constinit bool recording = true;

// Nodes whose last owner has let go of them while another node is being destroyed on this thread.
thread_local constinit std::vector<std::shared_ptr<Node>>* pending = nullptr;

}  // namespace

Node::Node(const Origin& origin)
    : op_(origin.op),
      module_path_(current_shared_path()),
      shape_(origin.output.shape()),
      dtype_(origin.output.dtype()) {
  for (const Tensor* input : origin.inputs) inputs_.push_back(input->node());
}

Node::~Node() {
  // Each node that dies in the loop hands its inputs to this list instead of destroying them in its own
  // frame.
  std::vector<std::shared_ptr<Node>> nodes;
  const bool is_first = pending == nullptr;
  if (is_first) pending = &nodes;
  for (std::shared_ptr<Node>& input : inputs_) {
    if (input != nullptr) pending->push_back(std::move(input));
  }
  if (!is_first) return;
  while (!nodes.empty()) {
    const std::shared_ptr<Node> last = std::move(nodes.back());
    nodes.pop_back();
  }
  pending = nullptr;
}

std::vector<Tensor> Node::saved_values() const {
  std::vector<Tensor> values;
  for (const Saved* saved = first_saved_; saved != nullptr; saved = saved->next_) {
    if (saved->value_.defined()) values.push_back(saved->value_);
  }
  return values;
}

std::int64_t Node::saved_bytes() const {
  std::int64_t bytes = 0;
  for (const Tensor& value : saved_values()) bytes += byte_count(value);
  return bytes;
}

void Node::require_not_released() const {
  if (released_) {
    throw GraphError(std::string(op_) +
                     ": the graph was freed by an earlier backward; give that one retain_graph");
  }
}

void Node::release() {
  for (Saved* saved = first_saved_; saved != nullptr; saved = saved->next_) saved->value_ = {};
  released_ = true;
}

Saved::Saved(Node* owner, const Tensor& value)
    : owner_(owner), value_(value.detach()), version_(value.version()) {
  (owner->first_saved_ == nullptr ? owner->first_saved_ : owner->last_saved_->next_) = this;
  owner->last_saved_ = this;
}

const Tensor& Saved::get() const {
  owner_->require_not_released();
  if (value_.version() != version_) {
    throw GraphError(std::string(owner_->op()) + ": a value of shape " + to_string(value_.shape()) +
                     " that backward needs was written to after the op had used it (version " +
                     std::to_string(value_.version()) + ", saved at " + std::to_string(version_) + ")");
  }
  return value_;
}

Leaf::Leaf(const Tensor& tensor) : Node(Origin{"leaf", {}, tensor}) {}

std::vector<Tensor> Leaf::backward(const Tensor&) const { return {}; }

bool grad_enabled() { return recording; }

NoGrad::NoGrad() : before_(recording) { recording = false; }
NoGrad::~NoGrad() { recording = before_; }

bool needs_node(std::span<const Tensor* const> inputs) {
  return std::ranges::any_of(inputs, [](const Tensor* input) { return input->requires_grad(); }) && recording;
}

void report_op(std::string_view op, std::span<const Tensor* const> inputs, const Tensor& output) {
  const std::string& path = current_module_path();
  OpenObservers::report_op({op, path, inputs, output});
}

}  // namespace wick
