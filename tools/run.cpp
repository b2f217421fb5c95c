#include <ostream>

#include <wick/tools/command.h>
#include <wick/tools/command_set.h>

namespace wick::tools {
namespace {

CommandSet wick_commands() {
  return {
      .caller = "wick",
      .commands = {{"attend", "one attention head over a text: who attends to whom", attend_command},
                   {"diff", "where two saved runs, or two .npy files, begin to differ", diff_command},
                   {"lesson", "the course's lessons 4 and 5, as they print them", lesson_command},
                   {"train", "a GPT learns to write a text", train_command},
                   {"eval", "how well a trained GPT foretells a text, in nats a character", eval_command},
                   {"sample", "a trained GPT continues a text", sample_command},
                   {"inspect", "who attends to whom in a trained GPT, head by head", inspect_command},
                   {"graph", "the op graph of an attention head, as a table or for Graphviz", graph_command},
                   {"op", "any op by itself: list, run over files, check", op_command},
                   {"info", "version, instruction sets, threads, compiler, libraries", info_command}},
      .notes = {"wick --version tells the version.",
                "WICK_ISA=avx2 in the environment forces an instruction set (see wick info)."}};
}

int run_wick(Arguments arguments, std::ostream& out) {
  if (arguments.empty() || arguments.front() != "--version")
    return run_command(wick_commands(), arguments, out);
  require_alone(arguments);
  out << "wick " << WICK_VERSION << "\n";
  return 0;
}

}  // namespace

int run(Arguments arguments) {
  return run_program("wick", [&](std::ostream& out) { return run_wick(arguments, out); });
}

}  // namespace wick::tools
