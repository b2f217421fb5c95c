#include <algorithm>
#include <string>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>

namespace wick {

Tensor empty(const Shape& shape, DType dtype) { return Tensor(shape, dtype); }

Tensor zeros(const Shape& shape, DType dtype) { return full(shape, 0, dtype); }

Tensor ones(const Shape& shape, DType dtype) { return full(shape, 1, dtype); }

Tensor full(const Shape& shape, Number value, DType dtype) {
  Tensor result(shape, dtype);
  result.fill(value);
  return result;
}

Tensor arange(std::int64_t stop, DType dtype) { return arange(0, stop, 1, dtype); }

Tensor arange(std::int64_t start, std::int64_t stop, std::int64_t step, DType dtype) {
  if (step == 0) throw ValueError("arange: a step of 0 never arrives");
  // In unsigned arithmetic, where the distance between any two int64 fits.
  const bool rises = step > 0;
  const auto distance = rises ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                              : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
  const auto stride = rises ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  const bool is_empty = rises ? stop <= start : stop >= start;
  const std::uint64_t count = is_empty ? 0 : (distance - 1) / stride + 1;
  if (count > static_cast<std::uint64_t>(INT64_MAX)) {
    throw ShapeError("arange: from " + std::to_string(start) + " to " + std::to_string(stop) +
                     " in steps of " + std::to_string(step) +
                     " has more elements than a 64-bit integer counts");
  }
  Tensor result({static_cast<std::int64_t>(count)}, dtype);
  visit_dtype(dtype, [&]<typename T>() {
    std::int64_t next = start;
    for (T& element : result.mutable_span<T>()) {
      element = convert<T>(next);
      static_cast<void>(__builtin_add_overflow(next, step, &next));  // only past the last one
    }
  });
  return result;
}

Shape NestedList::shape() const {
  if (!is_list_) return {};
  Shape result{static_cast<std::int64_t>(items_.size())};
  if (items_.empty()) return result;
  const Shape inner = items_.front().shape();
  for (std::size_t i = 1; i < items_.size(); ++i) {
    if (const Shape other = items_[i].shape(); !(other == inner)) {
      throw ShapeError("tensor: ragged lists: item 0 has shape " + to_string(inner) + ", item " +
                       std::to_string(i) + " has " + to_string(other));
    }
  }
  for (const std::int64_t size : inner) result.push_back(size);
  return result;
}

bool NestedList::has_kind(DType kind) const {
  if (!is_list_) return number_.kind() == kind;
  return !items_.empty() &&
         std::ranges::all_of(items_, [&](const NestedList& item) { return item.has_kind(kind); });
}

template <Element T>
void NestedList::write(T*& out) const {
  if (is_list_) {
    for (const NestedList& item : items_) item.write(out);
  } else {
    *out++ = number_.to<T>();
  }
}

Tensor tensor(const NestedList& numbers, DType dtype) {
  Tensor result(numbers.shape(), dtype);
  visit_dtype(dtype, [&]<typename T>() {
    T* out = result.mutable_data<T>();
    numbers.write(out);
  });
  return result;
}

Tensor tensor(const NestedList& numbers) {
  for (const DType kind : {boolean, int64}) {
    if (numbers.has_kind(kind)) return tensor(numbers, kind);
  }
  return tensor(numbers, float32);
}

namespace {

template <Element T, typename Numbers>
Tensor from_numbers(const Numbers& numbers, const Shape& shape) {
  if (shape.numel() != static_cast<std::int64_t>(numbers.size())) {
    throw ShapeError(std::to_string(numbers.size()) + " numbers for a tensor of shape " + to_string(shape) +
                     ", which has " + std::to_string(shape.numel()) + " elements");
  }
  Tensor result(shape, dtype_of<T>);
  std::copy(numbers.begin(), numbers.end(), result.mutable_data<T>());
  return result;
}

}  // namespace

template <Element T>
Tensor from_span(std::span<const T> numbers, const Shape& shape) {
  return from_numbers<T>(numbers, shape);
}

template <Element T>
Tensor from_vector(const std::vector<T>& numbers, const Shape& shape) {
  return from_numbers<T>(numbers, shape);
}

template <Element T>
Tensor from_vector(const std::vector<T>& numbers) {
  return from_numbers<T>(numbers, {static_cast<std::int64_t>(numbers.size())});
}

#define WICK_FROM_NUMBERS(T)                                      \
  template Tensor from_span<T>(std::span<const T>, const Shape&); \
  template Tensor from_vector<T>(const std::vector<T>&);          \
  template Tensor from_vector<T>(const std::vector<T>&, const Shape&)
WICK_FROM_NUMBERS(float);
WICK_FROM_NUMBERS(double);
WICK_FROM_NUMBERS(std::int64_t);
WICK_FROM_NUMBERS(bool);
#undef WICK_FROM_NUMBERS

}  // namespace wick
