#pragma once

#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>

namespace wick::tools {

/// The command line is wrong: one line to standard error, exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Arguments = std::span<const std::string>;

/// Each writes what it has to say to `out`, which reaches standard output only when all went well. They throw
/// UsageError, or wick::Error where the work failed.
void attend_command(Arguments arguments, std::ostream& out);
void lesson_command(Arguments arguments, std::ostream& out);
void info_command(Arguments arguments, std::ostream& out);

/// `wick` with these arguments, its name left out: the exit code, 0 done, 1 the work failed, 2 the command
/// line was wrong.
int run(Arguments arguments);

}  // namespace wick::tools
