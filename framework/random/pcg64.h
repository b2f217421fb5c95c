#pragma once

#include <cstdint>
#include <optional>

#include <wick/framework/random.h>

namespace wick {

/// The stream of NumPy's default_rng(seed), that is Generator(PCG64(SeedSequence(seed))). A value: a copy
/// goes on from where the original stands.
///
/// - bits: PCG XSL-RR 128/64 (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
///   Algorithms for Random Number Generation", 2014), seeded through seed_sequence()
/// - normals: the ziggurat of 256 layers (G. Marsaglia and W. W. Tsang, "The Ziggurat Method for Generating
/// Random
///   Variables", 2000), with NumPy's tables
/// - integers: multiply and shift with rare rejection (D. Lemire, "Fast Random Integer Generation in an
/// Interval", 2019).
///   Ranges of up to 2^32 numbers take 32 bits: half of a 64-bit draw, whose other half waits for the next
///   such call
/// - permutations: Fisher and Yates from the end, places by masked rejection
class Pcg64Rng final : public Rng {
 public:
  explicit Pcg64Rng(std::uint64_t seed);

  RngState state() const override;
  void set_state(const RngState& state) override;

 private:
  // An extension of GCC and Clang, on every 64-bit processor.
  __extension__ using Uint128 = unsigned __int128;

  void step();
  std::uint32_t next_uint32() override;
  std::uint64_t next_uint64() override;
  double next_double() override;
  double next_normal() override;
  std::uint64_t next_at_most(std::uint64_t max) override;

  Uint128 state_ = 0;
  Uint128 increment_ = 0;
  std::optional<std::uint32_t> kept_;  // the upper half of the last 64 bits that next_uint32() split
};

}  // namespace wick
