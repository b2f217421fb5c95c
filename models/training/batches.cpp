#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <wick/framework/error.h>
#include <wick/models/initial.h>
#include <wick/models/training/batches.h>
#include <wick/ops/slice.h>

namespace wick {
namespace {

void require_ids(const char* where, const Tensor& ids) {
  if (ids.rank() != 1) {
    throw ShapeError(std::string(where) + ": ids is " + to_string(ids.shape()) + ", expected (n,)");
  }
  if (ids.dtype() != int64) {
    throw TypeError(std::string(where) + ": ids is " + std::string(name(ids.dtype())) + ", expected int64");
  }
}

}  // namespace

std::int64_t window_count(const std::string& what, std::int64_t n, std::int64_t block_size) {
  if (n > block_size) return n - block_size;
  throw ValueError(what + " has " + std::to_string(n) +
                   " ids, expected block_size + 1 = " + std::to_string(block_size + 1) + " or more");
}

Batch windows_at(const Tensor& ids, const Tensor& starts, std::int64_t block_size) {
  require_ids("windows_at", ids);
  const Tensor text = ids.contiguous();
  const std::span<const std::int64_t> from = text.span<std::int64_t>();
  const std::int64_t B = starts.size(0);
  const auto T = static_cast<std::size_t>(block_size);
  Batch batch{Tensor({B, block_size}, int64), Tensor({B, block_size}, int64)};
  const std::span<std::int64_t> inputs = batch.inputs.mutable_span<std::int64_t>();
  const std::span<std::int64_t> targets = batch.targets.mutable_span<std::int64_t>();
  std::size_t row = 0;
  for (const std::int64_t start : starts.to_vector<std::int64_t>()) {
    if (start < 0 || start >= ids.numel() - block_size) {
      throw IndexError("windows_at: a window of " + std::to_string(block_size) + " at " +
                       std::to_string(start) + " and its targets are not within " +
                       std::to_string(ids.numel()) + " ids");
    }
    const std::span<const std::int64_t> window = from.subspan(static_cast<std::size_t>(start), T + 1);
    std::ranges::copy(window.first(T), inputs.subspan(row * T, T).begin());
    std::ranges::copy(window.last(T), targets.subspan(row * T, T).begin());
    ++row;
  }
  return batch;
}

Batches::Batches(const Tensor& ids, std::int64_t block_size, std::int64_t batch_size,
                 std::shared_ptr<Rng> rng)
    : ids_(ids),
      block_size_(positive_size("Batches", "block_size", block_size)),
      batch_size_(positive_size("Batches", "batch_size", batch_size)),
      rng_(std::move(rng)) {
  require_ids("Batches", ids);
  window_count("the training text", ids.numel(), block_size);
}

Batch Batches::next() {
  return windows_at(ids_, rng_->integers(0, ids_.numel() - block_size_, {batch_size_}), block_size_);
}

TextParts split_by_position(const Tensor& ids, double validation_share) {
  require_ids("split_by_position", ids);
  if (!(validation_share >= 0 && validation_share < 1)) {
    throw ValueError("split_by_position: the share is " + std::to_string(validation_share) +
                     ", expected [0, 1)");
  }
  const std::int64_t n = ids.numel();
  const auto m = static_cast<std::int64_t>(std::floor(static_cast<double>(n) * validation_share));
  return {slice(ids, 0, 0, n - m), slice(ids, 0, n - m, n)};
}

}  // namespace wick
