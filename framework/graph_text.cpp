// What a GraphRecorder has seen, written as a table and in DOT.

#include <algorithm>
#include <map>

#include <wick/framework/graph_recorder.h>

namespace wick {
namespace {

using Row = std::vector<std::string>;

// Each column as wide as its widest cell.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::int64_t bytes_of(const std::vector<Tensor>& values) {
  std::int64_t bytes = 0;
  for (const Tensor& value : values) bytes += byte_count(value);
  return bytes;
}

// Several ops may keep one value, and views of it: each storage counts once, at the largest that is kept of
// it.
std::int64_t bytes_of_all(const std::vector<GraphRecorder::Op>& ops) {
  std::vector<Tensor> storages;
  for (const GraphRecorder::Op& op : ops) {
    for (const Tensor& value : op.kept) {
      const auto known =
          std::ranges::find_if(storages, [&](const Tensor& other) { return other.shares_storage(value); });
      if (known == storages.end()) {
        storages.push_back(value);
      } else if (byte_count(value) > byte_count(*known)) {
        *known = value;
      }
    }
  }
  return bytes_of(storages);
}

// A text in DOT's quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character == '\n' ? "\\n" : std::string(1, character);
  }
  return result + "\"";
}

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

// The statements of a module's ops by its path, with an entry for every module on the way to one.
using Clusters = std::map<std::string, std::vector<std::string>>;

// "head.query" lies in "head": clusters nest as modules do.
std::string cluster_text(const std::string& path, const Clusters& clusters, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  std::string text;
  for (const auto& [other, statements] : clusters) {
    if (other.empty() || parent_of(other) != path) continue;
    text += indent + "subgraph " + quoted("cluster_" + other) + " {\n";
    text += indent + "  label=" + quoted(other) + ";\n";
    text += cluster_text(other, clusters, depth + 1);
    text += indent + "}\n";
  }
  for (const std::string& statement : clusters.at(path)) text += indent + statement + ";\n";
  return text;
}

// Ops are numbered from 1, as in the table.
std::string dot_name(const GraphRecorder::Source& source) {
  return source.is_op ? "op" + std::to_string(source.index + 1) : "leaf" + std::to_string(source.index);
}

std::string node_statement(const GraphRecorder::Source& source, const std::string& label, const Tensor& value,
                           const std::string& step) {
  const std::string text = label + "\n" + to_string(value.shape()) + (step.empty() ? "" : "\n" + step);
  return dot_name(source) + " [" + (source.is_op ? "" : "shape=ellipse, ") + "label=" + quoted(text) + "]";
}

}  // namespace

std::string GraphRecorder::table() const {
  std::vector<Row> rows = {{"", "op", "module", "inputs", "result", "kept", "step"}};
  for (const Op& op : ops_) {
    std::string inputs;
    for (const Source& source : op.sources) {
      const Tensor& input = source.is_op ? ops_[source.index].result : leaves_[source.index].value;
      inputs += (inputs.empty() ? "" : " ") + to_string(input.shape());
    }
    rows.push_back({std::to_string(rows.size()), op.name, op.module_path, inputs,
                    to_string(op.result.shape()), std::to_string(bytes_of(op.kept)), op.step});
  }
  return aligned(rows) + "kept for backward: " + std::to_string(bytes_of_all(ops_)) +
         " bytes, what several ops keep counted once\n";
}

std::string GraphRecorder::dot() const {
  Clusters clusters{{"", {}}};
  std::vector<std::string> edges;
  std::vector<bool> is_read(leaves_.size());
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const Op& op = ops_[i];
    for (std::string path = op.module_path; !path.empty(); path = parent_of(path)) clusters.try_emplace(path);
    clusters[op.module_path].push_back(node_statement({true, i}, op.name, op.result, op.step));
    for (const Source& source : op.sources) {
      if (!source.is_op) is_read[source.index] = true;
      edges.push_back(dot_name(source) + " -> " + dot_name({true, i}));
    }
  }
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    const std::string label = leaf.name.empty() ? "input" : leaf.name;
    if (is_read[i]) clusters[""].push_back(node_statement({false, i}, label, leaf.value, ""));
  }
  std::string text = "digraph {\n  node [shape=box];\n" + cluster_text("", clusters, 1);
  for (const std::string& edge : edges) text += "  " + edge + ";\n";
  return text + "}\n";
}

}  // namespace wick
