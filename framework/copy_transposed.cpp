#include <algorithm>
#include <cstdint>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <wick/framework/copy_transposed.h>

namespace wick {
namespace {

// A transpose of this many bytes is stored past the caches: it would not be in the second level when it is
// read, and lines to be overwritten would be read first (1024 x 1024 floats took 2.5 times as long without).
constexpr std::int64_t kStreamed = std::int64_t{2} << 20;

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

// Sends for the lines of a square and of its place.
template <typename T>
void prefetch_square(const Transpose& m, const T* to, const T* from, std::int64_t I, std::int64_t J) {
  for (std::int64_t i = 0; i < I; ++i) __builtin_prefetch(from + i * m.from_i);
  for (std::int64_t j = 0; j < J; ++j) __builtin_prefetch(to + j * m.to_j, 1);
}

// Rows [begin, end) of `from`, in strips of its columns. Where nothing is streamed, strips are narrow, so
// that their lines of `to` are still near when the next rows go there, and those rows are sent for meanwhile.
// Else they are as long as a page, and the processor follows 16 rows by itself: at 4096 x 4096 a quarter of
// that took a tenth longer, and so did sending for rows (Sapphire Rapids).
template <bool squares, bool streams, typename T>
void copy_matrix(const Transpose& m, T* to, const T* from, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t side = kSquare<T>;
  constexpr std::int64_t strip = side * (streams ? 64 : 4);
  for (std::int64_t strip_begin = 0; strip_begin < m.J; strip_begin += strip) {
    const std::int64_t strip_end = std::min(m.J, strip_begin + strip);
    for (std::int64_t i = begin; i < end; i += side) {
      const std::int64_t I = std::min(side, end - i);
      for (std::int64_t j = strip_begin; j < strip_end; j += side) {
        const std::int64_t J = std::min(side, strip_end - j);
        T* out = to + i * m.to_i + j * m.to_j;
        const T* in = from + i * m.from_i + j * m.from_j;
        if constexpr (squares) {
          if (!streams && i + side < end) {
            prefetch_square(m, out + side, in + side * m.from_i, std::min(side, end - i - side), J);
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
#ifdef __SSE2__
  if (streams) _mm_sfence();  // what was streamed is seen by all
#endif
}

}  // namespace

template <Element T>
void copy_transposed(const Transpose& m, T* to, const T* from, std::int64_t begin, std::int64_t end,
                     std::int64_t bytes) {
  if constexpr (kHasSquares<T>) {
    if (m.to_i == 1 && m.from_j == 1) {
      if (bytes >= kStreamed && can_be_streamed(m, to)) {
        return copy_matrix<true, true>(m, to, from, begin, end);
      }
      return copy_matrix<true, false>(m, to, from, begin, end);
    }
  }
  copy_matrix<false, false>(m, to, from, begin, end);
}

#define WICK_COPY(T) \
  template void copy_transposed<T>(const Transpose&, T*, const T*, std::int64_t, std::int64_t, std::int64_t)
WICK_COPY(float);
WICK_COPY(double);
WICK_COPY(std::int64_t);
WICK_COPY(bool);
#undef WICK_COPY

}  // namespace wick
