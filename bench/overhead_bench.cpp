// What an op costs over its kernel: the op on tiny tensors, through Tensor and all checks, beside the kernel
// alone on the same memory. `overhead/add/op` minus `overhead/add/kernel` is the price of calling add. In a
// process of several threads, one after its first large op for instance, counting owners and the allocator's
// lock have to be atomic: `overhead/add/op/with_threads`.

#include <cstdint>
#include <latch>
#include <optional>
#include <string>
#include <thread>

#include <benchmark/benchmark.h>

#include <wick/bench/program.h>
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

const wick::bench::Work kCall{1, "calls/s", 0};

struct Operands {
  Tensor x = wick::default_rng(1)->standard_normal({kRows, kColumns});
  Tensor y = wick::default_rng(2)->standard_normal({kRows, kColumns});
  Tensor columns = wick::default_rng(3)->standard_normal({kColumns, kRows});
  Tensor out = wick::zeros({kRows, kColumns});
};

// A thread that waits until the end of a scope.
class IdleThread {
 public:
  IdleThread() : thread_([this] { ended_.wait(); }) {}
  ~IdleThread() {
    ended_.count_down();
    thread_.join();
  }
  IdleThread(const IdleThread&) = delete;
  IdleThread& operator=(const IdleThread&) = delete;

 private:
  std::latch ended_{1};
  std::thread thread_;
};

// A kernel of the table, called as the op calls it: out of the table, by a pointer.
template <typename Kernel>
void kernel(const char* name, Kernel call) {
  wick::bench::register_benchmark(name, [call](benchmark::State& state) {
    Operands operands;
    const auto* x = operands.x.data<float>();
    const auto* y = operands.y.data<float>();
    const auto* columns = operands.columns.data<float>();
    auto* out = operands.out.mutable_data<float>();
    wick::bench::time_calls(state, kCall, [&] { call(wick::active_kernels().float32, x, y, columns, out); });
  });
}

void register_kernels() {
  kernel("overhead/add/kernel", [](const auto& kernels, auto x, auto y, auto, auto out) {
    kernels.add(x, 1, y, 1, out, kRows * kColumns);
  });
  kernel("overhead/scale/kernel", [](const auto& kernels, auto x, auto, auto, auto out) {
    kernels.scale(x, 0.25F, out, kRows * kColumns);
  });
  kernel("overhead/softmax/kernel",
         [](const auto& kernels, auto x, auto, auto, auto out) { kernels.softmax(x, out, kRows, kColumns); });
  kernel("overhead/matmul/kernel", [](const auto& kernels, auto x, auto, auto columns, auto out) {
    kernels.matmul({.M = kRows,
                    .N = kRows,
                    .K = kColumns,
                    .a = {x, kColumns, 1},
                    .b = {columns, kRows, 1},
                    .out = out,
                    .out_row_stride = kRows});
  });
  kernel("overhead/sum/kernel",
         [](const auto& kernels, auto x, auto, auto, auto out) { kernels.sum(x, out, kRows, kColumns); });
}

// An op, without gradients: its result is made anew each time, and released.
template <typename Op>
void op(const std::string& name, bool with_threads, Op call) {
  const std::string label = "overhead/" + name + "/op" + (with_threads ? "/with_threads" : "");
  wick::bench::register_benchmark(label, [call, with_threads](benchmark::State& state) {
    std::optional<IdleThread> idle;
    if (with_threads) idle.emplace();
    const Operands operands;
    const wick::NoGrad no_grad;
    wick::bench::time_calls(state, kCall, [&] { benchmark::DoNotOptimize(call(operands)); });
  });
}

void register_ops(bool with_threads) {
  op("add", with_threads, [](const Operands& o) { return wick::add(o.x, o.y); });
  op("scale", with_threads, [](const Operands& o) { return wick::scale(o.x, 0.25); });
  op("softmax", with_threads, [](const Operands& o) { return wick::softmax(o.x); });
  op("matmul", with_threads, [](const Operands& o) { return wick::matmul(o.x, o.columns); });
  op("sum", with_threads, [](const Operands& o) { return wick::sum(o.x, {1}); });
  // Views: they have no kernel.
  op("transpose", with_threads, [](const Operands& o) { return wick::transpose(o.x); });
  op("reshape", with_threads, [](const Operands& o) { return wick::reshape(o.x, {kColumns, kRows}); });
}

void register_all() {
  register_kernels();
  register_ops(false);
  // Behind all others: once a process has had a second thread, the C library does not take it for one of a
  // single thread again.
  register_ops(true);
}

}  // namespace

int main(int argc, char** argv) { return wick::bench::run_program(argc, argv, register_all); }
