#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/error.h>
#include <wick/ops/testing/op_spec.h>
#include <wick/tools/program.h>

namespace wick::tools {

/// Whose ops, and how their commands are called.
struct Tester {
  std::string caller;  ///< what one types before a command's name: "wick op", "./my_ops"
  const std::vector<testing::OpSpec>& specs;
};

/// The commands of a tester; see wick::testing::main.
int op_list(const Tester& tester, Arguments arguments, std::ostream& out);
int op_run(const Tester& tester, Arguments arguments, std::ostream& out);
int op_check(const Tester& tester, Arguments arguments, std::ostream& out);

/// One of them, chosen by the first argument.
int run_op_commands(const Tester& tester, Arguments arguments, std::ostream& out);

/// What `read` makes of the command line: where it throws ValueError, for a name or a value that there is
/// not, the command line is wrong. `where` opens the message.
template <typename Read>
decltype(auto) from_command_line(std::string_view where, Read&& read) {
  try {
    return read();
  } catch (const ValueError& error) {
    throw UsageError(std::string(where) + error.what());
  }
}

/// Lets the ops run on the set that --isa names. Throws UsageError listing what there is.
void choose_instruction_set(const std::string& name);

}  // namespace wick::tools
