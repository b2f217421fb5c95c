#pragma once

// The kernels of one instruction set, as pointers to functions. This header knows neither xsimd nor a tensor:
// it is all that the ops see of the loops, and the loops see nothing of wick but this folder.
//
// Common to all of them: sizes may be 0; pointers need no alignment beyond the element's own; exactly the
// elements named are read and written; `out` may be the same memory as an input of the same layout, element
// on element, and else does not overlap it. They neither throw nor allocate.

#include <cstdint>

namespace wick::kernels {

/// A matrix inside a buffer: element (i, j) is data[i * row_stride + j * column_stride]. A transposed view
/// swaps the strides, an expanded one has stride 0.
template <typename T>
struct Matrix {
  const T* data;
  std::int64_t row_stride;
  std::int64_t column_stride;
};

/// A matrix to write: rows contiguous, row_stride apart.
template <typename T>
struct MutableMatrix {
  T* data;
  std::int64_t row_stride;
};

/// A matrix product with what is done to it while it is in registers: out = (a @ b) * factor + bias.
template <typename T>
struct Product {
  std::int64_t M;
  std::int64_t N;
  std::int64_t K;
  Matrix<T> a;  ///< (M, K)
  Matrix<T> b;  ///< (K, N)
  T* out;       ///< (M, N), overlapping neither; row i starts at out + i * out_row_stride
  std::int64_t out_row_stride;
  T factor = 1;             ///< of each sum of products
  const T* bias = nullptr;  ///< N numbers, added after that, or none
  T* workspace = nullptr;   ///< matmul_workspace(M, N, K) elements, or none: it is faster with them
};

/// `step` is the distance between neighbouring operands of one row: 1, or 0 for a value that is broadcast
/// along it.
template <typename T>
using BinaryKernel = void (*)(const T* a, std::int64_t a_step, const T* b, std::int64_t b_step, T* out,
                              std::int64_t n);

/// One head of attention. All sizes may be 0.
template <typename T>
struct AttentionHead {
  std::int64_t Tq;       ///< queries
  std::int64_t Tk;       ///< keys
  std::int64_t hs;       ///< the length of a query and of a key
  std::int64_t vs;       ///< the length of a value
  Matrix<T> query;       ///< (Tq, hs)
  Matrix<T> key;         ///< (Tk, hs)
  Matrix<T> value;       ///< (Tk, vs)
  Matrix<bool> blocked;  ///< (Tq, Tk), true where the weight is 0; data is null where none is
  bool causal;           ///< query i sees keys 0 … i + Tk - Tq alone; Tq <= Tk then
  T scale;               ///< of the scores
};

/// What attention's forward leaves for its backward, a number per query each.
template <typename T>
struct AttentionRows {
  T* shift;  ///< taken off the scores, about the largest; -inf where none is seen
  T* sum;    ///< of exp(score - shift); 0 where every key is blocked
};

/// Where backward writes. No element is another's.
template <typename T>
struct AttentionGradients {
  MutableMatrix<T> query;  ///< (Tq, hs)
  MutableMatrix<T> key;    ///< (Tk, hs)
  MutableMatrix<T> value;  ///< (Tk, vs)
};

/// Rows of logits, and the id of each that is right: what the cross-entropy reads.
template <typename T>
struct CrossEntropy {
  std::int64_t rows;
  std::int64_t n;
  const T* logits;          ///< (rows, n), contiguous
  const std::int64_t* ids;  ///< one a row, in [0, n) or `ignored`
  std::int64_t ignored;     ///< marks a row that counts for nothing
};

/// What its forward leaves for its backward, a number per row each.
template <typename T>
struct CrossEntropyRows {
  T* shift;  ///< the largest logit
  T* sum;    ///< of exp(logit - shift)
};

/// The numbers of one step of AdamW, as PyTorch has them.
template <typename T>
struct AdamW {
  T parameter_kept;  ///< 1 - learning rate * weight decay
  T gradient_scale;  ///< of the gradient, before all else
  T mean_kept;       ///< beta 1
  T mean_added;      ///< 1 - beta 1
  T square_kept;     ///< beta 2
  T square_added;    ///< 1 - beta 2
  T root_scale;      ///< 1 / sqrt(1 - beta 2 to the power of the step)
  T epsilon;
  T step_size;  ///< learning rate / (1 - beta 1 to the power of the step)
};

/// The kernels in one scalar type.
template <typename T>
struct Kernels {
  /// See Product. K = 0 makes every sum 0. Each sum is one chain of (fused) multiply-adds over k = 0 … K-1,
  /// so its bits depend on its row of a, its column of b and K alone; factor and bias are each rounded once
  /// more, as if they were applied to the sums in memory.
  void (*matmul)(const Product<T>& product);

