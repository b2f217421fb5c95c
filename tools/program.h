#pragma once

#include <functional>
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

/// What main() does and returns. `work` writes what it has to say to `out`, and returns the exit code: 0, or
/// 1 for a result that is itself a "no", which is printed all the same. All of it is printed when the work is
/// done; one that has something to show before flushes `out`, and then a reader that has gone away ends it.
///
/// Where it throws, nothing more reaches standard output: one line, opening with the program's name, goes to
/// standard error, and the exit code is 2 for a UsageError, 1 for anything else. 1 also where standard output
/// cannot be written, but a reader that has gone away is no failure.
int run_program(const std::string& name, const std::function<int(std::ostream& out)>& work);

}  // namespace wick::tools
