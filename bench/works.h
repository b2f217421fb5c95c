#pragma once

#include <cstdint>
#include <string>

#include <wick/ops/testing/op_spec.h>

namespace wick::bench {

/// An op on inputs of one size, by the name that it has on the table: "softmax/4096x64". NumPy and PyTorch do
/// works of the same names in peer_works.py.
struct SpecWork {
  std::string name;
  testing::OpSpec spec;
  testing::OpCase op_case;
};

SpecWork matmul_work(std::int64_t M, std::int64_t N, std::int64_t K);
SpecWork softmax_work(std::int64_t rows, std::int64_t n);
/// Copied: the op itself is a view.
SpecWork transpose_work(std::int64_t rows, std::int64_t columns);
SpecWork attention_work(std::int64_t batch, std::int64_t heads, std::int64_t length, std::int64_t size,
                        bool causal);

}  // namespace wick::bench
