// Four floats at a time, multiplied, then added: SSE2 fuses nothing.

#include <immintrin.h>

#include <wick/bench/limits/fma_loop.inl.h>

namespace wick::bench {
namespace {

struct Floats {
  using Scalar = float;
  using Register = __m128;
  static constexpr int count = 4;
  static Register broadcast(float x) { return _mm_set1_ps(x); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
  static void store(float* out, Register x) { _mm_storeu_ps(out, x); }
};

struct Doubles {
  using Scalar = double;
  using Register = __m128d;
  static constexpr int count = 2;
  static Register broadcast(double x) { return _mm_set1_pd(x); }
  static Register multiply_add(Register a, Register b, Register c) { return _mm_add_pd(_mm_mul_pd(a, b), c); }
  static void store(double* out, Register x) { _mm_storeu_pd(out, x); }
};

}  // namespace

constexpr FmaLoops kFmaSse2 = {make_loop<Floats>("sse2"), make_loop<Doubles>("sse2")};

}  // namespace wick::bench
