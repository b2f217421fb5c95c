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

/// Each writes what it has to say to `out`, and returns the exit code: 0, or 1 for a result that is itself a
/// "no", which is printed all the same. They throw UsageError, or wick::Error where the work failed; then
/// nothing reaches standard output.
int attend_command(Arguments arguments, std::ostream& out);
int diff_command(Arguments arguments, std::ostream& out);
int lesson_command(Arguments arguments, std::ostream& out);
int graph_command(Arguments arguments, std::ostream& out);
int info_command(Arguments arguments, std::ostream& out);

/// `wick` with these arguments, its name left out: the exit code, 0 done, 1 the work failed or the answer is
/// no, 2 the command line was wrong.
int run(Arguments arguments);

}  // namespace wick::tools
