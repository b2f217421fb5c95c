#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include <wick/tools/program.h>

namespace wick::tools {

/// One of a program's commands. It writes to `out` and returns the exit code, as run_program's work does; the
/// arguments are those behind its name.
struct Command {
  std::string name;
  std::string summary;
  std::function<int(Arguments arguments, std::ostream& out)> run;
};

/// Commands to choose from: a program's, or those of a command that has commands itself.
struct CommandSet {
  std::string caller;  ///< what stands before a command's name: "wick", "wick op"
  std::vector<Command> commands;
  std::vector<std::string> notes = {};  ///< sentences that end the help
};

/// Runs the command that the first argument names, or prints the help that --help asks for. Throws UsageError
/// where there is no such command.
int run_command(const CommandSet& set, Arguments arguments, std::ostream& out);

/// Throws UsageError "--help stands alone, without 'x'" where anything follows the first argument.
void require_alone(Arguments arguments);

}  // namespace wick::tools
