#pragma once

#include <array>
#include <cstdint>

namespace wick {

/// Spreads a seed over as many bits as a generator needs, so that seeds 0, 1, 2 start streams that have
/// nothing in common.
///
/// NumPy: SeedSequence(seed).generate_state(4, np.uint64). The hash is M. E. O'Neill's, from "Developing a
/// seed_seq Alternative" (pcg-random.org, 2015), with a pool of four 32-bit words.
std::array<std::uint64_t, 4> seed_sequence(std::uint64_t seed);

}  // namespace wick
