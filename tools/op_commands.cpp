#include <wick/ops/instruction_set.h>
#include <wick/tools/command_set.h>
#include <wick/tools/op_commands.h>

namespace wick::tools {

int run_op_commands(const Tester& tester, Arguments arguments, std::ostream& out) {
  const auto with_tester = [&](int (*command)(const Tester&, Arguments, std::ostream&)) {
    return [&tester, command](Arguments rest, std::ostream& to) { return command(tester, rest, to); };
  };
  return run_command(
      {.caller = tester.caller,
       .commands = {{"list", "the ops, what they take, how many cases they have", with_tester(op_list)},
                    {"run", "one op over .npy files, forward and backward", with_tester(op_run)},
                    {"check", "every case of every op: values, gradients, instruction sets",
                     with_tester(op_check)}}},
      arguments, out);
}

void choose_instruction_set(const std::string& name) {
  instruction_set();  // what is wrong with WICK_ISA is no fault of --isa
  from_command_line("--isa: ", [&] { use_instruction_set(name); });
}

}  // namespace wick::tools