  /// The elements of workspace that a product of these sizes is faster with; 0 where it needs none.
  std::int64_t (*matmul_workspace)(std::int64_t M, std::int64_t N, std::int64_t K);

  /// Each of `rows` contiguous rows of n: exp(x - max) / sum(exp(x - max)). A row with NaN or +inf, or of
  /// -inf only, is NaN throughout, as in NumPy.
  void (*softmax)(const T* x, T* out, std::int64_t rows, std::int64_t n);

  /// The same along the columns of (rows, columns), rows standing row_stride apart in x and out: each column
  /// has the bits that it has as a row.
  void (*softmax_columns)(const T* x, T* out, std::int64_t row_stride, std::int64_t rows,
                          std::int64_t columns);

  /// y (dy - sum(dy y)) for each of `rows` contiguous rows of n. Products are rounded before they are added,
  /// as `sum` adds them: the bits are those of the formula in single ops.
  void (*softmax_backward)(const T* y, const T* dy, T* dx, std::int64_t rows, std::int64_t n);

  /// Each of `rows` contiguous rows of n: (x - mean) * factor * gain + bias, where mean is the row's, factor
  /// is 1 / sqrt(variance + epsilon), and the variance is the mean of (x - mean)². gain and bias are n
  /// numbers; a null bias adds 0. (mean, factor) of each row goes to `statistics`, unless that is null. A row
  /// with NaN or infinity is NaN throughout.
  void (*layer_norm)(const T* x, const T* gain, const T* bias, T epsilon, T* out, T* statistics,
                     std::int64_t rows, std::int64_t n);

  /// Its gradients, from `dy`, that of out, and the `statistics` that it left: dx, and, over these rows,
  /// added in their order, dgain = sum(dy (x - mean) factor) and dbias = sum(dy), n numbers each, which
  /// overlap nothing.
  void (*layer_norm_backward)(const T* x, const T* gain, const T* statistics, const T* dy, T* dx, T* dgain,
                              T* dbias, std::int64_t rows, std::int64_t n);

  /// x / 2 (1 + tanh(u)), u = sqrt(2 / pi) (x + 0.044715 x³): within (6 |u| + 8) epsilon of the result, but
  /// for results below a hundred times the smallest normal number, which may be 0. Its derivative, within 12
  /// epsilon of 1, goes to `slope`, unless that is null; which changes no bit of the value.
  void (*gelu_tanh)(const T* x, T* out, T* slope, std::int64_t n);

  /// The same for x Phi(x), Phi the standard normal distribution: within (x² / 2 + 12) epsilon of the result,
  /// but for results below the smallest normal number, which may be 0.
  void (*gelu_exact)(const T* x, T* out, T* slope, std::int64_t n);

  /// The most elements that attention_pack() writes, and what attention_backward() needs.
  std::int64_t (*attention_pack_size)(std::int64_t Tk, std::int64_t hs, std::int64_t vs);
  std::int64_t (*attention_backward_size)(std::int64_t Tq, std::int64_t Tk, std::int64_t hs, std::int64_t vs);

  /// Lays the head's keys and values out for attention(), for any of this head's queries.
  void (*attention_pack)(const AttentionHead<T>& head, T* packed);

  /// Rows first … end - 1 of softmax(scale * query @ keyᵀ, blocked keys left out) @ value, to out (Tq, vs).
  /// A row with every key blocked is the mean of all values, 0 where there is none. Where
  /// rows.shift is not null, the numbers of these rows are written too.
  ///
  /// A row's bits depend on its query, on the keys it sees with their values and places, and, where every key
  /// is blocked, on Tk; neither on other rows nor on `first` and `end`. Keys that a row does not see may be
  /// read: where their values are not finite the row may be NaN.
  void (*attention)(const AttentionHead<T>& head, const T* packed, std::int64_t first, std::int64_t end,
                    MutableMatrix<T> out, AttentionRows<T> rows);

