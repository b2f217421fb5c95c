// The ops of a tester, for people and as JSON.

#include <ostream>

#include <nlohmann/json.hpp>

#include <wick/tools/op_commands.h>
#include <wick/tools/options.h>
#include <wick/tools/text_table.h>

namespace wick::tools {
namespace {

using testing::AttributeSpec;
using testing::InputKind;
using testing::OpCase;
using testing::OpInput;
using testing::OpSpec;

std::string kind_name(InputKind kind) {
  switch (kind) {
    case InputKind::floating:
      return "floating";
    case InputKind::any:
      return "any";
    case InputKind::ids:
      return "ids";
    case InputKind::booleans:
      return "booleans";
  }
  return "";
}

std::string type_word(const AttributeSpec& attribute) {
  const testing::AttributeValue& value = attribute.default_value;
  if (std::holds_alternative<std::int64_t>(value)) return "integer";
  if (std::holds_alternative<double>(value)) return "number";
  return std::holds_alternative<bool>(value) ? "boolean" : "integers";
}

nlohmann::ordered_json default_of(const AttributeSpec& attribute) {
  return std::visit(
      [](const auto& value) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Dimensions>) {
          return std::vector<std::int64_t>(value.begin(), value.end());
        } else {
          return value;
        }
      },
      attribute.default_value);
}

nlohmann::ordered_json json_of(const OpSpec& spec) {
  nlohmann::ordered_json inputs = nlohmann::json::array();
  for (const OpInput& input : spec.inputs)
    inputs.push_back({{"name", input.name}, {"kind", kind_name(input.kind)}});
  nlohmann::ordered_json attributes = nlohmann::json::array();
  for (const AttributeSpec& attribute : spec.attributes) {
    nlohmann::ordered_json entry{{"name", attribute.name}, {"type", type_word(attribute)}};
    entry["required"] = attribute.is_required;
    if (!attribute.is_required) entry["default"] = default_of(attribute);
    attributes.push_back(entry);
  }
  nlohmann::ordered_json cases = nlohmann::json::array();
  for (const OpCase& op_case : spec.cases) cases.push_back(op_case.name);
  return {{"name", spec.name},
          {"signature", signature(spec)},
          {"inputs", inputs},
          {"attributes", attributes},
          {"cases", cases}};
}

void print_json(const std::vector<OpSpec>& specs, std::ostream& out) {
  nlohmann::ordered_json ops = nlohmann::json::array();
  for (const OpSpec& spec : specs) ops.push_back(json_of(spec));
  out << ops.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

// Several attributes of one type stand together: "axis, start: integer; keepdims: boolean".
std::string attributes_text(const OpSpec& spec) {
  std::string text;
  for (std::size_t i = 0; i < spec.attributes.size(); ++i) {
    const AttributeSpec& attribute = spec.attributes[i];
    const bool is_last_of_type =
        i + 1 == spec.attributes.size() || type_word(spec.attributes[i + 1]) != type_word(attribute);
    text += attribute.name;
    if (is_last_of_type) text += ": " + type_word(attribute);
    if (i + 1 < spec.attributes.size()) text += is_last_of_type ? "; " : ", ";
  }
  return text;
}

void print_table(const std::vector<OpSpec>& specs, std::ostream& out) {
  std::vector<std::vector<std::string>> rows = {{"op", "inputs", "cases", "attributes"}};
  for (const OpSpec& spec : specs) {
    std::string inputs;
    for (const OpInput& input : spec.inputs)
      inputs += (inputs.empty() ? "" : ", ") + input.name + ": " + kind_name(input.kind);
    rows.push_back({signature(spec), inputs, std::to_string(spec.cases.size()), attributes_text(spec)});
  }
  out << text_table(rows, {Align::left, Align::left, Align::right, Align::left});
}

}  // namespace

int op_list(const Tester& tester, Arguments arguments, std::ostream& out) {
  Options options(
      tester.caller + " list", "[options]",
      "The ops: how they are called, what kinds of inputs they take (floating: float32 or float64; "
      "ids: int64), how many cases check has of them, and what their attributes are (integers: 0,2,1; "
      "boolean: true or false). An attribute that has a default may be left out.");
  options.add_switch("json", "the same as JSON, with the names of the cases");
  if (!options.parse(arguments, out)) return 0;
  options.has("json") ? print_json(tester.specs, out) : print_table(tester.specs, out);
  return 0;
}

}  // namespace wick::tools
