#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include <wick/bench/limits/fma_loops.h>
#include <wick/bench/limits/limits.h>
#include <wick/bench/program.h>
#include <wick/framework/makers.h>
#include <wick/framework/tensor.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>

namespace wick::bench {
namespace {

std::vector<FmaLoops> built_loops() {
#ifdef WICK_BENCH_X86_64
  return {kFmaScalar, kFmaSse2, kFmaAvx2, kFmaAvx512};
#else
  return {kFmaScalar};
#endif
}

const FmaLoop& in(const FmaLoops& loops, DType dtype) {
  return dtype == float32 ? loops.float32 : loops.float64;
}

// FLOP of one call of limit/fma, in every set the same: some 50 us with AVX-512, shorter than what else runs
// on a machine leaves alone. bench/report knows this number too.
constexpr double kFlop = 7'840'000;

std::int64_t rounds_of(const FmaLoop& loop) { return static_cast<std::int64_t>(kFlop / loop.flop_per_round); }

// The shortest of `repeats` calls, in seconds.
template <typename Call>
double best_seconds(int repeats, const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Two buffers that all sizes share, filled once, so that no copy pays for its pages.
std::pair<std::byte*, const std::byte*> copy_buffers(std::int64_t bytes) {
  static Tensor target;
  static Tensor source;
  const std::int64_t n = (bytes + 7) / 8;
  if (!target.defined() || target.numel() < n) {
    target = zeros({n}, float64);
    source = zeros({n}, float64);
  }
  return {reinterpret_cast<std::byte*>(target.mutable_data<double>()),
          reinterpret_cast<const std::byte*>(source.data<double>())};
}

// In pieces of a MiB or more: a smaller copy is over before a second thread has begun.
void copy(std::byte* target, const std::byte* source, std::int64_t bytes) {
  parallel_for(bytes, std::int64_t{1} << 20, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(target + begin, source + begin, static_cast<std::size_t>(end - begin));
  });
  benchmark::ClobberMemory();
}

}  // namespace

double fma_limit(std::string_view set, DType dtype) {
  static std::map<std::pair<std::string, DType>, double> known;
  for (const FmaLoops& loops : built_loops()) {
    const FmaLoop& loop = in(loops, dtype);
    if (loop.set != set) continue;
    double& limit = known[{loop.set, dtype}];
    if (limit == 0) {
      const double seconds = best_seconds(200, [&] { benchmark::DoNotOptimize(loop.run(rounds_of(loop))); });
      limit = kFlop / seconds;
    }
    return limit;
  }
  return 0;
}

double memcpy_limit(std::int64_t bytes) {
  static std::map<std::int64_t, double> known;
  double& limit = known[bytes];
  if (limit == 0) {
    const auto [target, source] = copy_buffers(bytes);
    std::byte* const to = target;  // Clang 14 captures no structured binding
    const std::byte* const from = source;
    // Small copies in bunches, because a clock's own reading takes as long.
    const int copies =
        static_cast<int>(std::max<std::int64_t>(1, 100'000 / std::max<std::int64_t>(1, bytes)));
    const double seconds = best_seconds(20, [&] {
      for (int i = 0; i < copies; ++i) copy(to, from, bytes);
    });
    limit = 2.0 * static_cast<double>(bytes) * copies / seconds;
  }
  return limit;
}

void copy_once(std::int64_t bytes) {
  const auto [target, source] = copy_buffers(bytes);
  copy(target, source, bytes);
}

void register_fma_limits() {
  for (const FmaLoops& loops : built_loops()) {
    const std::vector<std::string> present = present_instruction_sets();
    if (std::find(present.begin(), present.end(), loops.float32.set) == present.end()) continue;
    for (const DType dtype : {float32, float64}) {
      const FmaLoop loop = in(loops, dtype);
      const std::string label = std::string("limit/fma/") + loop.set + "/" + std::string(name(dtype));
      register_benchmark(label, [loop](benchmark::State& state) {
        time_calls(state, {kFlop, "FLOP/s", 0}, [&] { benchmark::DoNotOptimize(loop.run(rounds_of(loop))); });
      });
    }
  }
}

void register_memcpy_limit(std::int64_t bytes) {
  const std::string label = "limit/memcpy/" + std::to_string(bytes);
  register_benchmark(label, [bytes](benchmark::State& state) {
    time_calls(state, {2.0 * static_cast<double>(bytes), "bytes/s", 0}, [&] { copy_once(bytes); });
  });
}

}  // namespace wick::bench
