#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include <wick/framework/text.h>
#include <wick/tools/command.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments arguments, std::ostream& out);
};

constexpr std::array kCommands = {
    Command{"attend", "one attention head over a text: who attends to whom", attend_command},
    Command{"diff", "where two saved runs, or two .npy files, begin to differ", diff_command},
    Command{"lesson", "the course's lessons 4 and 5, as they print them", lesson_command},
    Command{"graph", "the op graph of an attention head, as a table or for Graphviz", graph_command},
    Command{"info", "version, instruction sets, threads, compiler, libraries", info_command},
};

void print_help(std::ostream& out) {
  constexpr std::size_t kIndent = 12;
  const std::size_t width = help_width() - 1;
  out << "usage: wick COMMAND [options]\n\nCommands:\n";
  for (const Command& command : kCommands) {
    out << "  " << command.name << std::string(kIndent - 2 - command.name.size(), ' ')
        << wrapped(command.summary, width, kIndent) << "\n";
  }
  out << "\n"
      << wrapped("wick COMMAND --help tells a command's options, wick --version the version.", width) << "\n"
      << wrapped("WICK_ISA=avx2 in the environment forces an instruction set (see wick info).", width)
      << "\n";
}

int run_command(Arguments arguments, std::ostream& out) {
  if (arguments.empty()) throw UsageError("a command is missing; wick --help lists them");
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "--version") {
    if (arguments.size() > 1) throw UsageError(first + " stands alone, without " + repr(arguments[1]));
    if (first == "--version") {
      out << "wick " << WICK_VERSION << "\n";
    } else {
      print_help(out);
    }
    return 0;
  }
  const auto found = std::ranges::find(kCommands, first, &Command::name);
  if (found == kCommands.end())
    throw UsageError("there is no command " + repr(first) + "; wick --help lists them");
  return found->run(arguments.subspan(1), out);
}

// A reader that has gone away had what it wanted: that is no failure, and nothing is said.
bool write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const int reason = errno;
  if (reason == EPIPE) return true;
  std::fprintf(stderr, "wick: standard output: write failed: %s\n", std::strerror(reason));
  return false;
}

// One line, whatever the message quotes.
int failed(const char* message, int exit_code) {
  std::fprintf(stderr, "wick: %s\n", escaped(message).c_str());
  return exit_code;
}

}  // namespace

int run(Arguments arguments) {
  try {
    std::ostringstream out;
    const int exit_code = run_command(arguments, out);
    return write_out(out.str()) ? exit_code : 1;
  } catch (const UsageError& error) {
    return failed(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return failed("out of memory", 1);
  } catch (const std::exception& error) {
    return failed(error.what(), 1);
  }
}

}  // namespace wick::tools
