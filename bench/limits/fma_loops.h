#pragma once

#include <cstdint>

namespace wick::bench {

/// A loop that does nothing but multiply and add in registers, in one instruction set: what the processor can
/// do at best.
struct FmaLoop {
  const char* set;
  /// Makes `rounds` rounds; the result only keeps the compiler from leaving them out.
  double (*run)(std::int64_t rounds);
  double flop_per_round;
};

/// In float32 and float64, each from a unit of its own with exactly that set's flags.
struct FmaLoops {
  FmaLoop float32;
  FmaLoop float64;
};

extern const FmaLoops kFmaScalar;
#ifdef WICK_BENCH_X86_64
extern const FmaLoops kFmaSse2;
extern const FmaLoops kFmaAvx2;
extern const FmaLoops kFmaAvx512;
#endif

}  // namespace wick::bench
