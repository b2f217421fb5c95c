#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/tensor.h>
#include <wick/ops/testing/attributes.h>

namespace wick::testing {

/// What an input of an op is made of.
enum class InputKind {
  floating,  ///< float32 or float64; may have a gradient
  any,       ///< moved as it is (transpose): any type, tested as floating is
  ids,       ///< int64
  booleans,  ///< boolean
};

struct OpInput {
  std::string name;
  InputKind kind = InputKind::floating;
};

/// What the numbers of a case's input are. All are drawn from the case's own stream.
enum class Values {
  normal,       ///< standard normals
  wide,         ///< standard normals times 30: their exponentials reach from 1 to the smallest numbers
  large,        ///< standard normals times 1e15
  subnormal,    ///< subnormal numbers and 0
  non_finite,   ///< normals with NaN and infinities strewn in
  extreme,      ///< the same, and -0, the largest and the smallest number
  equal,        ///< one and the same normal
  away_from_0,  ///< between 0.5 and 2, of either sign: divisors
  ids,          ///< whole numbers in [0, limit)
  booleans,     ///< true in one place of three
};

struct CaseInput {
  Shape shape;
  Values values = Values::normal;
  std::int64_t limit = 0;  ///< for Values::ids
};

/// One call of an op, reproducible from its name and a seed.
struct OpCase {
  std::string name;  ///< "rows of 17"; unique within the op
  std::vector<CaseInput> inputs;
  Attributes attributes = {};
  bool has_gradient_check = true;  ///< off where finite differences tell nothing, or are too many
};

/// What an op should have computed. Each element may differ by its bound times the type's epsilon (2^-23,
/// 2^-52): the accuracy that the op's header states.
struct Expected {
  Tensor value;       ///< float64, or int64 where the op gives whole numbers
  Tensor bound = {};  ///< float64, in value's shape. Undefined: value rounded to the op's type, to the bit
};

using Inputs = std::vector<Tensor>;

/// An axis along which an op computes each slice by itself: slices picked from its inputs, in whatever order,
/// give the same slices of the output, to the bit. (The rows of a in a @ b; every axis of a sum but its own.)
struct IndependentAxis {
  std::vector<std::optional<int>> of_inputs;  ///< per input; nothing where every slice reads all of it
  int of_output;
};

/// All that there is to know of an op to test it, differentiate it, time it, and run it by name.
struct OpSpec {
  std::string name;  ///< "softmax"
  std::vector<OpInput> inputs;
  std::vector<AttributeSpec> attributes = {};

  std::function<Tensor(const Inputs&, const Attributes&)> forward;
  /// Plain loops that share nothing with the op; floating inputs come as float64, contiguous.
  std::function<Expected(const Inputs&, const Attributes&)> reference;
  std::vector<OpCase> cases;
  bool may_flush_to_0 = false;  ///< results below the smallest normal number may be 0, as with exp

  /// See IndependentAxis; may be left empty.
  std::function<std::vector<IndependentAxis>(const Inputs&, const Attributes&)> independent_axes = {};

  /// For benchmarks: what to time, and how many additions and multiplications one call of it makes (empty:
  /// the op moves numbers, and its speed is in bytes).
  std::vector<OpCase> benchmarks = {};
  std::function<double(const Inputs&, const Attributes&, const Tensor& output)> operations = {};
};

/// "softmax(x, axis=-1)".
std::string signature(const OpSpec& spec);

/// What keeps a spec from being checked at all: a function or cases that are missing, two cases of one name,
/// a case with too many or too few inputs. "" where nothing does.
std::string flaw_of(const OpSpec& spec);

/// The spec of this name. Throws ValueError listing the names there are.
const OpSpec& find_spec(const std::vector<OpSpec>& specs, std::string_view name);

/// The inputs of a case, contiguous, drawn from default_rng of the seed, the op's name and the case's. Those
/// that are floating are of type `dtype`.
Inputs make_inputs(const OpSpec& spec, const OpCase& op_case, DType dtype, std::uint64_t seed);

}  // namespace wick::testing
