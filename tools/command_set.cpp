#include <algorithm>
#include <ostream>

#include <wick/framework/text.h>
#include <wick/tools/command_set.h>
#include <wick/tools/terminal.h>

namespace wick::tools {
namespace {

void print_help(const CommandSet& set, std::ostream& out) {
  constexpr std::size_t kIndent = 12;
  const std::size_t width = help_width() - 1;
  out << "usage: " << set.caller << " COMMAND [options]\n\nCommands:\n";
  for (const Command& command : set.commands) {
    out << "  " << command.name << std::string(kIndent - 2 - command.name.size(), ' ')
        << wrapped(command.summary, width, kIndent) << "\n";
  }
  out << "\n" << wrapped(set.caller + " COMMAND --help tells a command's options.", width) << "\n";
  for (const std::string& note : set.notes) out << wrapped(note, width) << "\n";
}

}  // namespace

void require_alone(Arguments arguments) {
  if (arguments.size() > 1) throw UsageError(arguments[0] + " stands alone, without " + repr(arguments[1]));
}

int run_command(const CommandSet& set, Arguments arguments, std::ostream& out) {
  const std::string hint = "; " + set.caller + " --help lists them";
  if (arguments.empty()) throw UsageError("a command is missing" + hint);
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h") {
    require_alone(arguments);
    print_help(set, out);
    return 0;
  }
  const auto found = std::ranges::find(set.commands, first, &Command::name);
  if (found == set.commands.end()) throw UsageError("there is no command " + repr(first) + hint);
  return found->run(arguments.subspan(1), out);
}

}  // namespace wick::tools
