#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <wick/bench/limits/limits.h>
#include <wick/bench/op_timing.h>
#include <wick/framework/graph.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/judge.h>
#include <wick/ops/testing/layouts.h>

namespace wick::bench {
namespace {

using testing::Attributes;
using testing::IndependentAxis;
using testing::Inputs;
using testing::OpCase;
using testing::OpSpec;

constexpr std::int64_t kMostElements = 4096;  // of an output that is compared as a whole

// Where an output is too large for a plain loop, three slices of every independent axis stand for all of it:
// the inputs of that smaller call take the place of `inputs`, and its output that of `output`.
void pick_slices(const OpSpec& spec, const OpCase& op_case, Inputs& inputs, Tensor& output) {
  if (output.numel() <= kMostElements || !spec.independent_axes) return;
  for (const IndependentAxis& axis : spec.independent_axes(inputs, op_case.attributes)) {
    const std::int64_t size = output.size(axis.of_output);
    if (size <= 3) continue;
    const std::vector<std::int64_t> slices = {0, size / 2, size - 1};
    output = testing::take(output, axis.of_output, slices);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (axis.of_inputs[i]) inputs[i] = testing::take(inputs[i], *axis.of_inputs[i], slices);
    }
  }
}

std::int64_t bytes_of(const Inputs& inputs) {
  std::int64_t bytes = 0;
  for (const Tensor& input : inputs) bytes += byte_count(input);
  return bytes;
}

bool is_view(const Tensor& output, const Inputs& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Tensor& input) { return output.shares_storage(input); });
}

// Four second-level caches; of 2 MiB where the system does not tell.
std::int64_t beyond_l2() {
#ifdef _SC_LEVEL2_CACHE_SIZE
  const std::int64_t told = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
  const std::int64_t told = 0;
#endif
  return 4 * (told > 0 ? told : std::int64_t{2} << 20);
}

Inputs copy_of(const Inputs& inputs) {
  Inputs copies;
  for (const Tensor& input : inputs) copies.push_back(input.clone());
  return copies;
}

// Calls in turn on as many copies as it takes. Outputs are kept as long, so that none is where the last one
// was.
void time_cold(benchmark::State& state, const OpSpec& spec, const OpCase& op_case, const Inputs& inputs,
               const Tensor& output, const Work& work) {
  const auto smallest = static_cast<std::int64_t>(64 * inputs.size());  // a line of the cache each
  const std::int64_t bytes = bytes_of(inputs) + (is_view(output, inputs) ? 0 : byte_count(output));
  const std::int64_t count = beyond_l2() / std::max(smallest, bytes) + 1;
  std::vector<Inputs> copies;
  for (std::int64_t i = 0; i < count; ++i) copies.push_back(copy_of(inputs));
  std::vector<Tensor> outputs(copies.size());
  std::size_t turn = 0;
  time_calls(state, work, [&] {
    outputs[turn] = spec.forward(copies[turn], op_case.attributes);
    if (++turn == copies.size()) turn = 0;
  });
}

}  // namespace

const Inputs& inputs_of(const OpSpec& spec, const OpCase& op_case, DType dtype) {
  static std::map<std::string, Inputs> known;
  Inputs& inputs = known[spec.name + "/" + op_case.name + "/" + std::string(name(dtype))];
  if (inputs.empty()) inputs = make_inputs(spec, op_case, dtype, /*seed=*/0);
  return inputs;
}

void require_right(const OpSpec& spec, const OpCase& op_case, const Inputs& inputs, const Tensor& output) {
  Inputs some = inputs;
  Tensor their_output = output;
  pick_slices(spec, op_case, some, their_output);
  for (Tensor& input : some) {
    if (is_floating(input.dtype())) input = input.to(float64);
  }
  const auto expected = spec.reference(some, op_case.attributes);
  const std::string complaint = judge(their_output, expected, spec.may_flush_to_0).complaint;
  if (!complaint.empty()) throw std::runtime_error("wrong: " + complaint);
}

Work work_of(const OpSpec& spec, const Attributes& attributes, const Inputs& inputs, const Tensor& output,
             const std::string& set) {
  if (spec.operations) {
    return {spec.operations(inputs, attributes, output), "FLOP/s", fma_limit(set, output.dtype())};
  }
  if (is_view(output, inputs)) return {1, "calls/s", 0};  // which moves nothing
  const std::int64_t bytes = bytes_of(inputs) + byte_count(output);
  return {static_cast<double>(bytes), "bytes/s", memcpy_limit(bytes / 2)};
}

void time_op(benchmark::State& state, const OpSpec& spec, const OpCase& op_case, const std::string& set,
             DType dtype, Operands operands) {
  use_instruction_set(set);
  const NoGrad no_grad;
  const Inputs& inputs = inputs_of(spec, op_case, dtype);
  const Tensor output = spec.forward(inputs, op_case.attributes);
  const std::string label = spec.name + "/" + op_case.name + "/" + set + "/" + std::string(name(dtype));
  check_once(label, [&] { require_right(spec, op_case, inputs, output); });
  const Work work = work_of(spec, op_case.attributes, inputs, output, set);
  if (operands == Operands::cold_l2) return time_cold(state, spec, op_case, inputs, output, work);
  time_calls(state, work, [&] { benchmark::DoNotOptimize(spec.forward(inputs, op_case.attributes)); });
}

bool leaves_l2_by_itself(const OpCase& op_case, DType dtype) {
  std::int64_t elements = 0;
  for (const testing::CaseInput& input : op_case.inputs) elements += input.shape.numel();
  return elements * static_cast<std::int64_t>(item_size(dtype)) > beyond_l2();
}

}  // namespace wick::bench
