#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include <wick/framework/named_tensor.h>

namespace wick {

/// Finds tensors by their names: a deep model has thousands, so that to look through all of them for each
/// takes seconds. Points into the vector, which outlives it and stays as it is.
class TensorsByName {
 public:
  explicit TensorsByName(const std::vector<NamedTensor>& tensors) {
    entries_.reserve(tensors.size());
    for (const NamedTensor& entry : tensors) entries_.emplace(entry.name, &entry);
  }

  /// The first of this name; nullptr where there is none.
  const NamedTensor* find(std::string_view name) const {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const NamedTensor*> entries_;
};

}  // namespace wick
