// wick op: wick's own ops, under the tester that users have for theirs.

#include <wick/ops/testing/specs.h>
#include <wick/tools/command.h>
#include <wick/tools/op_commands.h>

namespace wick::tools {

int op_command(Arguments arguments, std::ostream& out) {
  return run_op_commands({"wick op", testing::op_specs()}, arguments, out);
}

}  // namespace wick::tools
