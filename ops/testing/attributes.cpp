#include <algorithm>
#include <optional>

#include <wick/framework/error.h>
#include <wick/framework/print.h>
#include <wick/framework/text.h>
#include <wick/ops/testing/attributes.h>

namespace wick::testing {
namespace {

// "" is the empty list; a comma stands between two numbers.
std::optional<Dimensions> list_in(std::string_view text) {
  if (text.ends_with(',')) return std::nullopt;
  Dimensions list;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::optional<std::int64_t> number = number_in<std::int64_t>(text.substr(0, comma));
    if (!number) return std::nullopt;
    list.push_back(*number);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return list;
}

// The text as a value of the same type as `like`, and what that type is called.
std::optional<AttributeValue> value_in(std::string_view text, const AttributeValue& like) {
  if (std::holds_alternative<std::int64_t>(like)) return number_in<std::int64_t>(text);
  if (std::holds_alternative<double>(like)) return number_in<double>(text);
  if (std::holds_alternative<Dimensions>(like)) return list_in(text);
  if (text == "true" || text == "false") return text == "true";
  return std::nullopt;
}

std::string_view type_of(const AttributeValue& value) {
  if (std::holds_alternative<std::int64_t>(value)) return "a whole number";
  if (std::holds_alternative<double>(value)) return "a number";
  if (std::holds_alternative<Dimensions>(value)) return "whole numbers with commas between them";
  return "true or false";
}

std::string value_text(const AttributeValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return repr(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  std::string text;
  for (const std::int64_t item : std::get<Dimensions>(value))
    text += (text.empty() ? "" : ",") + std::to_string(item);
  return text;
}

const AttributeSpec& find_attribute(const std::vector<AttributeSpec>& specs, std::string_view name) {
  const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
  if (found != specs.end()) return *found;
  std::string message = "there is no attribute " + repr(name);
  for (std::size_t i = 0; i < specs.size(); ++i) message += (i == 0 ? "; there are " : ", ") + specs[i].name;
  throw ValueError(specs.empty() ? message + "; the op has none" : message);
}

}  // namespace

std::string to_string(const AttributeSpec& attribute) {
  return attribute.is_required ? attribute.name : attribute.name + "=" + value_text(attribute.default_value);
}

std::string_view type_name(const AttributeSpec& attribute) { return type_of(attribute.default_value); }

Attributes::Attributes(const std::vector<AttributeSpec>& specs,
                       const std::map<std::string, AttributeValue>& given) {
  for (const AttributeSpec& spec : specs) {
    if (spec.is_required && given.count(spec.name) == 0) {
      throw ValueError("the attribute " + spec.name + " is missing, expected " +
                       std::string(type_name(spec)));
    }
    values_[spec.name] = spec.default_value;
  }
  for (const auto& [name, value] : given) {
    const AttributeSpec& spec = find_attribute(specs, name);
    if (spec.default_value.index() != value.index()) {
      throw ValueError("the attribute " + name + " is " + std::string(type_name(spec)) + ", not " +
                       std::string(type_of(value)));
    }
    values_[name] = value;
  }
}

int Attributes::get_int(std::string_view name) const {
  const std::int64_t value = get<std::int64_t>(name);
  if (!std::in_range<int>(value)) {
    throw ValueError("the attribute " + std::string(name) + " is " + std::to_string(value) +
                     ", which no int can hold");
  }
  return static_cast<int>(value);
}

void Attributes::refuse(std::string_view name) {
  throw ValueError("the op has no attribute " + std::string(name) + " of the type asked for");
}

std::pair<std::string, AttributeValue> parse_attribute(const std::vector<AttributeSpec>& specs,
                                                       std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw ValueError("the attribute " + repr(text) + " has no value, expected name=value");
  }
  const AttributeSpec& spec = find_attribute(specs, text.substr(0, equals));
  const std::optional<AttributeValue> value = value_in(text.substr(equals + 1), spec.default_value);
  if (!value) {
    throw ValueError("the attribute " + spec.name + " is " + repr(text.substr(equals + 1)) + ", expected " +
                     std::string(type_name(spec)));
  }
  return {spec.name, *value};
}

}  // namespace wick::testing
