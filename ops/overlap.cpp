#include <algorithm>
#include <functional>

#include <wick/ops/overlap.h>

namespace wick {

std::span<const std::byte> memory_of(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_contiguous()) return {};
  return visit_dtype(tensor.dtype(), [&]<typename T>() { return std::as_bytes(tensor.span<T>()); });
}

std::optional<std::pair<std::size_t, std::size_t>> first_overlap(
    const std::vector<std::span<const std::byte>>& pieces) {
  std::vector<std::size_t> places;
  places.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].empty()) places.push_back(i);
  }
  std::ranges::stable_sort(places, std::less<>(), [&](std::size_t i) { return pieces[i].data(); });
  // Where any two overlap, two neighbours do.
  const auto found = std::ranges::adjacent_find(places, [&](std::size_t left, std::size_t right) {
    return std::less<>()(pieces[right].data(), pieces[left].data() + pieces[left].size());
  });
  if (found == places.end()) return std::nullopt;
  return std::minmax({found[0], found[1]});
}

}  // namespace wick
