#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wick/framework/module.h>
#include <wick/framework/observer.h>

namespace wick {

/// Writes down the ops of a computation, to be looked at as a table or as a picture.
///
///     GraphRecorder graph;
///     graph.name("x", x);
///     graph.name_parameters(head);
///     head.forward(x);
///     std::cout << graph.table();
///
/// It keeps a handle on every value, so nothing that it saw is freed before it.
class GraphRecorder final : public Observer {
 public:
  /// Where an input of an op comes from: an op's result, or a tensor that no op made while this was open.
  struct Source {
    bool is_op;
    std::size_t index;  ///< into ops() or into leaves()
  };

  struct Op {
    std::string name;             ///< "softmax"
    std::string module_path;      ///< "" outside of any module
    std::string step;             ///< what the module called the result ("head.weights"), "" where it did not
    std::vector<Source> sources;  ///< per input
    Tensor result;
    std::vector<Tensor> kept;  ///< for backward; empty where no gradient is wanted
  };

  struct Leaf {
    std::string name;  ///< "" where it was given none
    Tensor value;
  };

  /// Modules compute step by step while this is open, unless told not to: then a fused path shows as it is.
  explicit GraphRecorder(bool wants_steps = true) : wants_steps_(wants_steps) {}

  /// Names a tensor that is an input of the computation.
  void name(const std::string& name, const Tensor& value);
  /// Names every parameter of a module, after its path: "head.query.weight".
  void name_parameters(const Module& root);

  void on_op(const OpEvent& event) override;
  void on_step(const std::string& name, const Tensor& value) override;
  bool wants_steps() const override { return wants_steps_; }

  /// In the order in which they ran.
  const std::vector<Op>& ops() const { return ops_; }
  const std::vector<Leaf>& leaves() const { return leaves_; }

  /// A line per op: number, name, module, the shapes of its inputs and result, the bytes kept for backward,
  /// the step; then the bytes of all, where a value that several ops keep is counted once.
  std::string table() const;

  /// The graph in the DOT language of Graphviz: ops in boxes, grouped by module; leaves in ellipses.
  std::string dot() const;

 private:
  Source source_of(const Tensor& input);

  bool wants_steps_;
  std::vector<Op> ops_;
  std::vector<Leaf> leaves_;
};

}  // namespace wick
