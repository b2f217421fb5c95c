#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <wick/ops/mask.h>
#include <wick/ops/testing/compare.h>

namespace wick::testing {

bool allclose(const Tensor& a, const Tensor& b, double relative, double absolute) {
  if (!(a.shape() == b.shape())) return false;
  const std::vector<double> left = a.to_vector<double>();
  const std::vector<double> right = b.to_vector<double>();
  return std::ranges::equal(left, right, [&](double x, double y) {
    return x == y || (std::isfinite(y) && std::abs(x - y) <= absolute + relative * std::abs(y));
  });
}

double relative_difference(const Tensor& a, const Tensor& b) {
  constexpr double kNotComparable = std::numeric_limits<double>::infinity();
  if (!(a.shape() == b.shape())) return kNotComparable;
  const std::vector<double> values = a.to_vector<double>();
  const std::vector<double> reference = b.to_vector<double>();
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    const double y = reference[i];
    const bool is_same = x == y || (std::isnan(x) && std::isnan(y));
    if (!is_same && !(std::isfinite(x) && std::isfinite(y))) return kNotComparable;
    if (is_same && (!std::isfinite(y) || y == kMaskFill)) continue;
    largest = std::max(largest, std::abs(y));
    difference = std::max(difference, std::abs(x - y));
  }
  if (difference == 0) return 0;
  return largest == 0 ? kNotComparable : difference / largest;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  const Tensor left = a.contiguous();
  const Tensor right = b.contiguous();
  return visit_dtype(a.dtype(), [&]<typename T>() {
    const auto x = left.span<T>();
    const auto y = right.span<T>();
    return x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
  });
}

}  // namespace wick::testing
