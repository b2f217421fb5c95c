#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <wick/framework/copy.h>
#include <wick/framework/copy_transposed.h>
#include <wick/framework/strided.h>
#include <wick/framework/threads.h>

namespace wick {
namespace {

// How many elements are worth a thread of their own when they are copied: where one of two layouts is a
// transpose, a quarter was; in a row, two threads copied half as many no sooner than one.
constexpr std::int64_t kCopiesPerPiece = 1 << 15;

// Two layouts of one shape, axes in the order in which `to` stands in memory, joined where both allow it.
struct Walk {
  Shape shape;
  std::array<Strides, 2> strides;  // of to, of from

  std::int64_t to(int axis) const { return strides[0][axis]; }
  std::int64_t from(int axis) const { return strides[1][axis]; }
};

Walk walk_of(const Shape& shape, const Strides& to, const Strides& from) {
  std::array<int, kMaxRank> order{};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    int place = axis;  // insertion keeps axes of one step in their order
    for (; place > 0; --place) {
      const int before = order[static_cast<std::size_t>(place - 1)];
      if (std::abs(to[before]) >= std::abs(to[axis])) break;
      order[static_cast<std::size_t>(place)] = before;
    }
    order[static_cast<std::size_t>(place)] = axis;
  }
  Walk walk;
  for (int place = 0; place < shape.rank(); ++place) {
    const int axis = order[static_cast<std::size_t>(place)];
    walk.shape.push_back(shape[axis]);
    walk.strides[0].push_back(to[axis]);
    walk.strides[1].push_back(from[axis]);
  }
  coalesce(walk.shape, walk.strides);
  return walk;
}

// The axis along which `from` has its neighbours: the last one, where nothing is nearer.
int nearest_axis(const Walk& walk) {
  int nearest = walk.shape.rank() - 1;
  if (walk.from(nearest) == 0) return nearest;  // one value, repeated
  for (int axis = nearest - 1; axis >= 0; --axis) {
    const std::int64_t step = std::abs(walk.from(axis));
    if (step != 0 && step < std::abs(walk.from(nearest))) nearest = axis;
  }
  return nearest;
}

// A row of whole cache lines, as a head of attention is, costs less than the call that would copy it.
template <typename T>
void copy_row(T* to, const T* from, std::int64_t n) {
  constexpr std::size_t line = 64;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
  if (bytes % line != 0 || bytes > 8 * line) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t i = 0; i < bytes / sizeof(T); i += line / sizeof(T)) std::memcpy(to + i, from + i, line);
}

template <typename T>
void copy_run(T* to, std::int64_t to_step, const T* from, std::int64_t from_step, std::int64_t n) {
  if (to_step == 1 && from_step == 1) {
    copy_row(to, from, n);
  } else {
    for (std::int64_t i = 0; i < n; ++i) to[i * to_step] = from[i * from_step];
  }
}

// Takes an axis out of a walk.
void remove_axis(Walk& walk, int axis) {
  Walk rest;
  for (int other = 0; other < walk.shape.rank(); ++other) {
    if (other == axis) continue;
    rest.shape.push_back(walk.shape[other]);
    for (const std::size_t side : {0, 1}) rest.strides[side].push_back(walk.strides[side][other]);
  }
  walk = rest;
}

// Both sides have their neighbours along the last axis. Threads share rows; few long ones are cut.
template <typename T>
void copy_rows(Walk walk, T* to, const T* from) {
  const int last = walk.shape.rank() - 1;
  const std::int64_t n = walk.shape[last];
  if (last == 0 || n >= kCopiesPerPiece) {
    parallel_for(walk.shape.numel(), kCopiesPerPiece, [&](std::int64_t begin, std::int64_t end) {
      for_each_row<2>(walk.shape, walk.strides, begin, end,
                      [=](const auto& offsets, std::int64_t count, const auto& steps) {
                        copy_run(to + offsets[0], steps[0], from + offsets[1], steps[1], count);
                      });
    });
    return;
  }
  const std::int64_t to_step = walk.to(last);
  const std::int64_t from_step = walk.from(last);
  remove_axis(walk, last);
  parallel_for(walk.shape.numel(), (kCopiesPerPiece - 1) / n + 1, [&](std::int64_t begin, std::int64_t end) {
    for_each_row<2>(walk.shape, walk.strides, begin, end,
                    [=](const auto& offsets, std::int64_t rows, const auto& steps) {
                      for (std::int64_t row = 0; row < rows; ++row) {
                        copy_run(to + offsets[0] + row * steps[0], to_step,
                                 from + offsets[1] + row * steps[1], from_step, n);
                      }
                    });
  });
}

// The last axis is the nearest one of `to`, `nearest` that of `from`.
template <typename T>
void copy_matrices(Walk walk, int nearest, T* to, const T* from) {
  const int last = walk.shape.rank() - 1;
  const Transpose m = {walk.shape[last], walk.shape[nearest], walk.to(last),
                       walk.to(nearest), walk.from(last),     walk.from(nearest)};
  const std::int64_t bytes = walk.shape.numel() * static_cast<std::int64_t>(sizeof(T));
  remove_axis(walk, last);
  remove_axis(walk, nearest);
  const std::int64_t matrices = walk.shape.numel();
  // Rows are handed out by squares, those of all matrices in a row.
  const std::int64_t squares = (m.I - 1) / kSquare<T> + 1;
  const std::int64_t grain = (kCopiesPerPiece - 1) / (kSquare<T> * m.J) + 1;
  parallel_for(matrices * squares, grain, [&](std::int64_t begin, std::int64_t end) {
    for_each_group(begin, end, squares, [&](std::int64_t matrix, std::int64_t first, std::int64_t count) {
      const auto [out, in] = offsets_of(matrix, walk.shape, walk.strides);
      copy_transposed(m, to + out, from + in, first * kSquare<T>, std::min(m.I, (first + count) * kSquare<T>),
                      bytes);
    });
  });
}

}  // namespace

template <Element T>
void copy_strided(const Shape& shape, T* to, const Strides& to_strides, const T* from,
                  const Strides& from_strides) {
  const std::int64_t n = shape.numel();
  if (n == 0) return;
  const Strides in_a_row = row_major(shape);
  if (to_strides == in_a_row && from_strides == in_a_row && n < 2 * kCopiesPerPiece) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    return;
  }
  const Walk walk = walk_of(shape, to_strides, from_strides);
  const int nearest = nearest_axis(walk);
  if (nearest == walk.shape.rank() - 1) {
    copy_rows(walk, to, from);
  } else {
    copy_matrices(walk, nearest, to, from);
  }
}

#define WICK_COPY(T) template void copy_strided<T>(const Shape&, T*, const Strides&, const T*, const Strides&)
WICK_COPY(float);
WICK_COPY(double);
WICK_COPY(std::int64_t);
WICK_COPY(bool);
#undef WICK_COPY

}  // namespace wick
