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

// The ops' statements by module path, with an entry for every module on the way to one.
using Clusters = std::map<std::string, std::string>;

// "head.query" lies in "head": clusters nest as modules do.
std::string cluster_text(const std::string& path, const Clusters& clusters, std::size_t depth) {
  const std::string indent(2 * depth, ' ');
  std::string text;
  for (const auto& [other, statements] : clusters) {
    if (other.empty() || parent_of(other) != path) continue;
    text += indent + "subgraph " + quoted("cluster_" + other) + " {\n" + indent + "  label=" + quoted(other) +
            ";\n" + cluster_text(other, clusters, depth + 1) + indent + "}\n";
  }
  return text + clusters.at(path);
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
  Clusters clusters{{"", ""}};
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    const Op& op = ops_[i];
    for (std::string path = op.module_path; !path.empty(); path = parent_of(path)) clusters.try_emplace(path);
    const std::string step = op.step.empty() ? "" : "\n" + op.step;
    clusters[op.module_path] += "  op" + std::to_string(i) +
                                " [label=" + quoted(op.name + "\n" + to_string(op.result.shape()) + step) +
                                "];\n";
  }
  std::string text = "digraph {\n  node [shape=box];\n" + cluster_text("", clusters, 1);
  std::string edges;
  std::vector<bool> is_read(leaves_.size());
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    for (const Source& source : ops_[i].sources) {
      if (!source.is_op) is_read[source.index] = true;
      edges += (source.is_op ? "  op" : "  leaf") + std::to_string(source.index) + " -> op" +
               std::to_string(i) + ";\n";
    }
  }
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (!is_read[i]) continue;
    const std::string label =
        (leaves_[i].name.empty() ? "input" : leaves_[i].name) + "\n" + to_string(leaves_[i].value.shape());
    text += "  leaf" + std::to_string(i) + " [shape=ellipse, label=" + quoted(label) + "];\n";
  }
  return text + edges + "}\n";
}

}  // namespace wick
