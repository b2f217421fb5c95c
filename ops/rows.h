#pragma once

// From views to rows: kernels take rows whose elements stand side by side (step 1) or are one repeated value
// (step 0).

#include <algorithm>
#include <array>
#include <cstdint>

#include <wick/framework/strided.h>
#include <wick/framework/tensor.h>
#include <wick/framework/threads.h>
#include <wick/ops/pieces.h>

namespace wick {

/// Elements of one operand along a row, as kernels take them.
template <typename T>
struct RowPiece {
  const T* data;
  std::int64_t step;  ///< 0 or 1
};

/// Reads an operand's rows piece by piece, gathering elements that stand apart into a small buffer of its
/// own.
template <typename T>
class RowReader {
 public:
  /// So that a gathered piece of any operand stays in the first-level cache.
  static constexpr std::int64_t kGathered = 256;

  explicit RowReader(const Tensor& tensor) : first_(tensor.data<T>()) {}

  static bool needs_gathering(std::int64_t step) { return step != 0 && step != 1; }

  /// Elements [start, start + count) of the row at `offset` with `step`; count <= kGathered where that needs
  /// gathering.
  RowPiece<T> piece(std::int64_t offset, std::int64_t step, std::int64_t start, std::int64_t count) {
    const T* first = first_ + offset + start * step;
    if (!needs_gathering(step)) return {first, step};
    for (std::int64_t i = 0; i < count; ++i) buffer_[static_cast<std::size_t>(i)] = first[i * step];
    return {buffer_.data(), 1};
  }

 private:
  const T* first_;
  std::array<T, kGathered> buffer_;
};

/// Runs kernel(a piece, b piece, out, count) over every element of out's shape, to which a and b broadcast.
/// `out` is contiguous. Element on element only: the pieces' borders are arbitrary, and several threads may
/// share the pieces.
template <typename A, typename B, typename Out, typename Kernel>
void for_each_piece(const Tensor& a, const Tensor& b, Tensor& out, Kernel&& kernel) {
  const Shape& shape = out.shape();
  if (a.shape() == shape && b.shape() == shape && a.is_contiguous() && b.is_contiguous()) {
    const A* a_first = a.data<A>();
    const B* b_first = b.data<B>();
    Out* first = out.mutable_data<Out>();
    return parallel_for(out.numel(), kElementsPerPiece, [&](std::int64_t begin, std::int64_t end) {
      kernel(RowPiece<A>{a_first + begin, 1}, RowPiece<B>{b_first + begin, 1}, first + begin, end - begin);
    });
  }
  const std::array<Strides, 3> strides = {out.strides(), broadcast_strides(a.shape(), a.strides(), shape),
                                          broadcast_strides(b.shape(), b.strides(), shape)};
  Out* first = out.mutable_data<Out>();
  parallel_for(out.numel(), kElementsPerPiece, [&](std::int64_t begin, std::int64_t end) {
    RowReader<A> a_rows(a);
    RowReader<B> b_rows(b);
    for_each_row<3>(shape, strides, begin, end, [&](auto offsets, std::int64_t n, auto steps) {
      const bool gathers =
          n > 1 && (RowReader<A>::needs_gathering(steps[1]) || RowReader<B>::needs_gathering(steps[2]));
      const std::int64_t most = gathers ? RowReader<A>::kGathered : n;
      for (std::int64_t start = 0; start < n; start += most) {
        const std::int64_t count = std::min(most, n - start);
        kernel(a_rows.piece(offsets[1], steps[1], start, count),
               b_rows.piece(offsets[2], steps[2], start, count), first + offsets[0] + start, count);
      }
    });
  });
}

}  // namespace wick
