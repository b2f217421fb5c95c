#pragma once

#include <vector>

#include <wick/framework/named_tensor.h>

namespace wick {

/// The Euclidean norm of all gradients of these parameters, taken together as one vector; parameters without
/// a gradient have no part in it. Summed in float64, in an order fixed by the shapes alone: the same bits at
/// any number of threads. NaN or infinite where a gradient is.
double gradient_norm(const std::vector<NamedTensor>& parameters);

/// By what gradients of this norm are multiplied, so that it comes to max_norm at the most:
/// max_norm / (norm + 1e-6), but 1 where that is larger. PyTorch: clip_grad_norm_. NaN for a norm of NaN, 0
/// for an infinite one. Throws ValueError unless max_norm is above 0; infinity clips nothing.
double clip_scale(double norm, double max_norm);

}  // namespace wick
