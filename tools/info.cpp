// wick info: what this build is, and what it finds on this machine.

#include <ostream>

#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include <wick/framework/compiler.h>
#include <wick/framework/threads.h>
#include <wick/ops/instruction_set.h>
#include <wick/tools/command.h>
#include <wick/tools/options.h>

#define WICK_TEXT_OF(x) #x
#define WICK_TEXT(x) WICK_TEXT_OF(x)

namespace wick::tools {
namespace {

constexpr const char* kJsonVersion = WICK_TEXT(NLOHMANN_JSON_VERSION_MAJOR) "." WICK_TEXT(
    NLOHMANN_JSON_VERSION_MINOR) "." WICK_TEXT(NLOHMANN_JSON_VERSION_PATCH);

}  // namespace

int info_command(Arguments arguments, std::ostream& out) {
  Options options("wick info", "[options]", "What this build is, and what it finds on this machine.");
  if (!options.parse(arguments, out)) return 0;
  std::string present;
  for (const std::string& name : present_instruction_sets()) present += (present.empty() ? "" : " ") + name;
  out << "wick              " << WICK_VERSION << "\n";
  out << "instruction sets  " << present << "\n";
  out << "chosen            " << instruction_set() << "\n";
  out << "threads           " << thread_count()
      << (has_openmp() ? " (OpenMP; OMP_NUM_THREADS sets them)" : " (built without OpenMP)") << "\n";
  out << "compiler          " << kCompiler << "\n";
  out << "xsimd             " << WICK_XSIMD_VERSION << "\n";
  out << "Boost             " << BOOST_VERSION / 100000 << "." << BOOST_VERSION / 100 % 1000 << "."
      << BOOST_VERSION % 100 << "\n";
  out << "nlohmann_json     " << kJsonVersion << "\n";
  return 0;
}

}  // namespace wick::tools
