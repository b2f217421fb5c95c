#include <algorithm>
#include <functional>

#include <wick/ops/overlap.h>

namespace wick {
namespace {

using Piece = std::span<const std::byte>;

// The places of the pieces that are not empty, by where they begin.
std::vector<std::size_t> in_order(const std::vector<Piece>& pieces) {
  std::vector<std::size_t> places;
  places.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].empty()) places.push_back(i);
  }
  std::ranges::stable_sort(places, std::less<>(), [&](std::size_t i) { return pieces[i].data(); });
  return places;
}

// Whether `left`, which begins first, reaches into `right`.
bool reaches(Piece left, Piece right) { return std::less<>()(right.data(), left.data() + left.size()); }

}  // namespace

std::span<const std::byte> memory_of(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_contiguous()) return {};
  return visit_dtype(tensor.dtype(), [&]<typename T>() { return std::as_bytes(tensor.span<T>()); });
}

std::optional<std::pair<std::size_t, std::size_t>> first_overlap(const std::vector<Piece>& pieces) {
  const std::vector<std::size_t> places = in_order(pieces);
  // Where any two overlap, two neighbours do.
  const auto found = std::ranges::adjacent_find(
      places, [&](std::size_t left, std::size_t right) { return reaches(pieces[left], pieces[right]); });
  if (found == places.end()) return std::nullopt;
  return std::minmax({found[0], found[1]});
}

std::optional<std::pair<std::size_t, std::size_t>> first_overlap(const std::vector<Piece>& written,
                                                                 const std::vector<Piece>& read) {
  const std::vector<std::size_t> places = in_order(written);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i].empty()) continue;
    // The first that begins behind this one's begin, and the one before it.
    const auto next = std::ranges::upper_bound(places, read[i].data(), std::less<>(),
                                               [&](std::size_t place) { return written[place].data(); });
    if (next != places.end() && reaches(read[i], written[*next])) return std::pair(*next, i);
    if (next != places.begin() && reaches(written[next[-1]], read[i])) return std::pair(next[-1], i);
  }
  return std::nullopt;
}

}  // namespace wick
