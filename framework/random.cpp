#include <bit>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/random.h>
#include <wick/framework/random/mt19937.h>
#include <wick/framework/random/pcg64.h>
#include <wick/framework/text.h>

namespace wick {

namespace {

Tensor floating(const char* where, const Shape& shape, DType dtype, auto draw) {
  if (!is_floating(dtype)) {
    throw TypeError(std::string(where) + ": dtype is " + std::string(name(dtype)) +
                    ", expected float32 or float64");
  }
  Tensor result(shape, dtype);
  if (dtype == float64) {
    for (double& number : result.mutable_span<double>()) number = draw();
  } else {
    for (float& number : result.mutable_span<float>()) number = static_cast<float>(draw());
  }
  return result;
}

// Also for a tensor without elements, where no draw would find it out.
void require_below(std::int64_t low, std::int64_t high) {
  if (low < high) return;
  throw ValueError("integers: low is " + std::to_string(low) + ", expected below high, which is " +
                   std::to_string(high));
}

}  // namespace

std::int64_t Rng::integers(std::int64_t low, std::int64_t high) {
  require_below(low, high);
  return integers_closed(low, high - 1);
}

std::int64_t Rng::integers_closed(std::int64_t low, std::int64_t high) {
  if (low > high) {
    throw ValueError("integers_closed: low is " + std::to_string(low) + ", expected at most high, which is " +
                     std::to_string(high));
  }
  // Unsigned, where the distance between the ends of int64 is a number and sums wrap.
  const auto base = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(base + next_at_most(static_cast<std::uint64_t>(high) - base));
}

std::vector<std::int64_t> Rng::permutation(std::int64_t n) {
  if (n < 0) throw ValueError("permutation: n is " + std::to_string(n) + ", expected 0 or more");
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t last = order.size(); last-- > 1;) {
    std::swap(order[last], order[static_cast<std::size_t>(masked_rejection(last))]);
  }
  return order;
}

Tensor Rng::standard_normal(const Shape& shape, DType dtype) {
  return floating("standard_normal", shape, dtype, [this] { return next_normal(); });
}

Tensor Rng::random(const Shape& shape, DType dtype) {
  return floating("random", shape, dtype, [this] { return next_double(); });
}

Tensor Rng::integers(std::int64_t low, std::int64_t high, const Shape& shape) {
  require_below(low, high);
  Tensor result(shape, int64);
  for (std::int64_t& number : result.mutable_span<std::int64_t>()) number = integers_closed(low, high - 1);
  return result;
}

std::uint64_t Rng::masked_rejection(std::uint64_t max) {
  if (max == 0) return 0;
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(max);
  const bool narrow = max <= std::numeric_limits<std::uint32_t>::max();
  for (;;) {
    const std::uint64_t value = (narrow ? next_uint32() : next_uint64()) & mask;
    if (value <= max) return value;
  }
}

void Rng::require_state_of(const RngState& state, std::string_view generator, std::size_t words) {
  if (state.generator != generator) {
    throw ValueError("the state is of " + excerpt(state.generator) + ", expected " + std::string(generator));
  }
  if (state.words.size() != words) {
    throw ValueError("the state of " + std::string(generator) + " has " + std::to_string(state.words.size()) +
                     " words, expected " + std::to_string(words));
  }
}

std::unique_ptr<Rng> default_rng(std::uint64_t seed) { return std::make_unique<Pcg64Rng>(seed); }

std::unique_ptr<Rng> random_state(std::uint64_t seed) {
  if (seed > std::numeric_limits<std::uint32_t>::max()) {
    throw ValueError("random_state: seed is " + std::to_string(seed) + ", expected 0 to 4294967295");
  }
  return std::make_unique<Mt19937Rng>(static_cast<std::uint32_t>(seed));
}

std::unique_ptr<Rng> rng_from(const RngState& state) {
  std::unique_ptr<Rng> rng;
  if (state.generator == "PCG64") rng = default_rng(0);
  if (state.generator == "MT19937") rng = random_state(0);
  if (rng == nullptr) {
    throw ValueError("the state is of " + excerpt(state.generator) + ", expected PCG64 or MT19937");
  }
  rng->set_state(state);
  return rng;
}

}  // namespace wick
