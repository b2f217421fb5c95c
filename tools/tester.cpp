#include <filesystem>
#include <ostream>
#include <string>

#include <wick/tools/op_commands.h>
#include <wick/tools/shell.h>
#include <wick/tools/tester.h>

namespace wick::testing {

int main(int count, char** values, const std::vector<OpSpec>& specs) {
  const std::string called = count > 0 ? values[0] : "ops";
  const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
  return tools::run_program(std::filesystem::path(called).filename().string(), [&](std::ostream& out) {
    return tools::run_op_commands({tools::shell_quoted(called), specs}, arguments, out);
  });
}

}  // namespace wick::testing
