#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/concat.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

void require_one_type(const std::vector<Tensor>& tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].defined() && tensors[i].dtype() == tensors[0].dtype()) continue;
    const std::string input = "tensor " + std::to_string(i);
    require_defined("concat", input, tensors[i]);
    throw TypeError("concat: " + input + " is " + std::string(name(tensors[i].dtype())) + ", the first is " +
                    std::string(name(tensors[0].dtype())));
  }
}

[[noreturn]] void refuse(const Shape& shape, std::size_t place, const Shape& first, const std::string& why) {
  throw ShapeError("concat: tensor " + std::to_string(place) + " is " + to_string(shape) + ", the first " +
                   to_string(first) + ": " + why);
}

void require_fits(const Shape& shape, std::size_t place, const Shape& first, int axis) {
  if (shape.rank() != first.rank()) refuse(shape, place, first, "their ranks differ");
  for (int other = 0; other < first.rank(); ++other) {
    if (other == axis || shape[other] == first[other]) continue;
    refuse(shape, place, first,
           "dimension " + std::to_string(other) + " differs, and the axis is " + std::to_string(axis));
  }
}

// The part [start, start + shape[axis]) of an axis of `whole`.
Tensor part_of(const Tensor& whole, int axis, std::int64_t start, const Shape& shape) {
  return whole.strided_view(shape, whole.strides(), start * whole.strides()[axis]);
}

// Results of so many bytes are written from front to back: tensor by tensor, every page of them would be met
// once for each tensor, which took a seventh longer (1024 rows of twice 2 KiB). Smaller ones stay in the
// caches.
constexpr std::int64_t kLarge = std::int64_t{1} << 20;

// But only where every row of every tensor has so many bytes: a call for each row of 4 bytes took eight times
// as long as copying tensor by tensor, from 64 on it gained.
constexpr std::int64_t kLongRow = 64;

// `rows` is how many pieces the axis leaves of each tensor.
bool is_best_in_turn(const std::vector<Tensor>& tensors, std::int64_t rows, const Tensor& y) {
  const auto item = static_cast<std::int64_t>(item_size(y.dtype()));
  return rows > 1 && y.numel() * item >= kLarge && std::ranges::all_of(tensors, [&](const Tensor& tensor) {
           const std::int64_t row = tensor.numel() / rows * item;
           return tensor.is_contiguous() && (row == 0 || row >= kLongRow);
         });
}

// Row by row of y, each a piece of every tensor. All of them are contiguous.
template <typename T>
void copy_in_turn(const std::vector<Tensor>& tensors, std::int64_t rows, Tensor& y) {
  struct Piece {
    const T* first;
    std::int64_t n;  // of a row
  };
  std::vector<Piece> pieces;
  for (const Tensor& tensor : tensors) {
    if (tensor.numel() > 0) pieces.push_back({tensor.data<T>(), tensor.numel() / rows});
  }
  const std::int64_t n = y.numel() / rows;
  T* const out = y.mutable_data<T>();
  parallel_for(rows, rows_per_piece(kElementsPerPiece, {n}), [&](std::int64_t begin, std::int64_t end) {
    T* to = out + begin * n;
    for (std::int64_t row = begin; row < end; ++row) {
      for (const Piece& piece : pieces) {
        std::memcpy(to, piece.first + row * piece.n, static_cast<std::size_t>(piece.n) * sizeof(T));
        to += piece.n;
      }
    }
  });
}

void copy_one_by_one(const std::vector<Tensor>& tensors, int axis, Tensor& y) {
  std::int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    part_of(y, axis, start, tensor.shape()).copy_from(tensor);
    start += tensor.shape()[axis];
  }
}

// Each tensor's gradient is its part of the result's: a view.
class ConcatNode final : public Node {
 public:
  ConcatNode(const Origin& origin, std::vector<Shape> shapes, int axis)
      : Node(origin), shapes_(std::move(shapes)), axis_(axis) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    std::vector<Tensor> parts;
    parts.reserve(shapes_.size());
    std::int64_t start = 0;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      parts.push_back(needs_gradient(i) ? part_of(gradient, axis_, start, shapes_[i]) : Tensor());
      start += shapes_[i][axis_];
    }
    return parts;
  }

 private:
  std::vector<Shape> shapes_;
  int axis_;
};

}  // namespace

Shape concat_shape(const std::vector<Shape>& shapes, int axis) {
  if (shapes.empty()) throw ValueError("concat: no tensors, expected at least one");
  Shape shape = shapes[0];
  const int joined = normalized_axis("concat", axis, shape.rank());
  shape[joined] = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    require_fits(shapes[i], i, shapes[0], joined);
    if (!__builtin_add_overflow(shape[joined], shapes[i][joined], &shape[joined])) continue;
    throw ShapeError("concat: the sizes along axis " + std::to_string(joined) + " overflow a 64-bit integer");
  }
  static_cast<void>(shape.numel());
  return shape;
}

Tensor concat(const std::vector<Tensor>& tensors, int axis) {
  require_one_type(tensors);
  std::vector<Shape> shapes;
  std::vector<const Tensor*> inputs;
  shapes.reserve(tensors.size());
  inputs.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    shapes.push_back(tensor.shape());
    inputs.push_back(&tensor);
  }
  Tensor y(concat_shape(shapes, axis), tensors.empty() ? float32 : tensors[0].dtype());
  axis = normalized_axis("concat", axis, y.rank());
  std::int64_t rows = 1;
  for (int i = 0; i < axis; ++i) rows *= y.shape()[i];
  if (is_best_in_turn(tensors, rows, y)) {
    visit_dtype(y.dtype(), [&]<typename T>() { copy_in_turn<T>(tensors, rows, y); });
  } else {
    copy_one_by_one(tensors, axis, y);
  }
  return record<ConcatNode>("concat", inputs, std::move(y), std::move(shapes), axis);
}

}  // namespace wick
