#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <wick/framework/shape.h>

namespace wick::testing {

/// What an op takes besides tensors: a whole number (axis), a number (factor), a switch (keepdims), or a list
/// (axes, shape).
using AttributeValue = std::variant<std::int64_t, double, bool, Dimensions>;

/// One attribute of an op, with its default, whose type is the attribute's.
struct AttributeSpec {
  std::string name;
  AttributeValue default_value;
  bool is_required = false;  ///< every call has to give it; the default then only tells the type
};

/// "axis=-1", "keepdims=false", "axes=0,2,1"; "factor" where it has to be given.
std::string to_string(const AttributeSpec& attribute);

/// What its values are: "a whole number", "whole numbers with commas between them".
std::string_view type_name(const AttributeSpec& attribute);

/// The attributes of one call, by name.
class Attributes {
 public:
  Attributes() = default;
  /// The defaults of an op, with some set anew. Throws ValueError for a name that the op does not have, a
  /// value of another type, or one that is missing though required.
  Attributes(const std::vector<AttributeSpec>& specs, const std::map<std::string, AttributeValue>& given);

  /// Throws ValueError where the op has no attribute of this name and type.
  template <typename T>
  const T& get(std::string_view name) const {
    const auto found = values_.find(name);
    const T* value = found == values_.end() ? nullptr : std::get_if<T>(&found->second);
    if (value == nullptr) refuse(name);
    return *value;
  }

  /// A whole number as an op takes it that asks for an int. Throws ValueError where it is none.
  int get_int(std::string_view name) const;

 private:
  [[noreturn]] static void refuse(std::string_view name);

  std::map<std::string, AttributeValue, std::less<>> values_;
};

/// The value that stands in "axis=1", in the type of the op's attribute. Throws ValueError for an unknown
/// name (listing those there are) or a value that is not of the type.
std::pair<std::string, AttributeValue> parse_attribute(const std::vector<AttributeSpec>& specs,
                                                       std::string_view text);

}  // namespace wick::testing
