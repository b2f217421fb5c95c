// Specs that cannot be checked as they are: the checker says why, and neither crashes nor calls them well.

#include <gtest/gtest.h>

#include <wick/framework/makers.h>
#include <wick/ops/add.h>
#include <wick/ops/testing/check.h>

namespace wick::testing {
namespace {

// x + x, in one case.
OpSpec twice_spec() {
  OpSpec spec;
  spec.name = "twice";
  spec.inputs = {{"x"}};
  spec.forward = [](const Inputs& inputs, const Attributes&) { return add(inputs[0], inputs[0]); };
  spec.reference = [](const Inputs& inputs, const Attributes&) {
    return Expected{add(inputs[0], inputs[0])};
  };
  spec.cases = {{.name = "three", .inputs = {{{3}}}}};
  return spec;
}

// The first failure, in one line.
std::string failure_of(const OpSpec& spec) {
  const OpReport report = check_op(spec, {.instruction_sets = {"scalar"}});
  EXPECT_EQ(report.worst_error.count("scalar"), 1U);
  return report.failures.empty() ? "" : report.failures.front().what;
}

TEST(SpecFlaws, ASpecWithoutThemIsWell) { EXPECT_EQ(failure_of(twice_spec()), ""); }

TEST(SpecFlaws, NothingMayBeMissing) {
  OpSpec spec = twice_spec();
  spec.forward = nullptr;
  EXPECT_EQ(failure_of(spec), "the spec has no forward");
  spec = twice_spec();
  spec.reference = nullptr;
  EXPECT_EQ(failure_of(spec), "the spec has no reference");
  spec = twice_spec();
  spec.cases.clear();
  EXPECT_EQ(failure_of(spec), "the spec has no cases");
}

TEST(SpecFlaws, CasesAreToldApartByTheirNames) {
  OpSpec spec = twice_spec();
  spec.cases.push_back(spec.cases[0]);
  EXPECT_EQ(failure_of(spec), "two cases are called 'three'");
}

TEST(SpecFlaws, ACaseHasTheInputsOfTheOp) {
  OpSpec spec = twice_spec();
  spec.cases[0].inputs.clear();
  EXPECT_EQ(failure_of(spec), "the case 'three' has 0 inputs, the op takes 1");
}

TEST(SpecFlaws, BoundsHaveTheShapeOfTheValues) {
  OpSpec spec = twice_spec();
  spec.reference = [](const Inputs& inputs, const Attributes&) {
    return Expected{add(inputs[0], inputs[0]), ones({1}, float64)};
  };
  EXPECT_EQ(failure_of(spec), "float32: the reference gives bounds of shape (1,) for values of shape (3,)");
}

TEST(SpecFlaws, AnIndependentAxisTellsOfEveryInput) {
  OpSpec spec = twice_spec();
  spec.independent_axes = [](const Inputs&, const Attributes&) {
    return std::vector<IndependentAxis>{{.of_inputs = {}, .of_output = 0}};
  };
  EXPECT_EQ(failure_of(spec), "float32: an independent axis is given for 0 inputs of 1");
}

}  // namespace
}  // namespace wick::testing
