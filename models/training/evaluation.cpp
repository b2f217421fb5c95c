#include <algorithm>
#include <string>
#include <vector>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/models/initial.h>
#include <wick/models/training/batches.h>
#include <wick/models/training/evaluation.h>
#include <wick/ops/slice.h>

namespace wick {

Tensor window_starts(std::int64_t n, std::int64_t block_size, std::int64_t stride) {
  positive_size("window_starts", "stride", stride);
  return arange(0, window_count("the text", n, block_size), stride);
}

Tensor spaced_window_starts(std::int64_t n, std::int64_t block_size, std::int64_t count) {
  positive_size("spaced_window_starts", "count", count);
  const std::int64_t windows = window_count("the validation text", n, block_size);
  const std::int64_t chosen = std::min(count, windows);
  std::vector<std::int64_t> starts;
  for (std::int64_t i = 0; i < chosen; ++i) {
    starts.push_back(chosen == 1 ? 0 : i * (windows - 1) / (chosen - 1));
  }
  return from_vector(starts);
}

MeanLoss mean_loss(const LossFunction& loss, const Tensor& ids, const Tensor& starts, std::int64_t block_size,
                   std::int64_t batch_size) {
  positive_size("mean_loss", "batch_size", batch_size);
  const NoGrad no_grad;
  double sum = 0;
  const std::int64_t windows = starts.size(0);
  for (std::int64_t first = 0; first < windows; first += batch_size) {
    const std::int64_t end = std::min(first + batch_size, windows);
    const Batch batch = windows_at(ids, slice(starts, 0, first, end), block_size);
    sum += loss(batch.inputs, batch.targets).item() * static_cast<double>(end - first);
  }
  return {sum / static_cast<double>(windows), windows * block_size};
}

}  // namespace wick
