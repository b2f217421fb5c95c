#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <wick/ops/testing/specs.h>
#include <wick/tests/tools/run_command.h>

namespace wick::tools {
namespace {

using nlohmann::json;

json listed(const std::string& name) {
  for (const json& op : json::parse(output_of({"op", "list", "--json"}))) {
    if (op["name"] == name) return op;
  }
  ADD_FAILURE() << "no op " << name;
  return {};
}

TEST(OpList, HasALineForEveryOp) {
  const std::string out = output_of({"op", "list"});
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(out, '\n')), testing::op_specs().size() + 1);
  for (const testing::OpSpec& spec : testing::op_specs()) {
    const std::size_t start = out.find("\n" + signature(spec) + " ");
    ASSERT_NE(start, std::string::npos) << spec.name << "\n" << out;
    const std::string line = out.substr(start + 1, out.find('\n', start + 1) - start - 1);
    EXPECT_NE(line.find(" " + std::to_string(spec.cases.size())), std::string::npos) << line;
    for (const testing::OpInput& input : spec.inputs)
      EXPECT_NE(line.find(input.name + ": "), std::string::npos) << line;
  }
}

TEST(OpList, ShowsKindsAndTypes) {
  const std::string out = output_of({"op", "list"});
  for (const std::string part :
       {"scores: floating, blocked: booleans ", "table: floating, ids: ids ", "x: any ",
        "axis, start, stop, step: integer\n", "axis: integers; keepdims: boolean\n", "factor: number\n"}) {
    EXPECT_NE(out.find(part), std::string::npos) << part << "\n" << out;
  }
}

TEST(OpList, JsonHasEveryOpInTheOrderOfTheTable) {
  const json ops = json::parse(output_of({"op", "list", "--json"}));
  ASSERT_EQ(ops.size(), testing::op_specs().size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const testing::OpSpec& spec = testing::op_specs()[i];
    EXPECT_EQ(ops[i]["name"], spec.name);
    EXPECT_EQ(ops[i]["signature"], signature(spec));
    EXPECT_EQ(ops[i]["inputs"].size(), spec.inputs.size());
    EXPECT_EQ(ops[i]["attributes"].size(), spec.attributes.size());
    EXPECT_EQ(ops[i]["cases"].size(), spec.cases.size());
    std::vector<std::string> names = ops[i]["cases"];
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << spec.name << " has two cases of one name";
  }
}

TEST(OpList, JsonHasKindsTypesAndDefaults) {
  EXPECT_EQ(listed("mask")["inputs"], json::parse(R"([{"name": "scores", "kind": "floating"},
                                                      {"name": "blocked", "kind": "booleans"}])"));
  EXPECT_EQ(listed("mask")["attributes"],
            json::parse(R"([{"name": "fill", "type": "number", "required": false, "default": -1e9}])"));
  EXPECT_EQ(listed("scale")["attributes"],
            json::parse(R"([{"name": "factor", "type": "number", "required": true}])"));
  EXPECT_EQ(listed("sum")["attributes"], json::parse(R"(
      [{"name": "axis", "type": "integers", "required": false, "default": []},
       {"name": "keepdims", "type": "boolean", "required": false, "default": false}])"));
  EXPECT_EQ(listed("softmax")["attributes"],
            json::parse(R"([{"name": "axis", "type": "integer", "required": false, "default": -1}])"));
}

TEST(OpList, TakesNothingElse) {
  expect_refused({"op", "list", "softmax"}, 2,
                 "unexpected argument 'softmax'; wick op list --help tells the options");
}

TEST(Op, NeedsACommandThatThereIs) {
  expect_refused({"op"}, 2, "a command is missing; wick op --help lists them");
  expect_refused({"op", "lst"}, 2, "there is no command 'lst'; wick op --help lists them");
  expect_refused({"op", "--help", "run"}, 2, "--help stands alone, without 'run'");
}

}  // namespace
}  // namespace wick::tools
