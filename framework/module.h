#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/module_scope.h>
#include <wick/framework/named_tensor.h>
#include <wick/framework/tensor.h>

namespace wick {

class Parameter;

/// The base of everything that holds parameters. Registration is the member: a parameter or a child cannot be
/// forgotten, because declaring it registers it, in the order of the members.
///
///     class Head final : public Module {
///       …
///       Child<Linear> query_{this, "query", n_embd, head_size, …};
///       Parameter scale_{this, "scale", ones({1})};
///     };
///
/// Modules neither copy nor move (functions can still return them by value), so a child can know its parent.
/// What two modules share is a parameter, never a module.
class Module {
 public:
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The name within the parent; a root's own.
  const std::string& name() const { return name_; }

  /// From the root down: "gpt.blocks.2.attention.query".
  const std::string& path() const { return *path_; }
  const SharedPath& shared_path() const { return path_; }

  /// Every parameter with its dotted name, in the order of the members. One that stands under two names is
  /// listed twice.
  std::vector<NamedTensor> named_parameters() const;

  /// The numbers in all parameters; one that stands under two names is counted once.
  std::int64_t parameter_count() const;

  /// The parameter of this dotted name. Throws IndexError listing the names there are.
  Tensor parameter(std::string_view dotted_name) const;

  /// A copy of every parameter under its name.
  std::vector<NamedTensor> state() const;

  /// In what a state differs from what load_state() takes, each as "name: what is wrong"; empty where it
  /// fits.
  std::vector<std::string> mismatches(const std::vector<NamedTensor>& state) const;

  /// Copies values into the parameters, converting their type. Throws one ValueError with every mismatch
  /// (missing, unknown, undefined, given twice, of another shape, or unequal under two names of one
  /// parameter), and nothing is changed then.
  void load_state(const std::vector<NamedTensor>& state);

  /// Training or evaluation, for this module and all below it. What differs between them (dropout) asks
  /// is_training().
  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }

  /// Forgets the gradients of all parameters.
  void zero_grad();

  /// What stands in the printed tree behind the name: "Linear(in 64, out 16)".
  virtual std::string description() const = 0;

 protected:
  /// The name that the module has as a root, and until a Child gives it another. Throws ValueError where it
  /// is empty or has a dot.
  explicit Module(std::string name);

 private:
  friend class Parameter;
  template <typename ModuleType>
  friend class Child;
  template <typename ModuleType>
  friend class ModuleList;
  friend std::string to_string(const Module& root);

  /// One of the two pointers is set.
  struct Member {
    std::string name;
    Parameter* parameter;
    Module* child;
  };

  void add_parameter(const std::string& name, Parameter* parameter);
  void add_child(const std::string& name, Module* child);
  void add_member(Member member);
  void set_path(std::string path);

  std::string name_;
  SharedPath path_;
  std::vector<Member> members_;
  bool training_ = true;
};

/// The tree of a module: names, descriptions, shapes and counts, a line each.
std::string to_string(const Module& root);
std::ostream& operator<<(std::ostream& out, const Module& root);

/// A tensor that is learned, as a member of its module.
class Parameter {
 public:
  /// Registers `value` under `name`, and marks it as requiring a gradient. To share a parameter, pass the
  /// other's tensor(). Throws GraphError where the name is taken, ValueError where it is empty or has a dot,
  /// TypeError where the value is not floating.
  Parameter(Module* owner, const std::string& name, Tensor value);
  Parameter(const Parameter&) = delete;
  Parameter& operator=(const Parameter&) = delete;

  const Tensor& tensor() const { return value_; }
  operator const Tensor&() const { return value_; }

 private:
  friend class Module;
  Tensor value_;
};

/// A module inside a module, as a member of it. Used like a pointer: query_->forward(x).
template <typename ModuleType>
class Child {
 public:
  /// Constructs the module from `arguments` and registers it under `name`. Throws as Parameter does for
  /// names.
  template <typename... Arguments>
  Child(Module* parent, const std::string& name, Arguments&&... arguments)
      : module_(std::forward<Arguments>(arguments)...) {
    parent->add_child(name, &module_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  const ModuleType* operator->() const { return &module_; }
  ModuleType* operator->() { return &module_; }
  const ModuleType& operator*() const { return module_; }
  ModuleType& operator*() { return module_; }

 private:
  ModuleType module_;
};

/// A stack of modules of one kind, named "0", "1", … As a member: Child<ModuleList<Block>> blocks_{this,
/// "blocks"}.
template <typename ModuleType>
class ModuleList final : public Module {
 public:
  explicit ModuleList(std::string name = "list") : Module(std::move(name)) {}

  /// Constructs one more at the end.
  template <typename... Arguments>
  ModuleType& emplace_back(Arguments&&... arguments) {
    auto& item = items_.emplace_back(std::make_unique<ModuleType>(std::forward<Arguments>(arguments)...));
    add_child(std::to_string(items_.size() - 1), item.get());
    return *item;
  }

  std::size_t size() const { return items_.size(); }
  /// Throws IndexError outside.
  const ModuleType& operator[](std::size_t i) const { return *items_[checked(i)]; }
  ModuleType& operator[](std::size_t i) { return *items_[checked(i)]; }

  std::string description() const override { return "list of " + std::to_string(items_.size()); }

 private:
  std::size_t checked(std::size_t i) const {
    if (i < items_.size()) return i;
    throw IndexError(path() + " has no module " + std::to_string(i) + "; it has " +
                     std::to_string(items_.size()));
  }

  std::vector<std::unique_ptr<ModuleType>> items_;
};

}  // namespace wick
