#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>

#include <wick/framework/text.h>
#include <wick/tools/program.h>

namespace wick::tools {
namespace {

// One line, whatever the message quotes.
int failed(const std::string& name, const std::string& message, int exit_code) {
  std::fprintf(stderr, "%s: %s\n", escaped(name).c_str(), escaped(message).c_str());
  return exit_code;
}

// A reader that has gone away had what it wanted: that is no failure, and nothing is said.
int write_out(const std::string& name, const std::string& text, int exit_code) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  const int reason = errno;
  if (reason == EPIPE) return exit_code;
  return failed(name, std::string("standard output: write failed: ") + std::strerror(reason), 1);
}

}  // namespace

int run_program(const std::string& name, const std::function<int(std::ostream& out)>& work) {
  try {
    std::ostringstream out;
    const int exit_code = work(out);
    return write_out(name, out.str(), exit_code);
  } catch (const UsageError& error) {
    return failed(name, error.what(), 2);
  } catch (const std::bad_alloc&) {
    return failed(name, "out of memory", 1);
  } catch (const std::exception& error) {
    return failed(name, error.what(), 1);
  } catch (...) {  // an op of the user's may throw anything
    return failed(name, "something was thrown that is no std::exception", 1);
  }
}

}  // namespace wick::tools