  /// The gradients of all inputs from `gradient`, that of the output (Tq, vs), and from what attention() left
  /// in `out` and `rows`. `workspace` has attention_backward_size() elements.
  void (*attention_backward)(const AttentionHead<T>& head, Matrix<T> out, AttentionRows<const T> rows,
                             Matrix<T> gradient, AttentionGradients<T> gradients, T* workspace);

  /// Within 2 ULP where the result is normal; below that 0 or within 2 ULP of the smallest normal; never NaN
  /// but for NaN.
  void (*exp)(const T* x, T* out, std::int64_t n);

  /// Within 2 ULP where x is normal and positive; infinity and NaN stay. Other x are not to be given.
  void (*log)(const T* x, T* out, std::int64_t n);

  BinaryKernel<T> add;
  BinaryKernel<T> subtract;
  BinaryKernel<T> multiply;
  BinaryKernel<T> divide;

  /// x * factor.
  void (*scale)(const T* x, T factor, T* out, std::int64_t n);

  /// blocked ? fill : x. Steps as in BinaryKernel.
  void (*mask)(const T* x, std::int64_t x_step, const bool* blocked, std::int64_t blocked_step, T fill,
               T* out, std::int64_t n);

  /// Row r of `rows` contiguous rows of n keeps its first `visible` + r elements; the others are `fill`.
  /// `visible` is not negative.
  void (*causal_mask)(const T* x, std::int64_t visible, T fill, T* out, std::int64_t rows, std::int64_t n);

  /// kept ? x * factor : 0.
  void (*dropout)(const T* x, const bool* kept, T factor, T* out, std::int64_t n);

  /// losses[r] = log(sum of exp(logit - shift)) - (logit of the id - shift), 0 for a row to be ignored; and
  /// the two numbers of each row. They depend on the row's own numbers alone.
  void (*cross_entropy)(const CrossEntropy<T>& of, T* losses, CrossEntropyRows<T> left);

  /// (exp(logit - shift) / sum - (1 where the id is)) * factor for each row, 0 for one to be ignored, to out
  /// (rows, n), contiguous; it may be the logits' own memory.
  void (*cross_entropy_backward)(const CrossEntropy<T>& of, CrossEntropyRows<const T> left, T factor, T* out);

  /// One step of AdamW on n elements, in place; see AdamW. The arrays do not overlap.
  void (*adamw)(const AdamW<T>& how, T* parameter, const T* gradient, T* mean, T* square, std::int64_t n);

  /// parameter -= rate * (gradient * gradient_scale), in place.
  void (*sgd)(T rate, T gradient_scale, T* parameter, const T* gradient, std::int64_t n);

  /// The sum of squares in float64, in an order fixed by n and the instruction set alone. In range for every
  /// finite float32; of float64 a square may overflow to infinity, or underflow to 0.
  double (*sum_of_squares)(const T* x, std::int64_t n);

  /// out[r] = the sum of row r of `rows` contiguous rows of n, in an order fixed by n and the instruction set
  /// alone.
  void (*sum)(const T* x, T* out, std::int64_t rows, std::int64_t n);

  /// out[c] = the sum of column c of (rows, columns), rows standing row_stride apart: the bits that `sum`
  /// gives to the same numbers as a row. rows = 0 gives zeros. `out` does not overlap x.
  void (*sum_columns)(const T* x, std::int64_t row_stride, T* out, std::int64_t rows, std::int64_t columns);

  /// out[r] = the position of the first largest value of row r, or of its first NaN, as in NumPy. n > 0.
  void (*argmax)(const T* x, std::int64_t* out, std::int64_t rows, std::int64_t n);
};

/// All kernels of one instruction set.
struct KernelTable {
  const char* name;  ///< "scalar", "sse2", "avx2", "avx512"
  int lanes;         ///< float32 values that one register holds
  Kernels<float> float32;
  Kernels<double> float64;

  /// The kernels in T, float or double.
  template <typename T>
  const Kernels<T>& in() const;
};

template <>
inline const Kernels<float>& KernelTable::in<float>() const {
  return float32;
}
template <>
inline const Kernels<double>& KernelTable::in<double>() const {
  return float64;
}

}  // namespace wick::kernels
