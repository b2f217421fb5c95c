#pragma once

#include <iosfwd>

#include <wick/tools/program.h>

namespace wick::tools {

/// The commands of `wick`, each with the arguments behind its name: see Command.
int attend_command(Arguments arguments, std::ostream& out);
int diff_command(Arguments arguments, std::ostream& out);
int lesson_command(Arguments arguments, std::ostream& out);
int train_command(Arguments arguments, std::ostream& out);
int op_command(Arguments arguments, std::ostream& out);
int graph_command(Arguments arguments, std::ostream& out);
int eval_command(Arguments arguments, std::ostream& out);
int sample_command(Arguments arguments, std::ostream& out);
int inspect_command(Arguments arguments, std::ostream& out);
int info_command(Arguments arguments, std::ostream& out);

/// `wick` with these arguments, its name left out: the exit code, 0 done, 1 the work failed or the answer is
/// no, 2 the command line was wrong.
int run(Arguments arguments);

}  // namespace wick::tools
