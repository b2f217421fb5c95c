// Sixteen floats at a time, multiplied and added in one instruction.

#include <immintrin.h>

#include <wick/bench/limits/fma_loop.inl.h>

namespace wick::bench {
namespace {

struct Floats {
  using Scalar = float;
  using Register = __m512;
  static constexpr int count = 16;
  static Register broadcast(float x) { return _mm512_set1_ps(x); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm512_fmadd_ps(a, b, c); }
  static void store(float* out, Register x) { _mm512_storeu_ps(out, x); }
};

struct Doubles {
  using Scalar = double;
  using Register = __m512d;
  static constexpr int count = 8;
  static Register broadcast(double x) { return _mm512_set1_pd(x); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm512_fmadd_pd(a, b, c); }
  static void store(double* out, Register x) { _mm512_storeu_pd(out, x); }
};

}  // namespace

constexpr FmaLoops kFmaAvx512 = {make_loop<Floats>("avx512"), make_loop<Doubles>("avx512")};

}  // namespace wick::bench
