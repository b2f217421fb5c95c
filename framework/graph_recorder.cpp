#include <algorithm>

#include <wick/framework/graph.h>
#include <wick/framework/graph_recorder.h>

namespace wick {

void GraphRecorder::name(const std::string& name, const Tensor& value) {
  leaves_.push_back({name, value.detach()});
}

void GraphRecorder::name_parameters(const Module& root) {
  for (const NamedTensor& parameter : root.named_parameters()) {
    name(root.path() + "." + parameter.name, parameter.tensor);
  }
}

// By the memory and its layout, not by the node, so that the graph shows without gradients too. The latest
// first: an op that returns its input as it is stands between.
GraphRecorder::Source GraphRecorder::source_of(const Tensor& input) {
  for (std::size_t i = ops_.size(); i-- > 0;) {
    if (ops_[i].result.is_same(input)) return {true, i};
  }
  const auto leaf =
      std::ranges::find_if(leaves_, [&](const Leaf& known) { return known.value.is_same(input); });
  const auto index = static_cast<std::size_t>(leaf - leaves_.begin());
  if (leaf == leaves_.end()) leaves_.push_back({"", input.detach()});
  return {false, index};
}

void GraphRecorder::on_op(const OpEvent& event) {
  Op op{std::string(event.op), std::string(event.module_path), "", {}, event.output.detach(), {}};
  for (const Tensor* input : event.inputs) op.sources.push_back(source_of(*input));
  if (event.output.node() != nullptr) op.kept = event.output.node()->saved_values();
  ops_.push_back(std::move(op));
}

void GraphRecorder::on_step(const std::string& name, const Tensor& value) {
  const Source source = source_of(value);
  if (source.is_op) {
    ops_[source.index].step = name;
  } else if (leaves_[source.index].name.empty()) {
    leaves_[source.index].name = name;
  }
}

}  // namespace wick
