#include <algorithm>
#include <string>
#include <vector>

#include <wick/framework/error.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/broken_gradient.h>
#include <wick/ops/testing/check.h>
#include <wick/ops/testing/check_case.h>
#include <wick/ops/testing/gradcheck.h>

namespace wick::testing {
namespace {

// Another instruction set for as long as this lives.
class WithInstructionSet {
 public:
  explicit WithInstructionSet(const std::string& name) : before_(instruction_set()) {
    use_instruction_set(name);
  }
  ~WithInstructionSet() { use_instruction_set(before_); }
  WithInstructionSet(const WithInstructionSet&) = delete;
  WithInstructionSet& operator=(const WithInstructionSet&) = delete;

 private:
  std::string before_;
};

// True where some case's gradcheck fails once the gradient of an input is broken.
bool is_noticed(const OpSpec& spec, std::size_t input, Break kind, std::uint64_t seed) {
  return std::ranges::any_of(spec.cases, [&](const OpCase& op_case) {
    if (!op_case.has_gradient_check) return false;
    const auto broken = [&](const Inputs& inputs) {
      Inputs others = inputs;
      others[input] = with_broken_gradient(inputs[input], kind);
      return spec.forward(others, op_case.attributes);
    };
    return !gradcheck(broken, make_inputs(spec, op_case, float64, seed), {.seed = seed}).passed;
  });
}

void break_gradients(const OpSpec& spec, std::uint64_t seed, OpReport& report) {
  for (std::size_t input = 0; input < spec.inputs.size(); ++input) {
    const InputKind kind = spec.inputs[input].kind;
    if (kind != InputKind::floating && kind != InputKind::any) continue;
    for (const Break broken : kBreaks) {
      ++report.breaks;
      if (is_noticed(spec, input, broken, seed)) {
        ++report.breaks_caught;
      } else {
        report.failures.push_back({"", "",
                                   "no case notices where the gradient of " + spec.inputs[input].name + " " +
                                       std::string(description(broken))});
      }
    }
  }
}

}  // namespace

OpReport check_op(const OpSpec& spec, const CheckOptions& options) {
  OpReport report;
  report.op = spec.name;
  const bool has_case = std::ranges::any_of(
      spec.cases, [&](const OpCase& op_case) { return op_case.name == options.only_case; });
  if (!options.only_case.empty() && !has_case) {
    std::string names;
    for (const OpCase& op_case : spec.cases) names += (names.empty() ? "" : ", ") + op_case.name;
    throw ValueError("the op " + spec.name + " has no case " + options.only_case + "; there are " + names);
  }
  const std::vector<std::string> sets =
      options.instruction_sets.empty() ? present_instruction_sets() : options.instruction_sets;
  for (const std::string& set : sets) report.worst_error[set] = 0;
  if (const std::string flaw = flaw_of(spec); !flaw.empty()) {
    report.failures.push_back({"", "", flaw});
    return report;
  }
  for (const std::string& set : sets) {
    const WithInstructionSet chosen(set);
    report.cases = 0;
    for (const OpCase& op_case : spec.cases) {
      if (!options.only_case.empty() && options.only_case != op_case.name) continue;
      ++report.cases;
      check_case(spec, op_case, set, options.seed, report);
    }
  }
  if (options.only_case.empty() && report.has_gradient && report.failures.empty()) {
    break_gradients(spec, options.seed, report);
  }
  return report;
}

}  // namespace wick::testing
