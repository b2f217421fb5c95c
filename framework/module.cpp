#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <ostream>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/module.h>
#include <wick/framework/tensors_by_name.h>
#include <wick/framework/text.h>

namespace wick {
namespace {

void require_plain(const std::string& name) {
  if (name.empty() || name.find('.') != std::string::npos) {
    throw ValueError("\"" + name +
                     "\" cannot name a module or a parameter: a name is not empty and has no dot, which " +
                     "stands between the names of a path");
  }
}

// NaN counts as equal to NaN, so that what a model has come to can always be loaded again.
bool have_equal_values(const Tensor& a, const Tensor& b) {
  return a.defined() && a.shape() == b.shape() &&
         std::ranges::equal(a.to_vector<double>(), b.to_vector<double>(),
                            [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

// Everything in which a state differs from what a module's parameters need, each as "name: what is wrong".
std::vector<std::string> mismatches_between(const std::vector<NamedTensor>& state,
                                            const std::vector<NamedTensor>& parameters) {
  const TensorsByName given_tensors(state);
  const TensorsByName own_tensors(parameters);
  std::vector<std::string> mismatches;
  for (const NamedTensor& entry : state) {
    if (given_tensors.find(entry.name) != &entry) {
      mismatches.push_back(entry.name + ": given twice");
    } else if (own_tensors.find(entry.name) == nullptr) {
      mismatches.push_back(entry.name + ": file " + to_string(entry.tensor.shape()) + ", not in the model");
    }
  }
  for (const NamedTensor& parameter : parameters) {
    const NamedTensor* given = given_tensors.find(parameter.name);
    if (given == nullptr) {
      mismatches.push_back(parameter.name + ": not in the file, model " +
                           to_string(parameter.tensor.shape()));
      continue;
    }
    if (!given->tensor.defined()) {
      mismatches.push_back(parameter.name + ": undefined in the file, model " +
                           to_string(parameter.tensor.shape()));
      continue;
    }
    if (!(given->tensor.shape() == parameter.tensor.shape())) {
      mismatches.push_back(parameter.name + ": file " + to_string(given->tensor.shape()) + ", model " +
                           to_string(parameter.tensor.shape()));
      continue;
    }
    // A parameter under two names takes one value.
    const auto first = std::ranges::find_if(
        parameters, [&](const NamedTensor& other) { return other.tensor.is_same(parameter.tensor); });
    const NamedTensor* first_given = given_tensors.find(first->name);
    if (first_given != nullptr && first_given != given &&
        !have_equal_values(first_given->tensor, given->tensor)) {
      mismatches.push_back(parameter.name + ": differs from " + first->name +
                           ", which is the same parameter");
    }
  }
  return mismatches;
}

}  // namespace

Module::Module(std::string name) : name_(std::move(name)) {
  require_plain(name_);
  set_path(name_);
}

// Put together as the tree grows, so that a forward pass has no text to build.
void Module::set_path(std::string path) {
  path_ = std::make_shared<const std::string>(std::move(path));
  for (const Member& member : members_) {
    if (member.child != nullptr) member.child->set_path(*path_ + "." + member.name);
  }
}

void Module::add_member(Member member) {
  require_plain(member.name);
  if (std::ranges::find(members_, member.name, &Member::name) != members_.end()) {
    throw GraphError(path() + " has two members named " + member.name);
  }
  members_.push_back(std::move(member));
}

void Module::add_parameter(const std::string& name, Parameter* parameter) {
  add_member({name, parameter, nullptr});
}

void Module::add_child(const std::string& name, Module* child) {
  add_member({name, nullptr, child});
  child->name_ = name;
  child->set_path(path() + "." + name);
}

std::vector<NamedTensor> Module::named_parameters() const {
  std::vector<NamedTensor> result;
  for (const auto& [name, parameter, child] : members_) {
    if (parameter != nullptr) {
      result.push_back({name, parameter->tensor()});
      continue;
    }
    for (NamedTensor& inner : child->named_parameters()) {
      result.push_back({name + "." + inner.name, std::move(inner.tensor)});
    }
  }
  return result;
}

std::vector<NamedTensor> Module::different_parameters() const {
  std::vector<NamedTensor> result;
  for (NamedTensor& parameter : named_parameters()) {
    const auto is_it = [&](const NamedTensor& other) { return other.tensor.is_same(parameter.tensor); };
    if (std::ranges::none_of(result, is_it)) result.push_back(std::move(parameter));
  }
  return result;
}

std::int64_t Module::parameter_count() const {
  std::int64_t count = 0;
  for (const NamedTensor& parameter : different_parameters()) count += parameter.tensor.numel();
  return count;
}

std::int64_t Module::byte_count() const {
  std::int64_t bytes = 0;
  for (const NamedTensor& parameter : different_parameters()) bytes += wick::byte_count(parameter.tensor);
  return bytes;
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

std::vector<std::string> Module::mismatches(const std::vector<NamedTensor>& state) const {
  return mismatches_between(state, named_parameters());
}

void Module::load_state(const std::vector<NamedTensor>& state) {
  const std::vector<NamedTensor> parameters = named_parameters();
  if (const std::vector<std::string> mismatches = mismatches_between(state, parameters);
      !mismatches.empty()) {
    std::string message = path() + ": the state does not fit: ";
    for (std::size_t i = 0; i < mismatches.size(); ++i) message += (i == 0 ? "" : "; ") + mismatches[i];
    throw ValueError(message);
  }
  // Copied before the first is written: a state may be made of the model's own tensors, under other names.
  const TensorsByName given(state);
  std::vector<Tensor> values;
  values.reserve(parameters.size());
  for (const NamedTensor& parameter : parameters) {
    values.push_back(given.find(parameter.name)->tensor.to(parameter.tensor.dtype()).clone());
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Tensor target = parameters[i].tensor;
    target.copy_from(values[i]);
  }
}

void Module::train(bool on) {
  training_ = on;
  for (const Member& member : members_) {
    if (member.child != nullptr) member.child->train(on);
  }
}

void Module::zero_grad() {
  for (const Member& member : members_) {
    if (member.child != nullptr) {
      member.child->zero_grad();
    } else {
      member.parameter->value_.zero_grad();
    }
  }
}

std::string to_string(const Module& root) {
  std::string text;
  const std::function<void(const Module&, const std::string&)> print = [&](const Module& module,
                                                                           const std::string& indent) {
    text += indent + module.name_ + ": " + module.description();
    if (const std::int64_t count = module.parameter_count(); count > 0) {
      text += ", " + counted(count, "number") + ", " + counted(module.byte_count(), "byte");
    }
    text += "\n";
    for (const auto& [name, parameter, child] : module.members_) {
      if (child != nullptr) {
        print(*child, indent + "  ");
        continue;
      }
      const Tensor& tensor = parameter->tensor();
      text += indent + "  " + name + ": " + to_string(tensor.shape()) + " " +
              std::string(wick::name(tensor.dtype())) + "\n";
    }
  };
  print(root, "");
  return text;
}

std::ostream& operator<<(std::ostream& out, const Module& root) { return out << to_string(root); }

Parameter::Parameter(Module* owner, const std::string& name, Tensor value) : value_(std::move(value)) {
  value_.set_requires_grad(true);
  owner->add_parameter(name, this);
}

}  // namespace wick
