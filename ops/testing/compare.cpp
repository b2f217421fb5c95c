#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <wick/ops/mask.h>
#include <wick/ops/testing/compare.h>

namespace wick::testing {
namespace {

// Whether `equal` is true of every two elements, of tensors of one shape and type.
template <typename Equal>
bool all_equal(const Tensor& a, const Tensor& b, Equal equal) {
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype()) return false;
  const Tensor left = a.contiguous();
  const Tensor right = b.contiguous();
  return visit_dtype(
      a.dtype(), [&]<typename T>() { return std::ranges::equal(left.span<T>(), right.span<T>(), equal); });
}

template <typename T>
bool is_same(T x, T y) {
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

}  // namespace

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
  return all_equal(a, b, [](auto x, auto y) { return is_same(x, y); });
}

bool same_bits_but_nan(const Tensor& a, const Tensor& b) {
  return all_equal(a, b, [](auto x, auto y) { return is_same(x, y) || (x != x && y != y); });
}

}  // namespace wick::testing
