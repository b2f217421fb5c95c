#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include <benchmark/benchmark.h>

// What all benchmark programs of this folder are made of.

namespace wick::bench {

/// A whole program: reads Google Benchmark's command line, calls `register_all`, runs. Ends with 2 for an
/// unknown option, with 1 where a benchmark threw. Ops have one thread, unless OMP_NUM_THREADS says how many.
int run_program(int argc, char** argv, const std::function<void()>& register_all);

/// Registers run(state) under a name. Where it throws, the benchmark is left out, saying why, and the program
/// ends with 1.
void register_benchmark(const std::string& name, std::function<void(benchmark::State&)> run);

/// Calls check(), which throws where a result is wrong, unless it has passed under this name before: Google
/// Benchmark calls a benchmark many times over.
void check_once(const std::string& name, const std::function<void()>& check);

/// What one call does, to be set against a limit.
struct Work {
  double amount;     ///< FLOP, or bytes read and written
  const char* unit;  ///< "FLOP/s" or "bytes/s"
  double limit;      ///< in that unit; 0 where none is known
};

/// Which clock counts.
enum class Clock {
  wall,  ///< for several threads
  /// For one thread: the wall's, or the processor's where that says less. A call that takes longer than a
  /// slice of time is interrupted on a machine that others use too, however often it is repeated.
  either,
};

/// A benchmark's calls in bunches of some 50 us: long beside a clock's own reading, short beside what else a
/// machine does. The best bunch is what counts.
class Bunches {
 public:
  explicit Bunches(Clock clock) : clock_(clock) { begin(); }
  /// After each call.
  void count() {
    if (--left_ == 0) next();
  }
  /// Seconds of one call in the best bunch.
  double best() const { return best_; }

  /// One by one instead, with something to prepare between: begin(), so many calls, end(). Gives the wall's
  /// seconds. A single call is to be long beside a clock's own reading.
  void begin();
  double end(std::int64_t calls = 1);

 private:
  void next();

  Clock clock_;
  std::int64_t calls_ = 1;
  std::int64_t left_ = 1;
  double best_ = std::numeric_limits<double>::infinity();
  double processor_start_ = 0;
  std::chrono::steady_clock::time_point start_;
};

/// Clock::either where ops have one thread.
Clock clock_of_ops();

/// Sets the counters: "best", seconds of one call; the rate at that; its percentage of the limit that was
/// measured in the same process.
void set_counters(benchmark::State& state, const Work& work, double best_seconds);

/// Times call(), and sets the counters.
template <typename Call>
void time_calls(benchmark::State& state, const Work& work, const Call& call, Clock clock = clock_of_ops()) {
  Bunches bunches(clock);
  for (auto _ : state) {
    call();
    benchmark::ClobberMemory();
    bunches.count();
  }
  set_counters(state, work, bunches.best());
}

}  // namespace wick::bench
