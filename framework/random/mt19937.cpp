#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/random/mt19937.h>

namespace wick {

Mt19937Rng::Mt19937Rng(std::uint32_t seed) {
  std::uint32_t word = seed;
  for (std::size_t i = 0; i < kWords; ++i) {
    words_[i] = word;
    word = 1812433253U * (word ^ (word >> 30)) + static_cast<std::uint32_t>(i + 1);
  }
}

RngState Mt19937Rng::state() const {
  RngState state{"MT19937", {words_.begin(), words_.end()}};
  state.words.push_back(position_);
  state.words.push_back(kept_normal_ ? 1 : 0);
  state.words.push_back(std::bit_cast<std::uint64_t>(kept_normal_.value_or(0.0)));
  return state;
}

void Mt19937Rng::set_state(const RngState& state) {
  require_state_of(state, "MT19937", kWords + 3);
  const std::vector<std::uint64_t>& words = state.words;
  for (std::size_t i = 0; i < kWords; ++i) {
    if (words[i] > std::numeric_limits<std::uint32_t>::max()) {
      throw ValueError("the state of MT19937 has key[" + std::to_string(i) + "] " + std::to_string(words[i]) +
                       ", expected 32 bits");
    }
  }
  const std::uint64_t position = words[kWords];
  const std::uint64_t has_normal = words[kWords + 1];
  const auto normal = std::bit_cast<double>(words[kWords + 2]);
  if (position > kWords) {
    throw ValueError("the state of MT19937 has pos " + std::to_string(position) + ", expected 0 to " +
                     std::to_string(kWords));
  }
  if (has_normal > 1 || (has_normal == 1 && !std::isfinite(normal))) {
    throw ValueError("the state of MT19937 has has_gauss " + std::to_string(has_normal) +
                     " and a gauss of the bits " + std::to_string(words[kWords + 2]) +
                     ", expected 0, or 1 and a finite number");
  }
  for (std::size_t i = 0; i < kWords; ++i) words_[i] = static_cast<std::uint32_t>(words[i]);
  position_ = static_cast<std::size_t>(position);
  kept_normal_.reset();
  if (has_normal == 1) kept_normal_ = normal;
}

// Each word becomes the word 397 places on, mixed with its own top bit and the other 31 bits of its
// neighbour. The state is a ring: near the end, neighbour and partner are words that this very pass has made.
void Mt19937Rng::refill() {
  constexpr std::size_t kPartner = 397;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint32_t neighbour = words_[i + 1 < kWords ? i + 1 : 0];
    const std::uint32_t partner = words_[i + kPartner < kWords ? i + kPartner : i + kPartner - kWords];
    const std::uint32_t joined = (words_[i] & 0x80000000U) | (neighbour & 0x7fffffffU);
    words_[i] = partner ^ (joined >> 1) ^ ((joined & 1U) != 0 ? 0x9908b0dfU : 0U);
  }
  position_ = 0;
}

std::uint32_t Mt19937Rng::next_uint32() {
  if (position_ == kWords) refill();
  std::uint32_t word = words_[position_++];
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680U;
  word ^= word << 15 & 0xefc60000U;
  return word ^ (word >> 18);
}

std::uint64_t Mt19937Rng::next_uint64() {
  const std::uint64_t high = next_uint32();
  return high << 32 | next_uint32();
}

// 53 bits from two words: 27 above, 26 below.
double Mt19937Rng::next_double() {
  const std::uint64_t high = next_uint32() >> 5;
  const std::uint64_t low = next_uint32() >> 6;
  return static_cast<double>(high << 26 | low) * 0x1p-53;
}

double Mt19937Rng::next_normal() {
  if (kept_normal_) {
    const double normal = *kept_normal_;
    kept_normal_.reset();
    return normal;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2.0 * next_double() - 1.0;
    y = 2.0 * next_double() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  kept_normal_ = factor * x;
  return factor * y;  // the later coordinate first, as in NumPy
}

std::uint64_t Mt19937Rng::next_at_most(std::uint64_t max) { return masked_rejection(max); }

}  // namespace wick
