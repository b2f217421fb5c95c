#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <set>
#include <utility>

#include <wick/bench/program.h>
#include <wick/framework/compiler.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>

namespace wick::bench {
namespace {

// Google Benchmark itself only prints that something failed.
bool anything_failed = false;

// Of all threads of the process.
double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int run_program(int argc, char** argv, const std::function<void()>& register_all) {
  try {
    if (std::getenv("OMP_NUM_THREADS") == nullptr) set_thread_count(1);
    benchmark::AddCustomContext("wick", WICK_BENCH_VERSION);
    benchmark::AddCustomContext("compiler", kCompiler);
    benchmark::AddCustomContext("instruction set", std::string(instruction_set()));
    register_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return anything_failed ? 1 : 0;
  } catch (const std::exception& error) {  // WICK_ISA names a set that is not there
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}

void register_benchmark(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), [run = std::move(run)](benchmark::State& state) {
    try {
      run(state);
    } catch (const std::exception& error) {
      anything_failed = true;
      state.SkipWithError(error.what());
    }
  });
}

void check_once(const std::string& name, const std::function<void()>& check) {
  static std::set<std::string> passed;
  if (passed.contains(name)) return;
  check();
  passed.insert(name);
}

// The wall's clock is read last here and first at the end, so that it does not see how long the other takes.
void Bunches::begin() {
  processor_start_ = processor_seconds();
  start_ = std::chrono::steady_clock::now();
}

double Bunches::end(std::int64_t calls) {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  double elapsed = wall.count();
  if (clock_ == Clock::either) elapsed = std::min(elapsed, processor_seconds() - processor_start_);
  best_ = std::min(best_, elapsed / static_cast<double>(calls));
  return wall.count();
}

void Bunches::next() {
  if (end(calls_) < 50e-6) calls_ *= 2;
  left_ = calls_;
  begin();
}

Clock clock_of_ops() { return thread_count() == 1 ? Clock::either : Clock::wall; }

void set_counters(benchmark::State& state, const Work& work, double best_seconds) {
  state.counters["best"] = best_seconds;
  state.counters[work.unit] = work.amount / best_seconds;
  if (work.limit > 0) state.counters["% of limit"] = 100 * work.amount / best_seconds / work.limit;
}

}  // namespace wick::bench
