#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>

#include <wick/models/text.h>
#include <wick/tools/command.h>

namespace wick::tools {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  void (*run)(Arguments arguments, std::ostream& out);
};

constexpr std::array kCommands = {
    Command{"attend", "one attention head over a text: who attends to whom", attend_command},
    Command{"lesson", "the course's lessons 4 and 5, as they print them", lesson_command},
    Command{"info", "version, instruction sets, threads, compiler, libraries", info_command},
};

void print_help(std::ostream& out) {
  out << "usage: wick COMMAND [options]\n\nCommands:\n";
  for (const Command& command : kCommands) {
    out << "  " << command.name << std::string(10 - command.name.size(), ' ') << command.summary << "\n";
  }
  out << "\nwick COMMAND --help tells a command's options; wick --version tells the version.\n"
         "WICK_ISA in the environment forces an instruction set: scalar, sse2, avx2, avx512.\n";
}

void run_command(Arguments arguments, std::ostream& out) {
  if (arguments.empty()) throw UsageError("a command is missing; wick --help lists them");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "--version") {
    if (arguments.size() > 1) throw UsageError(first + " stands alone, without " + repr(arguments[1]));
    if (first == "--version") {
      out << "wick " << WICK_VERSION << "\n";
    } else {
      print_help(out);
    }
    return;
  }
  const auto found = std::ranges::find(kCommands, first, &Command::name);
  if (found == kCommands.end())
    throw UsageError("there is no command " + repr(first) + "; wick --help lists them");
  found->run(arguments.subspan(1), out);
}

// A reader that has gone away had what it wanted: that is no failure, and nothing is said.
int write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  const int reason = errno;
  if (reason == EPIPE) return 0;
  std::fprintf(stderr, "wick: standard output: write failed: %s\n", std::strerror(reason));
  return 1;
}

int failed(const std::exception& error, int exit_code) {
  std::fprintf(stderr, "wick: %s\n", error.what());
  return exit_code;
}

}  // namespace

int run(Arguments arguments) {
  try {
    std::ostringstream out;
    run_command(arguments, out);
    return write_out(out.str());
  } catch (const UsageError& error) {
    return failed(error, 2);
  } catch (const std::exception& error) {
    return failed(error, 1);
  }
}

}  // namespace wick::tools
