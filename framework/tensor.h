#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <wick/framework/convert.h>
#include <wick/framework/dtype.h>
#include <wick/framework/shape.h>
#include <wick/framework/storage.h>

namespace wick {

class Node;

/// A position in a tensor, one index per dimension; negative ones count from the end, as in NumPy.
using Position = std::initializer_list<std::int64_t>;

/// A handle on an array of numbers: shared storage, seen through a shape, strides and an offset.
///
/// Copying a handle copies no elements: both see the same memory, as with a NumPy view, and writing through
/// one shows in the other. Row-major; up to kMaxRank dimensions. A Tensor made without arguments, or moved
/// from, is undefined: it has no storage, and reading or writing its elements throws TypeError.
///
/// Where a gradient is wanted, the handle also holds the node of the graph that made its value (see graph.h).
class Tensor {
 public:
  Tensor() = default;

  /// New memory, row-major, its content undefined. Makers for every other purpose are in makers.h.
  Tensor(const Shape& shape, DType dtype);

  bool defined() const { return static_cast<bool>(storage_); }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  DType dtype() const { return dtype_; }
  int rank() const { return shape_.rank(); }
  std::int64_t numel() const { return numel_; }

  /// The size along an axis; -1 is the last. Throws IndexError.
  std::int64_t size(std::int64_t axis) const { return shape_[normalized_axis("size", axis, rank())]; }

  /// True where the elements lie in memory in row-major order, without gaps.
  bool is_contiguous() const;

  // ---- reading ----

  /// The only element, converted to T. Throws ShapeError where there is not exactly one.
  template <Element T = double>
  T item() const;

  /// The element at a position, converted to T. Throws IndexError for a position outside, or of another rank.
  template <Element T = double>
  T at(Position position) const;

  /// All elements in row-major order, converted to T. Any layout.
  template <Element T>
  std::vector<T> to_vector() const;

  /// The elements themselves. Throws TypeError where T is not the tensor's type, ShapeError where it is not
  /// contiguous (call contiguous() first).
  template <Element T>
  std::span<const T> span() const;

  /// The first element, for use with strides(). Throws TypeError where T is not the tensor's type.
  template <Element T>
  const T* data() const {
    if (!has_type(dtype_of<T>)) refuse_type(dtype_of<T>);
    return reinterpret_cast<const T*>(bytes());
  }

  // ---- writing: shows in every handle and view of the same storage, and counts as a new version of it ----

  template <Element T>
  std::span<T> mutable_span();

  template <Element T>
  T* mutable_data() {
    if (!has_type(dtype_of<T>)) refuse_type(dtype_of<T>);
    storage_->written();
    return reinterpret_cast<T*>(bytes());
  }

  /// Converts `value` to the tensor's type. Throws IndexError as at().
  void set(Position position, Number value);

  /// Every element becomes `value`, converted.
  void fill(Number value);

  /// Copies the elements of `source`, converting their type. Throws ShapeError where the shapes differ, or
  /// where this tensor is expanded and so has one element in several places. The two may overlap.
  void copy_from(const Tensor& source);

  // ---- other handles on the same values ----

  /// The same tensor, copied only if it is not contiguous. Keeps its place in the graph.
  Tensor contiguous() const&;
  Tensor contiguous() &&;

  /// A contiguous copy of its own, outside the graph.
  Tensor clone() const;

  /// A copy with elements of another type, outside the graph; the tensor itself where it has that type
  /// already. Floats go to int64 towards zero, NaN to the smallest; to boolean, everything but 0 is true.
  Tensor to(DType dtype) const;

  /// The same memory, outside the graph.
  Tensor detach() const;

  /// The same memory with another shape, strides and offset (in elements, from this tensor's first), outside
  /// the graph: what the view ops (transpose, reshape, slice, expand) are made of. Throws ShapeError where
  /// there is not one stride per dimension, IndexError where it would reach outside the storage.
  Tensor strided_view(const Shape& shape, const Strides& strides, std::int64_t offset = 0) const;

  /// True where both are handles on the same elements in the same layout: what makes a shared parameter one
  /// parameter.
  bool is_same(const Tensor& other) const;

  /// True where both stand on one storage.
  bool shares_storage(const Tensor& other) const { return defined() && storage_ == other.storage_; }

  /// True where no other handle is on this storage, and this one sees all of it in row-major order: what is
  /// written here shows nowhere else.
  bool is_sole_owner() const;

  /// The storage's count of writes (see Storage::version); 0 without storage.
  std::uint32_t version() const { return defined() ? storage_->version() : 0; }

  // ---- gradients (graph.h has the rest) ----

  /// True where backward will reach this tensor: it was marked, or made by an op from one that was.
  bool requires_grad() const { return node_ != nullptr; }

  /// Marks this handle, and copies made of it from now on, as a leaf that collects a gradient; or unmarks it.
  /// Throws TypeError unless floating, GraphError where the tensor is the result of an op.
  void set_requires_grad(bool on);

  /// The gradient that backward has collected so far, in this tensor's shape and type; undefined where there
  /// is none. Throws GraphError where this is not a leaf.
  Tensor grad() const;

  /// Forgets the gradient.
  void zero_grad();

  /// Differentiates this one-element tensor with respect to every leaf it was computed from, adding to their
  /// gradients. Frees the graph, unless `retain_graph`. Throws GraphError where it requires no gradient, has
  /// more than one element (give the gradient of the output then), or its graph was freed. Two threads may
  /// not differentiate at once what shares a leaf, or any other node.
  void backward(bool retain_graph = false) const;

  /// The same for a tensor of any shape, weighed with `gradient` (its shape and type).
  void backward(const Tensor& gradient, bool retain_graph = false) const;

  /// The node that made this value; null where no gradient is wanted.
  const std::shared_ptr<Node>& node() const { return node_; }

  /// For record() in graph.h.
  void set_node(std::shared_ptr<Node> node) { node_ = std::move(node); }

 private:
  /// A view, outside the graph.
  Tensor(const StorageHandle& storage, const Shape& shape, const Strides& strides, std::int64_t offset,
         std::int64_t numel, DType dtype)
      : storage_(storage), shape_(shape), numel_(numel), strides_(strides), offset_(offset), dtype_(dtype) {}

  std::byte* bytes() const {
    return storage_->data() + offset_ * static_cast<std::int64_t>(item_size(dtype_));
  }
  std::int64_t offset_of(Position position) const;
  bool has_type(DType wanted) const { return defined() && dtype_ == wanted; }
  void require_defined() const;
  [[noreturn]] void refuse_type(DType wanted) const;
  void require_contiguous() const;

  StorageHandle storage_;
  std::shared_ptr<Node> node_;
  Shape shape_;
  std::int64_t numel_ = 0;  // before the strides: they are computed once it is known to fit
  Strides strides_;
  std::int64_t offset_ = 0;
  DType dtype_ = DType::float32;
};

/// The bytes that the elements take in memory; those that an expanded view repeats are counted once.
std::int64_t byte_count(const Tensor& tensor);

}  // namespace wick
