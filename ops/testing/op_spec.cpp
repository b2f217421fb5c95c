#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <wick/framework/error.h>
#include <wick/framework/makers.h>
#include <wick/framework/random.h>
#include <wick/framework/text.h>
#include <wick/ops/testing/op_spec.h>

namespace wick::testing {
namespace {

// FNV-1a (Fowler, Noll, Vo), so that a case draws the same numbers wherever it stands among the others.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3U;
  return hash;
}

template <typename T>
T strewn_value(Values values, Rng& rng) {
  using Limits = std::numeric_limits<T>;
  const bool with_finite_ones = values == Values::extreme;
  switch (rng.integers(0, 14)) {
    case 0:
      return Limits::quiet_NaN();
    case 1:
      return Limits::infinity();
    case 2:
      return -Limits::infinity();
    case 3:
      if (with_finite_ones) return T(-0.0);
      break;
    case 4:
      if (with_finite_ones) return Limits::max();
      break;
    case 5:
      if (with_finite_ones) return -Limits::denorm_min();
      break;
    default:
      break;
  }
  return static_cast<T>(rng.standard_normal());
}

template <typename T>
T drawn_value(Values values, Rng& rng) {
  switch (values) {
    case Values::wide:
      return static_cast<T>(rng.standard_normal() * 30);
    case Values::large:
      return static_cast<T>(rng.standard_normal() * 1e15);
    case Values::subnormal:
      return static_cast<T>(rng.integers(-1000, 1001)) * std::numeric_limits<T>::denorm_min();
    case Values::non_finite:
    case Values::extreme:
      return strewn_value<T>(values, rng);
    case Values::away_from_0:
      return static_cast<T>((0.5 + 1.5 * rng.random()) * (rng.integers(0, 2) == 0 ? 1 : -1));
    default:
      return static_cast<T>(rng.standard_normal());
  }
}

Tensor make_input(const CaseInput& input, DType dtype, Rng& rng) {
  if (input.values == Values::ids)
    return rng.integers(0, std::max<std::int64_t>(input.limit, 1), input.shape);
  if (input.values == Values::equal) return full(input.shape, rng.standard_normal(), dtype);
  if (input.values == Values::booleans) {
    Tensor tensor(input.shape, boolean);
    for (bool& element : tensor.mutable_span<bool>()) element = rng.integers(0, 3) == 0;
    return tensor;
  }
  Tensor tensor(input.shape, dtype);
  const auto fill = [&]<typename T>() {
    for (T& element : tensor.mutable_span<T>()) element = drawn_value<T>(input.values, rng);
  };
  dtype == float32 ? fill.operator()<float>() : fill.operator()<double>();
  return tensor;
}

}  // namespace

std::string signature(const OpSpec& spec) {
  std::string text = spec.name + "(";
  const char* separator = "";
  for (const OpInput& input : spec.inputs) {
    text += separator + input.name;
    separator = ", ";
  }
  for (const AttributeSpec& attribute : spec.attributes) {
    text += separator + to_string(attribute);
    separator = ", ";
  }
  return text + ")";
}

std::string flaw_of(const OpSpec& spec) {
  if (!spec.forward) return "the spec has no forward";
  if (!spec.reference) return "the spec has no reference";
  if (spec.cases.empty()) return "the spec has no cases";
  std::set<std::string> names;
  for (const OpCase& op_case : spec.cases) {
    if (!names.insert(op_case.name).second) return "two cases are called " + repr(op_case.name);
    if (op_case.inputs.size() != spec.inputs.size()) {
      return "the case " + repr(op_case.name) + " has " + std::to_string(op_case.inputs.size()) +
             " inputs, the op takes " + std::to_string(spec.inputs.size());
    }
  }
  return "";
}

const OpSpec& find_spec(const std::vector<OpSpec>& specs, std::string_view name) {
  const auto found = std::ranges::find(specs, name, &OpSpec::name);
  if (found != specs.end()) return *found;
  std::string message = "there is no op " + repr(name);
  for (std::size_t i = 0; i < specs.size(); ++i) message += (i == 0 ? "; there are " : ", ") + specs[i].name;
  throw ValueError(message);
}

Inputs make_inputs(const OpSpec& spec, const OpCase& op_case, DType dtype, std::uint64_t seed) {
  const auto rng = default_rng(seed ^ hash_of(spec.name + "/" + op_case.name));
  Inputs inputs;
  for (const CaseInput& input : op_case.inputs) inputs.push_back(make_input(input, dtype, *rng));
  return inputs;
}

}  // namespace wick::testing
