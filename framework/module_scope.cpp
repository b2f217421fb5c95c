#include <wick/framework/error.h>
#include <wick/framework/module.h>
#include <wick/framework/module_scope.h>
#include <wick/framework/observer.h>

namespace wick {
namespace {

thread_local constinit const PathScope* innermost = nullptr;

}  // namespace

PathScope::PathScope(const Module& module) : PathScope(module.shared_path()) {}

PathScope::PathScope(const SharedPath& path) : path_(path), outer_(innermost) { innermost = this; }

PathScope::~PathScope() { innermost = outer_; }

const SharedPath& current_shared_path() {
  static const SharedPath* const outside = new SharedPath;  // errors may be thrown until the very end
  return innermost == nullptr ? *outside : innermost->path();
}

const std::string& current_module_path() { return text_of(current_shared_path()); }

const std::string& text_of(const SharedPath& path) {
  static const std::string* const outside = new std::string;  // as above
  return path == nullptr ? *outside : *path;
}

void ModuleScope::step(std::string_view name, const Tensor& value) const {
  if (OpenObservers::any()) OpenObservers::report_step(*scope_.path() + "." + std::string(name), value);
}

bool ModuleScope::wants_steps() { return OpenObservers::want_steps(); }

std::int64_t ModuleScope::bound(const Dim& dim, std::size_t binding_count) const {
  if (dim.size >= 0) return dim.size;
  for (std::size_t i = 0; i < binding_count; ++i) {
    if (bindings_[i].first == dim.name) return bindings_[i].second;
  }
  return -1;
}

void ModuleScope::check(std::string_view tensor_name, const Tensor& tensor, std::span<const Dim> dims,
                        std::span<std::int64_t> sizes) {
  const Shape& shape = tensor.shape();
  const bool any_front = !dims.empty() && dims.front().name == "...";
  const int named = static_cast<int>(dims.size()) - (any_front ? 1 : 0);
  const std::size_t bound_before = bindings_.size();

  // "x is (4, 8, 16), expected (B, T, C=32): …". Sizes stand behind names that came with one, were bound by
  // an earlier tensor, or are the reason.
  const auto fail = [&](const std::string& reason, std::string_view culprit) {
    std::string expected;
    for (const Dim& dim : dims) {
      if (!expected.empty()) expected += ", ";
      expected += dim.name;
      const std::int64_t size = bound(dim, dim.name == culprit ? bindings_.size() : bound_before);
      if (size >= 0) expected += "=" + std::to_string(size);
    }
    Bindings before;
    for (std::size_t i = 0; i < bound_before; ++i) before.push_back(bindings_[i]);
    bindings_ = before;
    throw ShapeError(std::string(tensor_name) + " is " + (tensor.defined() ? to_string(shape) : "undefined") +
                     ", expected (" + expected + (dims.size() == 1 ? ",)" : ")") + reason);
  };

  if (!tensor.defined()) fail("", "");
  if (any_front ? shape.rank() < named : shape.rank() != named) {
    fail(": rank " + std::to_string(shape.rank()) + ", not " + std::to_string(named) +
             (any_front ? " or more" : ""),
         "");
  }
  const int lead = shape.rank() - named;
  if (any_front) {
    sizes[0] = 1;
    for (int axis = 0; axis < lead; ++axis) sizes[0] *= shape[axis];
  }
  for (int axis = lead; axis < shape.rank(); ++axis) {
    const auto i = static_cast<std::size_t>(axis - lead) + (any_front ? 1 : 0);
    const std::int64_t expected = bound(dims[i], bindings_.size());
    sizes[i] = shape[axis];
    if (expected >= 0 && expected != shape[axis]) {
      fail(": dimension " + std::to_string(axis) + " (" + std::string(dims[i].name) + ") is " +
               std::to_string(shape[axis]) + ", not " + std::to_string(expected),
           dims[i].name);
    }
    if (expected < 0 || dims[i].size >= 0) bindings_.push_back({dims[i].name, shape[axis]});
  }
}

}  // namespace wick
