#pragma once

#include <string>

#include <benchmark/benchmark.h>

#include <wick/bench/program.h>
#include <wick/ops/testing/op_spec.h>

// Timing ops through their specs: what op_bench.h and the programs of this folder are made of.

namespace wick::bench {

/// Where a call finds its operands.
enum class Operands {
  warm,  ///< where the call before it left them
  /// Not in the second-level cache: calls take turns in so many copies, inputs and outputs, that four such
  /// caches could not hold them. (A third level of hundreds of MiB would take minutes to leave; what it holds
  /// stays there.)
  cold_l2,
};

/// The inputs of a case, the same for every benchmark of it. Kept, because benchmarks are called many times
/// over.
const testing::Inputs& inputs_of(const testing::OpSpec& spec, const testing::OpCase& op_case, DType dtype);

/// Throws where `output` is not what the reference gives: on a few slices of its independent axes where it is
/// large.
void require_right(const testing::OpSpec& spec, const testing::OpCase& op_case, const testing::Inputs& inputs,
                   const Tensor& output);

/// What one call does, and the limit for that: FLOP where the spec counts them, else bytes, against a memcpy
/// of as many.
Work work_of(const testing::OpSpec& spec, const testing::Attributes& attributes,
             const testing::Inputs& inputs, const Tensor& output, const std::string& set);

/// Compares an op's output with the reference, the first time that a benchmark is called, then times the op
/// without gradients. Throws where it is wrong.
void time_op(benchmark::State& state, const testing::OpSpec& spec, const testing::OpCase& op_case,
             const std::string& set, DType dtype, Operands operands = Operands::warm);

/// True where copies of these inputs, for Operands::cold_l2, would be fewer than two.
bool leaves_l2_by_itself(const testing::OpCase& op_case, DType dtype);

}  // namespace wick::bench
