// What an op costs over its kernel: the op on tiny tensors, through Tensor and all checks, beside the kernel
// alone on the same memory. `overhead/add/op` minus `overhead/add/kernel` is the price of calling add.

#include <cstdint>

#include <benchmark/benchmark.h>

#include <wick/framework/graph.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/ops.h>

namespace {

using wick::Tensor;

// Tensors so small that their arithmetic takes a few nanoseconds.
constexpr std::int64_t kRows = 2;
constexpr std::int64_t kColumns = 4;

struct Operands {
  Tensor x = wick::default_rng(1)->standard_normal({kRows, kColumns});
  Tensor y = wick::default_rng(2)->standard_normal({kRows, kColumns});
  Tensor columns = wick::default_rng(3)->standard_normal({kColumns, kRows});
  Tensor out = wick::zeros({kRows, kColumns});
};

// An op, without gradients: its result is made anew each time, and released.
template <typename Op>
void op(const char* name, Op call) {
  benchmark::RegisterBenchmark(name, [call](benchmark::State& state) {
    const Operands operands;
    const wick::NoGrad no_grad;
    for (auto _ : state) benchmark::DoNotOptimize(call(operands));
  });
}

// A kernel of the table, called as the op calls it: out of the table, by a pointer.
template <typename Kernel>
void kernel(const char* name, Kernel call) {
  benchmark::RegisterBenchmark(name, [call](benchmark::State& state) {
    Operands operands;
    const auto* x = operands.x.data<float>();
    const auto* y = operands.y.data<float>();
    const auto* columns = operands.columns.data<float>();
    auto* out = operands.out.mutable_data<float>();
    for (auto _ : state) {
      call(wick::active_kernels().float32, x, y, columns, out);
      benchmark::ClobberMemory();
    }
  });
}

const int registered = [] {
  op("overhead/add/op", [](const Operands& o) { return wick::add(o.x, o.y); });
  kernel("overhead/add/kernel", [](const auto& kernels, auto x, auto y, auto, auto out) {
    kernels.add(x, 1, y, 1, out, kRows * kColumns);
  });
  op("overhead/scale/op", [](const Operands& o) { return wick::scale(o.x, 0.25); });
  kernel("overhead/scale/kernel", [](const auto& kernels, auto x, auto, auto, auto out) {
    kernels.scale(x, 0.25F, out, kRows * kColumns);
  });
  op("overhead/softmax/op", [](const Operands& o) { return wick::softmax(o.x); });
  kernel("overhead/softmax/kernel",
         [](const auto& kernels, auto x, auto, auto, auto out) { kernels.softmax(x, out, kRows, kColumns); });
  op("overhead/matmul/op", [](const Operands& o) { return wick::matmul(o.x, o.columns); });
  kernel("overhead/matmul/kernel", [](const auto& kernels, auto x, auto, auto columns, auto out) {
    kernels.matmul({.M = kRows,
                    .N = kRows,
                    .K = kColumns,
                    .a = {x, kColumns, 1},
                    .b = {columns, kRows, 1},
                    .out = out,
                    .out_row_stride = kRows});
  });
  op("overhead/sum/op", [](const Operands& o) { return wick::sum(o.x, {1}); });
  kernel("overhead/sum/kernel",
         [](const auto& kernels, auto x, auto, auto, auto out) { kernels.sum(x, out, kRows, kColumns); });
  op("overhead/transpose/op", [](const Operands& o) { return wick::transpose(o.x); });  // a view: no kernel
  op("overhead/reshape/op", [](const Operands& o) { return wick::reshape(o.x, {kColumns, kRows}); });
  return 0;
}();

}  // namespace
