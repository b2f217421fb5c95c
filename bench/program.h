#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

// What all benchmark programs of this folder are made of.

namespace wick::bench {

/// A whole program: reads Google Benchmark's command line, calls `register_all`, runs. Ends with 2 for an
/// unknown option, with 1 where fail() was called. Ops have one thread, unless OMP_NUM_THREADS says how many.
int run_program(int argc, char** argv, void (*register_all)());

/// Leaves this benchmark out, saying why, and lets the program end with 1.
void fail(benchmark::State& state, const std::string& why);

/// What one call does, to be set against a limit.
struct Work {
  double amount;     ///< FLOP, or bytes read and written
  const char* unit;  ///< "FLOP/s" or "bytes/s"
  double limit;      ///< in that unit; 0 where none is known
};

/// Times call() and sets the counters: the rate, and the percentage of the limit that was measured in the
/// same process.
template <typename Call>
void time_calls(benchmark::State& state, const Work& work, const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    call();
    benchmark::ClobberMemory();
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const double rate = work.amount * static_cast<double>(state.iterations()) / elapsed.count();
  state.counters[work.unit] = benchmark::Counter(work.amount, benchmark::Counter::kIsIterationInvariantRate);
  if (work.limit > 0) state.counters["% of limit"] = 100 * rate / work.limit;
}

}  // namespace wick::bench
