#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/framework/random/pcg64.h>
#include <wick/framework/random/seed_sequence.h>
#include <wick/framework/random/ziggurat_tables.h>

namespace wick {

Pcg64Rng::Pcg64Rng(std::uint64_t seed) {
  const auto words = seed_sequence(seed);
  const Uint128 start = static_cast<Uint128>(words[0]) << 64 | words[1];
  const Uint128 sequence = static_cast<Uint128>(words[2]) << 64 | words[3];
  increment_ = sequence << 1 | 1;  // odd, or the period would not be full
  step();
  state_ += start;
  step();
}

RngState Pcg64Rng::state() const {
  const auto high = [](Uint128 number) { return static_cast<std::uint64_t>(number >> 64); };
  const auto low = [](Uint128 number) { return static_cast<std::uint64_t>(number); };
  return {"PCG64",
          {high(state_), low(state_), high(increment_), low(increment_), kept_ ? 1U : 0U, kept_.value_or(0)}};
}

void Pcg64Rng::set_state(const RngState& state) {
  require_state_of(state, "PCG64", 6);
  const std::vector<std::uint64_t>& words = state.words;
  if (words[3] % 2 == 0) throw ValueError("the state of PCG64 has an even increment");
  if (words[4] > 1 || words[5] > std::numeric_limits<std::uint32_t>::max()) {
    throw ValueError("the state of PCG64 has has_uint32 " + std::to_string(words[4]) + " and uinteger " +
                     std::to_string(words[5]) + ", expected 0 or 1, and 32 bits");
  }
  state_ = static_cast<Uint128>(words[0]) << 64 | words[1];
  increment_ = static_cast<Uint128>(words[2]) << 64 | words[3];
  kept_.reset();
  if (words[4] == 1) kept_ = static_cast<std::uint32_t>(words[5]);
}

void Pcg64Rng::step() {
  constexpr Uint128 kMultiplier = static_cast<Uint128>(0x2360ed051fc65da4U) << 64 | 0x4385df649fccf645U;
  state_ = state_ * kMultiplier + increment_;
}

std::uint64_t Pcg64Rng::next_uint64() {
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64);
  const auto low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

std::uint32_t Pcg64Rng::next_uint32() {
  if (kept_) {
    const std::uint32_t half = *kept_;
    kept_.reset();
    return half;
  }
  const std::uint64_t bits = next_uint64();
  kept_ = static_cast<std::uint32_t>(bits >> 32);
  return static_cast<std::uint32_t>(bits);
}

double Pcg64Rng::next_double() { return static_cast<double>(next_uint64() >> 11) * 0x1p-53; }

// 64 bits are shared out: 8 for the layer, 1 for the sign, 52 for the place within the layer. Bits of the
// result hang on the order of every operation here, and on none of them being fused.
double Pcg64Rng::next_normal() {
  for (;;) {
    const std::uint64_t bits = next_uint64();
    const auto layer = static_cast<std::size_t>(bits & 0xff);
    const bool negative = (bits >> 8 & 1) != 0;
    const std::uint64_t place = bits >> 9 & 0xfffffffffffffU;
    const double distance = static_cast<double>(place) * ziggurat::kWidth[layer];
    const double x = negative ? -distance : distance;
    if (place < ziggurat::kInside[layer]) return x;

    if (layer == 0) {
      // The tail beyond the base layer, by Marsaglia's method. Its sign is a bit of the place, as in NumPy.
      for (;;) {
        const double beyond = -ziggurat::kInverseBase * std::log1p(-next_double());
        const double height = -std::log1p(-next_double());
        if (height + height > beyond * beyond) {
          const double tail = ziggurat::kBase + beyond;
          return (place >> 8 & 1) != 0 ? -tail : tail;
        }
      }
    }
    // The wedge between the layer's rectangle and the curve.
    const double bottom = ziggurat::kHeight[layer];
    const double top = ziggurat::kHeight[layer - 1];
    if ((top - bottom) * next_double() + bottom < std::exp(-0.5 * x * x)) return x;
  }
}

std::uint64_t Pcg64Rng::next_at_most(std::uint64_t max) {
  constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
  if (max == 0) return 0;
  if (max == kMax32) return next_uint32();
  if (max == std::numeric_limits<std::uint64_t>::max()) return next_uint64();

  // bits * count / 2^w is in [0, count). It is uniform once those bits are refused whose remainder falls
  // short of 2^w mod count, and that costs its division only where the remainder is below count at all.
  const std::uint64_t count = max + 1;
  if (max < kMax32) {
    std::uint64_t product = next_uint32() * count;
    if ((product & kMax32) < count) {
      const std::uint64_t threshold = (kMax32 - max) % count;
      while ((product & kMax32) < threshold) product = next_uint32() * count;
    }
    return product >> 32;
  }
  Uint128 product = static_cast<Uint128>(next_uint64()) * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t threshold = (std::numeric_limits<std::uint64_t>::max() - max) % count;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<Uint128>(next_uint64()) * count;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace wick
