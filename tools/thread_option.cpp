#include <cstdint>
#include <cstdlib>

#include <wick/framework/threads.h>
#include <wick/tools/thread_option.h>

namespace wick::tools {
namespace {

// More than any machine has, so that a slip of the finger asks for none.
constexpr std::int64_t kMostThreads = 1024;

}  // namespace

void add_thread_option(Options& options) {
  options.add("threads", "N", "", "how many threads compute (default: OMP_NUM_THREADS, or 1)");
}

void use_threads(const Options& options) {
  if (options.has("threads")) {
    set_thread_count(static_cast<int>(options.whole_number("threads", 1, kMostThreads)));
  } else if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    set_thread_count(1);
  }
}

}  // namespace wick::tools
