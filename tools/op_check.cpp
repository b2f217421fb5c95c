// Every case of a tester's ops: a table, and how to run again what failed.

#include <algorithm>
#include <limits>
#include <ostream>

#include <wick/framework/text.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/testing/check.h>
#include <wick/tools/op_commands.h>
#include <wick/tools/options.h>
#include <wick/tools/shell.h>
#include <wick/tools/text_table.h>

namespace wick::tools {
namespace {

using testing::CheckOptions;
using testing::Failure;
using testing::OpReport;
using testing::OpSpec;

constexpr std::size_t kMostFailures = 20;

void declare(Options& options) {
  options.add_rest("names");
  options.add("isa", "SET", "all", "an instruction set (see wick info), or all that this machine has");
  options.add("seed", "N", "0", "of the cases' random numbers");
  options.add("case", "CASE", "", "only this case of the one op that is named; list --json has their names");
}

// The ops that are named, each once and in the list's order; all of them where none is.
std::vector<const OpSpec*> chosen_ops(const Tester& tester, const std::vector<std::string>& names) {
  for (const std::string& name : names) from_command_line("", [&] { find_spec(tester.specs, name); });
  std::vector<const OpSpec*> chosen;
  for (const OpSpec& spec : tester.specs) {
    if (names.empty() || std::ranges::count(names, spec.name) != 0) chosen.push_back(&spec);
  }
  return chosen;
}

CheckOptions check_options(const Options& options, const std::vector<const OpSpec*>& ops) {
  CheckOptions chosen;
  chosen.seed = options.unsigned_number("seed", std::numeric_limits<std::uint64_t>::max());
  if (options.text("isa") == "all") {
    chosen.instruction_sets = present_instruction_sets();
  } else {
    choose_instruction_set(options.text("isa"));
    chosen.instruction_sets = {options.text("isa")};
  }
  if (options.has("case")) {
    chosen.only_case = options.text_of("case", "the name of a case");
    if (ops.size() != 1) throw UsageError("--case needs the one op whose case it is");
    if (std::ranges::count(ops[0]->cases, chosen.only_case, &testing::OpCase::name) == 0) {
      throw UsageError("--case is " + repr(chosen.only_case) + ", which " + ops[0]->name +
                       " does not have; list --json has the names of its cases");
    }
  }
  return chosen;
}

std::string table(const std::vector<OpReport>& reports, const std::vector<std::string>& sets) {
  std::vector<std::string> heading = {"op", "cases"};
  heading.insert(heading.end(), sets.begin(), sets.end());
  heading.insert(heading.end(), {"gradient", "breaks caught", "failures"});
  std::vector<std::vector<std::string>> rows = {heading};
  for (const OpReport& report : reports) {
    std::vector<std::string> row = {report.op, std::to_string(report.cases)};
    for (const std::string& set : sets) row.push_back(short_number(report.worst_error.at(set)));
    row.push_back(report.has_gradient ? short_number(report.worst_gradient_error) : "-");
    row.push_back(report.breaks == 0
                      ? "-"
                      : std::to_string(report.breaks_caught) + "/" + std::to_string(report.breaks));
    row.push_back(report.failures.empty() ? "-" : std::to_string(report.failures.size()));
    rows.push_back(row);
  }
  std::vector<Align> columns(heading.size(), Align::right);
  columns[0] = Align::left;
  return text_table(rows, columns);
}

std::string replay(const Tester& tester, const std::string& op, const Failure& failure, std::uint64_t seed) {
  std::string command = tester.caller + " check " + shell_quoted(op);
  if (!failure.case_name.empty()) command += " --case " + shell_quoted(failure.case_name);
  if (!failure.instruction_set.empty()) command += " --isa " + failure.instruction_set;
  return command + " --seed " + std::to_string(seed);
}

// The first ones in full, the others counted by op, so that one broken op does not hide another.
void print_failures(const Tester& tester, const std::vector<OpReport>& reports, std::uint64_t seed,
                    std::ostream& out) {
  std::size_t shown = 0;
  std::string others;
  for (const OpReport& report : reports) {
    std::size_t left_out = 0;
    for (const Failure& failure : report.failures) {
      if (shown == kMostFailures) {
        ++left_out;
        continue;
      }
      ++shown;
      out << report.op;
      for (const std::string& part : {failure.case_name, failure.instruction_set})
        if (!part.empty()) out << ", " << escaped(part);
      out << ": " << escaped(failure.what) << "; again: " << replay(tester, report.op, failure, seed) << "\n";
    }
    if (left_out != 0) others += (others.empty() ? "" : ", ") + std::to_string(left_out) + " of " + report.op;
  }
  if (!others.empty()) out << "and more: " << others << "\n";
}

}  // namespace

int op_check(const Tester& tester, Arguments arguments, std::ostream& out) {
  Options options(
      tester.caller + " check", "[NAME…] [options]",
      "Checks ops, all of them unless some are named, case by case, in float32 and float64: the result "
      "against "
      "the reference, gradients against finite differences, the same bits wherever the inputs lie in memory; "
      "and that a gradient broken on purpose is noticed. The table shows the worst error on each instruction "
      "set in units of what is allowed (above 1 is wrong), and the worst of the gradients, where 1e-6 is "
      "allowed. Each failure is shown with the command that runs its case again.");
  declare(options);
  if (!options.parse(arguments, out)) return 0;
  const std::vector<const OpSpec*> ops = chosen_ops(tester, options.texts("names"));
  const CheckOptions chosen = check_options(options, ops);

  std::vector<OpReport> reports;
  reports.reserve(ops.size());
  for (const OpSpec* spec : ops) reports.push_back(check_op(*spec, chosen));
  out << table(reports, chosen.instruction_sets);
  print_failures(tester, reports, chosen.seed, out);
  const auto wrong =
      std::ranges::count_if(reports, [](const OpReport& report) { return !report.failures.empty(); });
  out << (wrong == 0 ? "all is well\n"
                     : std::to_string(wrong) + " of " + std::to_string(reports.size()) + " ops failed\n");
  return wrong == 0 ? 0 : 1;
}

}  // namespace wick::tools
