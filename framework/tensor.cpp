#include <algorithm>
#include <array>
#include <string>

#include <wick/framework/convert.h>
#include <wick/framework/copy.h>
#include <wick/framework/error.h>
#include <wick/framework/strided.h>
#include <wick/framework/tensor.h>

namespace wick {
namespace {

[[noreturn]] void refuse_bytes(const Shape& shape, DType dtype) {
  throw ShapeError("the bytes of a " + to_string(shape) + " tensor of " + std::string(name(dtype)) +
                   " overflow a 64-bit integer");
}

// Copies the elements of one layout into another of the same shape.
template <Element To, Element From>
void copy_elements(const Shape& shape, To* to, const Strides& to_strides, const From* from,
                   const Strides& from_strides) {
  if constexpr (std::is_same_v<To, From>) {
    copy_strided(shape, to, to_strides, from, from_strides);
  } else {
    for_each_row<2>(shape, {to_strides, from_strides}, [&](auto offsets, std::int64_t n, auto steps) {
      To* out = to + offsets[0];
      const From* in = from + offsets[1];
      for (std::int64_t i = 0; i < n; ++i) out[i * steps[0]] = convert<To>(in[i * steps[1]]);
    });
  }
}

}  // namespace

Tensor::Tensor(const Shape& shape, DType dtype)
    : shape_(shape), numel_(shape.numel()), strides_(row_major(shape)), dtype_(dtype) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(numel_, static_cast<std::int64_t>(item_size(dtype)), &bytes)) {
    refuse_bytes(shape, dtype);
  }
  storage_ = StorageHandle(static_cast<std::size_t>(bytes));
}

bool Tensor::is_contiguous() const {
  if (numel_ == 0) return true;
  std::int64_t expected = 1;
  const std::int64_t* stride = strides_.end();
  for (const std::int64_t* size = shape_.end(); size != shape_.begin();) {
    --size;
    --stride;
    if (*size != 1 && *stride != expected) return false;
    expected *= *size;
  }
  return true;
}

void Tensor::require_defined() const {
  if (!defined()) throw TypeError("an undefined tensor has no elements to read or write");
}

void Tensor::refuse_type(DType wanted) const {
  require_defined();
  throw TypeError("elements of a tensor of " + std::string(name(dtype_)) + " asked for as " +
                  std::string(name(wanted)) + "; to(" + std::string(name(wanted)) + ") converts them");
}

void Tensor::require_contiguous() const {
  if (!is_contiguous()) {
    throw ShapeError("a span of a tensor of shape " + to_string(shape_) + " with strides " +
                     to_string(strides_) + ", which is not contiguous; contiguous() makes it so");
  }
}

std::int64_t Tensor::offset_of(Position position) const {
  require_defined();
  if (position.size() != static_cast<std::size_t>(rank())) {
    throw IndexError("a position of " + std::to_string(position.size()) + " indices in a tensor of shape " +
                     to_string(shape_) + ", which has rank " + std::to_string(rank()));
  }
  std::int64_t offset = 0;
  int axis = 0;
  for (std::int64_t index : position) {
    const std::int64_t size = shape_[axis];
    if (index < -size || index >= size) {
      throw IndexError("position " + to_string(Dimensions(position)) + " in a tensor of shape " +
                       to_string(shape_) + ": index " + std::to_string(index) + " is outside dimension " +
                       std::to_string(axis) + " of size " + std::to_string(size));
    }
    offset += (index < 0 ? index + size : index) * strides_[axis++];
  }
  return offset;
}

template <Element T>
T Tensor::item() const {
  require_defined();
  if (numel_ != 1) {
    throw ShapeError("item() of a tensor of shape " + to_string(shape_) + ", which has " +
                     std::to_string(numel_) + " elements, not one");
  }
  return visit_dtype(dtype_, [&]<typename From>() { return convert<T>(*data<From>()); });
}

template <Element T>
T Tensor::at(Position position) const {
  const std::int64_t offset = offset_of(position);
  return visit_dtype(dtype_, [&]<typename From>() { return convert<T>(data<From>()[offset]); });
}

template <Element T>
std::vector<T> Tensor::to_vector() const {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(numel_));
  visit_dtype(dtype_, [&]<typename From>() {
    const From* from = data<From>();
    for_each_row<1>(shape_, {strides_}, [&](auto offsets, std::int64_t n, auto steps) {
      for (std::int64_t i = 0; i < n; ++i) result.push_back(convert<T>(from[offsets[0] + i * steps[0]]));
    });
  });
  return result;
}

template <Element T>
std::span<const T> Tensor::span() const {
  const T* first = data<T>();
  require_contiguous();
  return {first, static_cast<std::size_t>(numel_)};
}

template <Element T>
std::span<T> Tensor::mutable_span() {
  if (!has_type(dtype_of<T>)) refuse_type(dtype_of<T>);
  require_contiguous();
  return {mutable_data<T>(), static_cast<std::size_t>(numel_)};
}

#define WICK_ELEMENT_ACCESS(T)                          \
  template T Tensor::item<T>() const;                   \
  template T Tensor::at<T>(Position) const;             \
  template std::vector<T> Tensor::to_vector<T>() const; \
  template std::span<const T> Tensor::span<T>() const;  \
  template std::span<T> Tensor::mutable_span<T>()
