#include <utility>
#include <vector>

#include <wick/bench/works.h>
#include <wick/ops/testing/specs.h>

namespace wick::bench {
namespace {

std::string by(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

SpecWork make_work(std::string name, testing::OpSpec spec, std::vector<testing::CaseInput> inputs,
                   const testing::Attributes& attributes) {
  testing::OpCase op_case{.name = name, .inputs = std::move(inputs), .attributes = attributes};
  return {std::move(name), std::move(spec), std::move(op_case)};
}

}  // namespace

SpecWork matmul_work(std::int64_t M, std::int64_t N, std::int64_t K) {
  return make_work("matmul/" + by(M, N) + "x" + std::to_string(K), find_spec(testing::op_specs(), "matmul"),
                   {{{M, K}}, {{K, N}}}, {});
}

SpecWork softmax_work(std::int64_t rows, std::int64_t n) {
  const testing::OpSpec& spec = find_spec(testing::op_specs(), "softmax");
  // Without its count of operations: how many an exponential is worth is a matter of taste, bytes are not.
  testing::OpSpec moved = spec;
  moved.operations = {};
  return make_work("softmax/" + by(rows, n), moved, {{{rows, n}}}, testing::Attributes(spec.attributes, {}));
}

SpecWork transpose_work(std::int64_t rows, std::int64_t columns) {
  testing::OpSpec spec = find_spec(testing::op_specs(), "transpose");
  const auto view = spec.forward;
  spec.forward = [view](const testing::Inputs& inputs, const testing::Attributes& given) {
    return view(inputs, given).contiguous();
  };
  const testing::Attributes attributes(spec.attributes, {});
  return make_work("transpose/" + by(rows, columns), std::move(spec), {{{rows, columns}}}, attributes);
}

SpecWork attention_work(std::int64_t batch, std::int64_t heads, std::int64_t length, std::int64_t size,
                        bool causal) {
  const testing::OpSpec& spec = find_spec(testing::op_specs(), "attention");
  const testing::CaseInput input{{batch, heads, length, size}};
  return make_work("attention/" + by(batch, heads) + "x" + by(length, size) + (causal ? "/causal" : ""), spec,
                   {input, input, input}, testing::Attributes(spec.attributes, {{"causal", causal}}));
}

}  // namespace wick::bench
