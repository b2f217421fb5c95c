#pragma once

#include <cstdint>
#include <utility>

#include <wick/bench/limits/fma_loops.h>

// Everything is in an unnamed namespace, as in the kernels: no code of one unit may serve another.
namespace wick::bench {
namespace {

// Chains that run side by side. A processor with two units and a latency of four keeps 8 busy. Where
// multiplication and addition are two instructions, three ports and 4 + 3 cycles ask for 10.5 pairs (Golden
// Cove), two pairs a cycle and 3 + 2 cycles for 10 (Zen 5), and more, because ports are given out unevenly
// (measured on Golden Cove: 10 chains reach 80 %, 12 88 %, 14 97 %). 14, factor and addend are the 16
// registers of SSE2 and AVX2.
constexpr int kChains = 14;

template <typename Lanes, int... chain>
double run_chains(std::int64_t rounds, std::integer_sequence<int, chain...>) {
  using T = typename Lanes::Scalar;
  using Register = typename Lanes::Register;
  // Read from memory, so that nothing can be worked out beforehand. The limit of x / 2 + 1 / 4 is 1 / 2: no
  // infinity and no subnormal number, which some processors are slow with.
  volatile T half = T(0.5);
  volatile T quarter = T(0.25);
  const Register factor = Lanes::broadcast(half);
  const Register addend = Lanes::broadcast(quarter);
  // Different starts: the compiler would make one chain of chains that are equal.
  Register chains[] = {Lanes::broadcast(T(1) + T(chain) / T(16))...};
  for (; rounds > 0; --rounds) {
    ((chains[chain] = Lanes::multiply_add(chains[chain], factor, addend)), ...);
  }
  double total = 0;
  T lanes[Lanes::count];  // std::array's members would be weak symbols, in this set's code
  for (const Register& one : chains) {
    Lanes::store(lanes, one);
    for (const T lane : lanes) total += static_cast<double>(lane);
  }
  return total;
}

template <typename Lanes>
double run_rounds(std::int64_t rounds) {
  return run_chains<Lanes>(rounds, std::make_integer_sequence<int, kChains>());
}

template <typename Lanes>
constexpr FmaLoop make_loop(const char* set) {
  return {.set = set, .run = run_rounds<Lanes>, .flop_per_round = 2.0 * kChains * Lanes::count};
}

}  // namespace
}  // namespace wick::bench
