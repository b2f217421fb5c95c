#pragma once

#include <string>

#include <wick/framework/tensor.h>

namespace wick {

/// A tensor and what it is called: in a module a parameter's dotted name, its root's left out
/// ("blocks.2.attention.query.weight"), and a handle on it; in a file its key.
struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace wick
