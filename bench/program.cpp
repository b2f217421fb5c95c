#include <cstdlib>
#include <exception>
#include <iostream>

#include <wick/bench/program.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>

namespace wick::bench {
namespace {

// Google Benchmark itself only prints that something failed.
bool anything_failed = false;

constexpr const char* kCompiler =
#ifdef __clang__
    "Clang " __clang_version__;
#else
    "GCC " __VERSION__;
#endif

}  // namespace

int run_program(int argc, char** argv, void (*register_all)()) {
  try {
    if (std::getenv("OMP_NUM_THREADS") == nullptr) set_thread_count(1);
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

void fail(benchmark::State& state, const std::string& why) {
  anything_failed = true;
  state.SkipWithError(why.c_str());
}

}  // namespace wick::bench
