#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <wick/framework/copy.h>
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

// A transpose of this many bytes is stored past the caches: it would not be in the second level when it is
// read, and lines to be overwritten would be read first (1024 x 1024 floats took 2.5 times as long without).
constexpr std::int64_t kStreamed = std::int64_t{2} << 20;

// What is left when the nearest axes of both sides differ: matrices, of which element (i, j) stands at
// i * to_i + j * to_j in `to` and at i * from_i + j * from_j in `from`. |to_i| and |from_j| are the small
// steps.
struct Transpose {
  std::int64_t I, J;
  std::int64_t to_i, to_j;
  std::int64_t from_i, from_j;
};

// Squares of one cache line a side: of `to`, as of `from`, whole lines are met at once.
template <typename T>
constexpr std::int64_t kSquare = 64 / sizeof(T);

template <typename T>
void copy_plainly(const Transpose& m, T* to, const T* from, std::int64_t I, std::int64_t J) {
  for (std::int64_t j = 0; j < J; ++j) {
    for (std::int64_t i = 0; i < I; ++i) to[i * m.to_i + j * m.to_j] = from[i * m.from_i + j * m.from_j];
  }
}

#ifdef __SSE2__
template <bool streams>
void store(float* to, __m128 x) {
  streams ? _mm_stream_ps(to, x) : _mm_storeu_ps(to, x);
}
template <bool streams>
void store(double* to, __m128d x) {
  streams ? _mm_stream_pd(to, x) : _mm_storeu_pd(to, x);
}

// A square in memory, both small steps 1. Streamed, every line of `to` is written in one go, so that it
// leaves the processor whole; else a few rows of `from` are, which fit into the registers.
template <bool streams>
void copy_square(const Transpose& m, float* to, const float* from) {
  constexpr int side = 16;
  constexpr int rows = streams ? side : 4;
  for (int first = 0; first < side; first += rows) {
    for (int j = 0; j < side; j += 4) {
      __m128 x[rows];
      for (int i = 0; i < rows; ++i) x[i] = _mm_loadu_ps(from + (first + i) * m.from_i + j);
      for (int i = 0; i < rows; i += 4) _MM_TRANSPOSE4_PS(x[i], x[i + 1], x[i + 2], x[i + 3]);
      for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < rows; i += 4) store<streams>(to + first + i + (j + k) * m.to_j, x[i + k]);
      }
    }
  }
}

template <bool streams>
void copy_square(const Transpose& m, double* to, const double* from) {
  constexpr int side = 8;
  constexpr int rows = streams ? side : 2;
  for (int first = 0; first < side; first += rows) {
    for (int j = 0; j < side; j += 2) {
      __m128d x[rows];
      for (int i = 0; i < rows; ++i) x[i] = _mm_loadu_pd(from + (first + i) * m.from_i + j);
      double* out = to + first + j * m.to_j;
      for (int i = 0; i < rows; i += 2) store<streams>(out + i, _mm_unpacklo_pd(x[i], x[i + 1]));
      for (int i = 0; i < rows; i += 2) store<streams>(out + i + m.to_j, _mm_unpackhi_pd(x[i], x[i + 1]));
    }
  }
}

template <typename T>
bool can_be_streamed(const Transpose& m, const T* to) {
  return m.to_j % kSquare<T> == 0 && reinterpret_cast<std::uintptr_t>(to) % 64 == 0;
}
#endif

template <typename T>
constexpr bool kHasSquares =
#ifdef __SSE2__
    std::is_floating_point_v<T>;
#else
    false;
#endif

// Rows [begin, end) of `from`, in strips of its columns: the rows' lines of a strip stay near until all of
// them are used, and the strip's pages of `to` known. The next rows are sent for while these are turned.
template <bool squares, bool streams, typename T>
void copy_matrix(const Transpose& m, T* to, const T* from, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t side = kSquare<T>;
  constexpr std::int64_t strip = side * (streams ? 16 : 4);
  for (std::int64_t strip_begin = 0; strip_begin < m.J; strip_begin += strip) {
    const std::int64_t strip_end = std::min(m.J, strip_begin + strip);
    for (std::int64_t i = begin; i < end; i += side) {
      const std::int64_t I = std::min(side, end - i);
      for (std::int64_t j = strip_begin; j < strip_end; j += side) {
        const std::int64_t J = std::min(side, strip_end - j);
        T* out = to + i * m.to_i + j * m.to_j;
        const T* in = from + i * m.from_i + j * m.from_j;
        if constexpr (squares) {
          const std::int64_t next = std::min(side, end - i - side);
          for (std::int64_t k = 0; k < next; ++k) __builtin_prefetch(in + (side + k) * m.from_i);
          if (!streams && next > 0) {
            for (std::int64_t k = 0; k < J; ++k) __builtin_prefetch(out + side + k * m.to_j, 1);
          }
          if (I == side && J == side) {
            copy_square<streams>(m, out, in);
            continue;
          }
        }
        copy_plainly(m, out, in, I, J);
      }
    }
  }
}

template <typename T>
void copy_rows_of_matrix(const Transpose& m, T* to, const T* from, std::int64_t begin, std::int64_t end,
                         bool is_large) {
  if constexpr (kHasSquares<T>) {
    if (m.to_i == 1 && m.from_j == 1) {
      if (is_large && can_be_streamed(m, to)) return copy_matrix<true, true>(m, to, from, begin, end);
      return copy_matrix<true, false>(m, to, from, begin, end);
    }
  }
  copy_matrix<false, false>(m, to, from, begin, end);
}

// The last axis is the nearest one of `to`, `nearest` that of `from`.
template <typename T>
void copy_matrices(Walk walk, int nearest, T* to, const T* from) {
  const int last = walk.shape.rank() - 1;
  const Transpose m = {walk.shape[last], walk.shape[nearest], walk.to(last),
                       walk.to(nearest), walk.from(last),     walk.from(nearest)};
  const bool is_large = walk.shape.numel() * static_cast<std::int64_t>(sizeof(T)) >= kStreamed;
  remove_axis(walk, last);
  remove_axis(walk, nearest);
  const std::int64_t matrices = walk.shape.numel();
  // Rows are handed out by squares, those of all matrices in a row.
  const std::int64_t squares = (m.I - 1) / kSquare<T> + 1;
  const std::int64_t grain = (kCopiesPerPiece - 1) / (kSquare<T> * m.J) + 1;
  parallel_for(matrices * squares, grain, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t first = begin % squares;
      const std::int64_t count = std::min(squares - first, end - begin);
      T* out = to;
      const T* in = from;
      std::int64_t matrix = begin / squares;
      for (int axis = walk.shape.rank() - 1; axis >= 0; --axis) {
        out += matrix % walk.shape[axis] * walk.to(axis);
        in += matrix % walk.shape[axis] * walk.from(axis);
        matrix /= walk.shape[axis];
      }
      copy_rows_of_matrix(m, out, in, first * kSquare<T>, std::min(m.I, (first + count) * kSquare<T>),
                          is_large);
      begin += count;
    }
#ifdef __SSE2__
    _mm_sfence();  // what was streamed is seen by all
#endif
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
