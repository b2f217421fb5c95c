#include <string>

#include <gtest/gtest.h>

#include <wick/ops/testing/check.h>
#include <wick/ops/testing/specs.h>

namespace wick::testing {
namespace {

std::string named(const ::testing::TestParamInfo<OpSpec>& info) { return info.param.name; }

class OpSpecs : public ::testing::TestWithParam<OpSpec> {};

TEST_P(OpSpecs, HoldOnEveryInstructionSet) {
  const OpReport report = check_op(GetParam());
  for (const Failure& failure : report.failures) {
    ADD_FAILURE() << report.op << ", " << failure.case_name << ", " << failure.instruction_set << ": "
                  << failure.what;
  }
  EXPECT_GT(report.cases, 10);
  EXPECT_EQ(report.breaks, report.breaks_caught);
}

INSTANTIATE_TEST_SUITE_P(All, OpSpecs, ::testing::ValuesIn(op_specs()), named);

}  // namespace
}  // namespace wick::testing
