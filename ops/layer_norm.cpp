#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/print.h>
#include <wick/framework/threads.h>
#include <wick/ops/checks.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/layer_norm.h>
#include <wick/ops/pieces.h>

namespace wick {
namespace {

std::int64_t rows_of(const Tensor& x) { return x.size(-1) == 0 ? 0 : x.numel() / x.size(-1); }

// The rows that one call adds up for the gradients of gain and bias; then come the calls' sums. A number of
// the shape alone, so that the order of the additions does not know the threads. Sums of so many rows are a
// small part of what is read for them.
std::int64_t rows_per_chunk(std::int64_t C) {
  constexpr std::int64_t kNumbers = 4096;
  constexpr std::int64_t kFewest = 16;
  return std::max(kFewest, kNumbers / std::max<std::int64_t>(C, 1));
}

class LayerNormNode final : public Node {
 public:
  LayerNormNode(const Origin& origin, const Tensor& x, const Tensor& gain, const Tensor& statistics)
      : Node(origin), x_(this, x), gain_(this, gain), statistics_(this, statistics) {}

  std::vector<Tensor> backward(const Tensor& gradient) const override {
    const Tensor& x = x_.get();
    Tensor dx(x.shape(), x.dtype());
    Tensor dgain(gain_.get().shape(), x.dtype());
    Tensor dbias(dgain.shape(), x.dtype());
    visit_floating(x.dtype(), [&]<typename T>() { differentiate<T>(gradient, dx, dgain, dbias); });
    std::array all = {dx, dgain, dbias};
    std::vector<Tensor> wanted(inputs().size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (needs_gradient(i)) wanted[i] = std::move(all[i]);
    }
    return wanted;
  }

 private:
  template <typename T>
  void differentiate(const Tensor& gradient, Tensor& dx, Tensor& dgain, Tensor& dbias) const {
    const Tensor values = x_.get().contiguous();
    const Tensor gains = gain_.get().contiguous();
    const Tensor dy = gradient.contiguous();
    const std::int64_t C = values.size(-1);
    const std::int64_t rows = rows_of(values);
    const std::int64_t chunk = rows_per_chunk(C);
    const std::int64_t chunks = (rows + chunk - 1) / chunk;
    Tensor shares({2, chunks, C}, dx.dtype());  // of gain, then of bias, in their gradients

    const auto& kernels = active_kernels().in<T>();
    const T* from = values.data<T>();
    const T* gain = gains.data<T>();
    const T* statistics = statistics_.get().template data<T>();
    const T* from_gradient = dy.data<T>();
    T* to = dx.mutable_data<T>();
    T* gain_shares = shares.mutable_data<T>();
    T* bias_shares = gain_shares + chunks * C;
    const auto differentiate_rows = kernels.layer_norm_backward;
    parallel_for(chunks, rows_per_piece(kElementsPerPiece, {chunk, C}),
                 [=](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) {
                     const std::int64_t first = i * chunk;
                     differentiate_rows(from + first * C, gain, statistics + 2 * first,
                                        from_gradient + first * C, to + first * C, gain_shares + i * C,
                                        bias_shares + i * C, std::min(chunk, rows - first), C);
                   }
                 });
    kernels.sum_columns(gain_shares, C, dgain.mutable_data<T>(), chunks, C);
    kernels.sum_columns(bias_shares, C, dbias.mutable_data<T>(), chunks, C);
  }

  Saved x_;
  Saved gain_;
  Saved statistics_;  // (rows, 2): mean and reciprocal deviation
};

void require_shape_of_rows(std::string_view name, const Shape& shape, const Shape& x) {
  if (shape == Shape{x.back()}) return;
  throw ShapeError("layer_norm: x " + to_string(x) + " and " + std::string(name) + " " + to_string(shape) +
                   ": the " + std::string(name) + " should be (" + std::to_string(x.back()) + ",)");
}

// Checked before it is rounded to T: what became 0 would no longer keep a row of equal values from NaN, what
// is below the normal numbers would lose digits, and infinity would leave nothing but the bias.
template <typename T>
void require_epsilon(double epsilon) {
  using Limits = std::numeric_limits<T>;
  if (epsilon == 0 || (epsilon >= double{Limits::min()} && epsilon <= double{Limits::max()})) return;
  throw ValueError("layer_norm: epsilon is " + repr(epsilon) + ", expected 0 or a normal number of " +
                   std::string(name(dtype_of<T>)) + ", from " + repr(Limits::min()) + " to " +
                   repr(Limits::max()));
}

}  // namespace

Shape layer_norm_shape(const Shape& x, const Shape& gain, const std::optional<Shape>& bias) {
  if (x.rank() == 0) throw ShapeError("layer_norm: x () has no axis to normalize along");
  require_shape_of_rows("gain", gain, x);
  if (bias) require_shape_of_rows("bias", *bias, x);
  return x;
}

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias, double epsilon) {
  require_floating("layer_norm", "x", x);
  require_type("layer_norm", "gain", gain, x.dtype());
  if (bias.defined()) require_type("layer_norm", "bias", bias, x.dtype());
  const Shape shape =
      layer_norm_shape(x.shape(), gain.shape(), bias.defined() ? std::optional(bias.shape()) : std::nullopt);
  visit_floating(x.dtype(), [&]<typename T>() { require_epsilon<T>(epsilon); });
  const Tensor values = x.contiguous();
  const Tensor gains = gain.contiguous();
  const Tensor biases = bias.defined() ? bias.contiguous() : Tensor();
  const std::int64_t C = shape.back();
  const std::int64_t rows = rows_of(values);
  Tensor y(shape, x.dtype());
  const std::array inputs = {&x, &gain, &bias};
  Tensor statistics = needs_node(inputs) ? Tensor({rows, 2}, x.dtype()) : Tensor();
  visit_floating(x.dtype(), [&]<typename T>() {
    const auto kernel = active_kernels().in<T>().layer_norm;
    const T* from = values.data<T>();
    const T* by = gains.data<T>();
    const T* plus = biases.defined() ? biases.data<T>() : nullptr;
    T* to = y.mutable_data<T>();
    T* kept = statistics.defined() ? statistics.mutable_data<T>() : nullptr;
    parallel_for(rows, rows_per_piece(kElementsPerPiece, {C}), [=](std::int64_t begin, std::int64_t end) {
      kernel(from + begin * C, by, plus, static_cast<T>(epsilon), to + begin * C,
             kept == nullptr ? nullptr : kept + 2 * begin, end - begin, C);
    });
  });
  if (bias.defined()) {
    return record<LayerNormNode>("layer_norm", {&x, &gain, &bias}, std::move(y), x, gain, statistics);
  }
  return record<LayerNormNode>("layer_norm", {&x, &gain}, std::move(y), x, gain, statistics);
}

}  // namespace wick
