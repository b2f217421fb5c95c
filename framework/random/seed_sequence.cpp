#include <cstddef>

#include <wick/framework/random/seed_sequence.h>

namespace wick {

namespace {

std::uint32_t fold(std::uint32_t word) { return word ^ (word >> 16); }

// A multiplicative hash whose constant moves on with every use, so that equal words at different places hash
// differently.
class Hash {
 public:
  Hash(std::uint32_t start, std::uint32_t multiplier) : constant_(start), multiplier_(multiplier) {}

  std::uint32_t operator()(std::uint32_t word) {
    word ^= constant_;
    constant_ *= multiplier_;
    return fold(word * constant_);
  }

 private:
  std::uint32_t constant_;
  std::uint32_t multiplier_;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) { return fold(0xca01f9ddU * x - 0x4973f715U * y); }

}  // namespace

std::array<std::uint64_t, 4> seed_sequence(std::uint64_t seed) {
  // In: the seed's two words and zeros enter the pool, then every word of the pool touches every other.
  Hash hash_in(0x43b0d7e5U, 0x931e8875U);
  std::array<std::uint32_t, 4> pool = {static_cast<std::uint32_t>(seed),
                                       static_cast<std::uint32_t>(seed >> 32), 0, 0};
  for (std::uint32_t& word : pool) word = hash_in(word);
  for (std::size_t source = 0; source < pool.size(); ++source) {
    for (std::size_t target = 0; target < pool.size(); ++target) {
      if (source != target) pool[target] = mix(pool[target], hash_in(pool[source]));
    }
  }

  // Out: the pool is read round and round; of the two words of a 64-bit number the low one comes first.
  Hash hash_out(0x8b51f9ddU, 0x58f38dedU);
  std::array<std::uint64_t, 4> state{};
  for (std::size_t i = 0; i < state.size(); ++i) {
    const std::uint64_t low = hash_out(pool[(2 * i) % pool.size()]);
    const std::uint64_t high = hash_out(pool[(2 * i + 1) % pool.size()]);
    state[i] = high << 32 | low;
  }
  return state;
}

}  // namespace wick
