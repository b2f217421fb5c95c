#include <algorithm>
#include <functional>
#include <map>
#include <ostream>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/module.h>

namespace wick {
namespace {

void require_plain(const std::string& name) {
  if (name.empty() || name.find('.') != std::string::npos) {
    throw ValueError("\"" + name +
                     "\" cannot name a module or a parameter: a name is not empty and has no dot, which " +
                     "stands between the names of a path");
  }
}

bool have_equal_values(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && a.to_vector<double>() == b.to_vector<double>();
}

std::string count_of(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " number" : " numbers");
}

}  // namespace

Module::Module(std::string name) : name_(std::move(name)) { require_plain(name_); }

std::string Module::path() const { return parent_ == nullptr ? name_ : parent_->path() + "." + name_; }

void Module::require_free_name(const std::string& name) const {
  require_plain(name);
  const bool is_parameter =
      std::ranges::any_of(parameters_, [&](const auto& entry) { return entry.first == name; });
  if (is_parameter ||
      std::ranges::any_of(children_, [&](const Module* child) { return child->name_ == name; })) {
    throw GraphError(path() + " has two members named " + name);
  }
}

void Module::add_parameter(std::string name, Parameter* parameter) {
  require_free_name(name);
  parameters_.emplace_back(std::move(name), parameter);
}

void Module::add_child(std::string name, Module* child) {
  require_free_name(name);
  child->name_ = std::move(name);
  child->parent_ = this;
  children_.push_back(child);
}

std::vector<NamedTensor> Module::named_parameters() const {
  std::vector<NamedTensor> result;
  for (const auto& [name, parameter] : parameters_) result.push_back({name, parameter->value_});
  for (const Module* child : children_) {
    for (NamedTensor& inner : child->named_parameters()) {
      result.push_back({child->name_ + "." + inner.name, std::move(inner.tensor)});
    }
  }
  return result;
}

std::int64_t Module::parameter_count() const {
  std::vector<Tensor> counted;
  std::int64_t count = 0;
  for (const NamedTensor& parameter : named_parameters()) {
    if (std::ranges::any_of(counted, [&](const Tensor& other) { return other.is_same(parameter.tensor); }))
      continue;
    counted.push_back(parameter.tensor);
    count += parameter.tensor.numel();
  }
  return count;
}

Tensor Module::parameter(std::string_view dotted_name) const {
  std::string names;
  for (const NamedTensor& parameter : named_parameters()) {
    if (parameter.name == dotted_name) return parameter.tensor;
    names += " " + parameter.name;
  }
  throw IndexError(path() + " has no parameter " + std::string(dotted_name) + "; it has" +
                   (names.empty() ? " none" : names));
}

std::vector<NamedTensor> Module::state() const {
  std::vector<NamedTensor> result = named_parameters();
  for (NamedTensor& parameter : result) parameter.tensor = parameter.tensor.clone();
  return result;
}

void Module::load_state(const std::vector<NamedTensor>& state) {
  std::vector<std::string> mismatches;
  std::map<std::string_view, const Tensor*> given;
  for (const NamedTensor& entry : state) {
    if (!given.emplace(entry.name, &entry.tensor).second) mismatches.push_back(entry.name + ": given twice");
  }

  const std::vector<NamedTensor> parameters = named_parameters();
  for (const NamedTensor& parameter : parameters) {
    const auto found = given.find(parameter.name);
    if (found == given.end()) {
      mismatches.push_back(parameter.name + ": missing, model " + to_string(parameter.tensor.shape()));
      continue;
    }
    if (const Shape& shape = found->second->shape(); !(shape == parameter.tensor.shape())) {
      mismatches.push_back(parameter.name + ": file " + to_string(shape) + ", model " +
                           to_string(parameter.tensor.shape()));
    }
    // One parameter under two names takes one value.
    for (const NamedTensor& earlier : parameters) {
      if (&earlier == &parameter) break;
      const auto other = given.find(earlier.name);
      if (earlier.tensor.is_same(parameter.tensor) && other != given.end() &&
          !have_equal_values(*other->second, *found->second)) {
        mismatches.push_back(parameter.name + ": differs from " + earlier.name +
                             ", but they are one parameter");
      }
    }
  }
  for (const auto& [name, tensor] : given) {
    if (std::ranges::none_of(parameters,
                             [&](const NamedTensor& parameter) { return parameter.name == name; })) {
      mismatches.push_back(std::string(name) + ": file " + to_string(tensor->shape()) + ", not in the model");
    }
  }
  if (!mismatches.empty()) {
    std::string message = path() + ": the state does not fit: ";
    for (std::size_t i = 0; i < mismatches.size(); ++i) message += (i == 0 ? "" : "; ") + mismatches[i];
    throw ValueError(message);
  }
  for (const NamedTensor& parameter : parameters) {
    Tensor target = parameter.tensor;
    target.copy_from(*given.at(parameter.name));
  }
}

void Module::train(bool on) {
  training_ = on;
  for (Module* child : children_) child->train(on);
}

void Module::zero_grad() {
  for (NamedTensor& parameter : named_parameters()) parameter.tensor.zero_grad();
}

std::string to_string(const Module& root) {
  std::string text;
  const std::function<void(const Module&, const std::string&)> print = [&](const Module& module,
                                                                           const std::string& indent) {
    text += indent + module.name_ + ": " + module.description() + ", " + count_of(module.parameter_count()) +
            "\n";
    for (const auto& [name, parameter] : module.parameters_) {
      const Tensor& tensor = parameter->tensor();
      text += indent + "  " + name + ": " + to_string(tensor.shape()) + " " +
              std::string(wick::name(tensor.dtype())) + "\n";
    }
    for (const Module* child : module.children_) print(*child, indent + "  ");
  };
  print(root, "");
  return text;
}

std::ostream& operator<<(std::ostream& out, const Module& root) { return out << to_string(root); }

Parameter::Parameter(Module* owner, std::string name, Tensor value) : value_(std::move(value)) {
  value_.set_requires_grad(true);
  owner->add_parameter(std::move(name), this);
}

}  // namespace wick
