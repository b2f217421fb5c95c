#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <wick/framework/small_vector.h>
#include <wick/framework/tensor.h>

namespace wick {

class Module;

/// The path of a module, shared with the graph nodes that were made under it: they may outlive the module.
/// Null is outside of any module.
using SharedPath = std::shared_ptr<const std::string>;

/// "" for null.
const std::string& text_of(const SharedPath& path);

/// One expected dimension: a name, a name with its size, or "..." (at the front only) for any number of
/// dimensions.
struct Dim {
  Dim(const char* dimension) : name(dimension) {}
  Dim(std::string_view dimension, std::int64_t expected) : name(dimension), size(expected) {}

  std::string_view name;
  std::int64_t size = -1;  ///< -1: whatever comes, but the same wherever the name stands
};

/// Says where the computation on this thread belongs, from its construction to its destruction: errors thrown
/// meanwhile begin with the path, and graph nodes and observers carry it. Modules open a ModuleScope instead;
/// backward opens one of these with a node's path.
class PathScope {
 public:
  explicit PathScope(const Module& module);
  /// `path` must outlive the scope.
  explicit PathScope(const SharedPath& path);
  explicit PathScope(const SharedPath&& path) = delete;
  ~PathScope();
  PathScope(const PathScope&) = delete;
  PathScope& operator=(const PathScope&) = delete;

  const SharedPath& path() const { return path_; }

 private:
  const SharedPath& path_;
  const PathScope* outer_;
};

/// The path of the module that computes on this thread, "" outside of any.
const std::string& current_module_path();

/// The same, for who keeps it.
const SharedPath& current_shared_path();

/// Says which module computes here, and asserts the shapes of one call. Open from its construction to its
/// destruction, on this thread; the first line of every forward:
///
///     ModuleScope scope(*this);
///     auto [B, T, C] = scope.expect("x", x, {"B", "T", {"C", n_embd_}});
class ModuleScope {
 public:
  explicit ModuleScope(const Module& module) : scope_(module) {}

  /// Checks a tensor's shape, always, in release builds too, and returns its sizes in order; for "..." the
  /// number of elements that it stands for. A name binds to the size it first meets: it means the same size
  /// in every tensor of this scope. The names must outlive the scope (literals do).
  ///
  /// Throws ShapeError in the form
  ///     head: x is (4, 8, 16), expected (B, T, C=32): dimension 2 (C) is 16, not 32
  template <std::size_t N>
  std::array<std::int64_t, N> expect(std::string_view tensor_name, const Tensor& tensor,
                                     const Dim (&dims)[N]) {
    std::array<std::int64_t, N> sizes{};
    check(tensor_name, tensor, dims, sizes);
    return sizes;
  }

  /// Reports a named value to the observers, as "<module path>.<name>".
  void step(std::string_view name, const Tensor& value) const;

  /// True where an observer wants the module to compute step by step.
  static bool wants_steps();

 private:
  void check(std::string_view tensor_name, const Tensor& tensor, std::span<const Dim> dims,
             std::span<std::int64_t> sizes);
  /// The size that a dimension must have by its own word or by the first `binding_count` bindings; -1 where
  /// it is free.
  std::int64_t bound(const Dim& dim, std::size_t binding_count) const;

  using Bindings = SmallVector<std::pair<std::string_view, std::int64_t>, 8>;

  PathScope scope_;
  Bindings bindings_;
};

}  // namespace wick
