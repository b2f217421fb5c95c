// One number at a time, multiplied, then added, as the scalar kernels do it.

#include <wick/bench/limits/fma_loop.inl.h>

namespace wick::bench {
namespace {

template <typename T>
struct One {
  using Scalar = T;
  using Register = T;
  static constexpr int count = 1;
  static T broadcast(T x) { return x; }
  static T multiply_add(T a, T b, T c) { return a * b + c; }
  static void store(T* out, T x) { *out = x; }
};

}  // namespace

constexpr FmaLoops kFmaScalar = {make_loop<One<float>>("scalar"), make_loop<One<double>>("scalar")};

}  // namespace wick::bench