WICK_ELEMENT_ACCESS(float);
WICK_ELEMENT_ACCESS(double);
WICK_ELEMENT_ACCESS(std::int64_t);
WICK_ELEMENT_ACCESS(bool);
#undef WICK_ELEMENT_ACCESS

void Tensor::set(Position position, Number value) {
  const std::int64_t offset = offset_of(position);
  visit_dtype(dtype_, [&]<typename T>() { mutable_data<T>()[offset] = value.to<T>(); });
}

void Tensor::fill(Number value) {
  visit_dtype(dtype_, [&]<typename T>() {
    T* out = mutable_data<T>();
    const T converted = value.to<T>();
    for_each_row<1>(shape_, {strides_}, [&](auto offsets, std::int64_t n, auto steps) {
      for (std::int64_t i = 0; i < n; ++i) out[offsets[0] + i * steps[0]] = converted;
    });
  });
}

void Tensor::copy_from(const Tensor& source) {
  require_defined();
  source.require_defined();
  if (!(source.shape_ == shape_)) {
    throw ShapeError("copy_from: a source of shape " + to_string(source.shape_) + " into a tensor of shape " +
                     to_string(shape_));
  }
  for (int axis = 0; axis < rank() && numel_ > 0; ++axis) {
    if (strides_[axis] == 0 && shape_[axis] > 1) {
      throw ShapeError("copy_from: into a tensor of shape " + to_string(shape_) + " with strides " +
                       to_string(strides_) + ", which repeats its elements");
    }
  }
  // Overlapping views, a matrix and its transpose for one, are copied by way of other memory.
  const Tensor from = shares_storage(source) ? source.clone() : source;
  visit_dtype(dtype_, [&]<typename To>() {
    visit_dtype(from.dtype_, [&]<typename From>() {
      copy_elements(shape_, mutable_data<To>(), strides_, from.data<From>(), from.strides_);
    });
  });
}

Tensor Tensor::contiguous() const& {
  if (defined() && !is_contiguous()) return Tensor(*this).contiguous();
  return *this;
}

Tensor Tensor::contiguous() && {
  if (defined() && !is_contiguous()) {
    Tensor copy = clone();
    copy.node_ = std::move(node_);
    return copy;
  }
  return std::move(*this);
}

Tensor Tensor::clone() const {
  require_defined();
  Tensor copy(shape_, dtype_);
  visit_dtype(dtype_, [&]<typename T>() {
    copy_strided(shape_, copy.mutable_data<T>(), copy.strides_, data<T>(), strides_);
  });
  return copy;
}

Tensor Tensor::to(DType dtype) const {
  require_defined();
  if (dtype == dtype_) return *this;
  Tensor copy(shape_, dtype);
  copy.copy_from(*this);
  return copy;
}

Tensor Tensor::detach() const { return {storage_, shape_, strides_, offset_, numel_, dtype_}; }

Tensor Tensor::strided_view(const Shape& shape, const Strides& strides, std::int64_t offset) const {
  require_defined();
  if (strides.rank() != shape.rank()) {
    throw ShapeError("a view of shape " + to_string(shape) + " with strides " + to_string(strides) +
                     ": one stride for each dimension is needed");
  }
  Tensor view(storage_, shape, strides, offset_, shape.numel(), dtype_);
  if (view.numel_ == 0) return view;  // it reaches nothing, whatever its strides and offset

  std::int64_t first = 0;
  bool fits = !__builtin_add_overflow(offset_, offset, &first);
  std::int64_t last = first;
  view.offset_ = first;
  const std::int64_t* stride = strides.begin();
  for (const std::int64_t size : shape) {
    std::int64_t reach = 0;
    fits = fits && !__builtin_mul_overflow(size - 1, *stride++, &reach);
    std::int64_t& end = reach < 0 ? first : last;
    fits = fits && !__builtin_add_overflow(end, reach, &end);
  }
  const auto held = static_cast<std::int64_t>(storage_->bytes() / item_size(dtype_));
  if (!fits || first < 0 || last >= held) {
    throw IndexError("a view of shape " + to_string(shape) + " with strides " + to_string(strides) +
                     ", from element " + std::to_string(offset) + " on, reaches outside of a storage of " +
                     std::to_string(held));
  }
  return view;
}

bool Tensor::is_same(const Tensor& other) const {
  return storage_ == other.storage_ && offset_ == other.offset_ && dtype_ == other.dtype_ &&
         shape_ == other.shape_ && strides_ == other.strides_;
}

bool Tensor::is_sole_owner() const {
  return defined() && storage_.is_only() && is_contiguous() &&
         static_cast<std::size_t>(numel_) * item_size(dtype_) == storage_->bytes();
}

std::int64_t byte_count(const Tensor& tensor) {
  std::int64_t elements = 1;
  for (int axis = 0; axis < tensor.rank(); ++axis) {
    const bool is_repeated = tensor.strides()[axis] == 0 && tensor.shape()[axis] > 0;
    elements *= is_repeated ? 1 : tensor.shape()[axis];
  }
  return tensor.defined() ? elements * static_cast<std::int64_t>(item_size(tensor.dtype())) : 0;
}

}  // namespace wick
