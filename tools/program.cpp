#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <ostream>
#include <sstream>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/tools/program.h>

namespace wick::tools {
namespace {

// One line, whatever the message quotes.
int failed(const std::string& name, const std::string& message, int exit_code) {
  std::fprintf(stderr, "%s: %s\n", escaped(name).c_str(), escaped(message).c_str());
  return exit_code;
}

// Whoever read standard output has gone away.
struct ReaderGone {};

// Keeps what is written until it is flushed. What goes wrong then is thrown, and ends the work.
class StandardOutput final : public std::stringbuf {
 protected:
  int sync() override {
    const std::string text = str();
    str("");
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
    if (errno == EPIPE) throw ReaderGone();
    throw FileError(std::string("standard output: write failed: ") + std::strerror(errno));
  }
};

}  // namespace

int run_program(const std::string& name, const std::function<int(std::ostream& out)>& work) {
  int exit_code = 0;
  try {
    StandardOutput buffer;
    std::ostream out(&buffer);
    out.exceptions(std::ios::badbit);  // lets through what the buffer throws
    exit_code = work(out);
    out.flush();
    return exit_code;
  } catch (const ReaderGone&) {  // it had what it wanted: that is no failure, and nothing is said
    return exit_code;
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
