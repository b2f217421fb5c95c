#pragma once

// Whether tensors share memory: for ops that write in place, where that would be a race between threads.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <wick/framework/tensor.h>

namespace wick {

/// The bytes that a contiguous tensor lies in; none of one that is undefined or not contiguous.
std::span<const std::byte> memory_of(const Tensor& tensor);

/// The places of two of these pieces that have a byte in common, the smaller place first; nothing where all
/// are apart. Sorts: cheap for thousands.
std::optional<std::pair<std::size_t, std::size_t>> first_overlap(
    const std::vector<std::span<const std::byte>>& pieces);

/// The places of a piece that is written and of one that is read which have a byte in common; nothing where
/// there are none. What is read may lie in one place. Precondition: those written are apart.
std::optional<std::pair<std::size_t, std::size_t>> first_overlap(
    const std::vector<std::span<const std::byte>>& written,
    const std::vector<std::span<const std::byte>>& read);

}  // namespace wick
