#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <wick/framework/random.h>

namespace wick {

/// The stream of NumPy's RandomState(seed), and of np.random after np.random.seed(seed). A value: a copy goes
/// on from where the original stands.
///
/// - bits: MT19937 (M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-Dimensionally Equidistributed
/// Uniform
///   Pseudo-Random Number Generator", 1998), started by the multiplier of their version of 2002
/// - normals: G. Marsaglia's polar method, which makes two at a time; the second waits for the next call
/// - integers: masked rejection, of 32 bits for ranges of up to 2^32 numbers, of 64 beyond
/// - permutations: Fisher and Yates from the end, places by masked rejection
class Mt19937Rng final : public Rng {
 public:
  explicit Mt19937Rng(std::uint32_t seed);

  RngState state() const override;
  void set_state(const RngState& state) override;

 private:
  void refill();
  std::uint32_t next_uint32() override;
  std::uint64_t next_uint64() override;
  double next_double() override;
  double next_normal() override;
  std::uint64_t next_at_most(std::uint64_t max) override;

  static constexpr std::size_t kWords = 624;
  std::array<std::uint32_t, kWords> words_{};
  std::size_t position_ = kWords;      // of the next word to hand out; at the end the words are made anew
  std::optional<double> kept_normal_;  // the second of the pair that next_normal() made last
};

}  // namespace wick
