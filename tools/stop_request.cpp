#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include <wick/tools/stop_request.h>

namespace wick::tools {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> is_requested = false;  // the signal may come to any thread
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set no other");
std::array<struct sigaction, kSignals.size()> actions_before;

void request(int) { is_requested = true; }

}  // namespace

StopRequest::StopRequest() {
  is_requested = false;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &actions_before[i]);
    if (actions_before[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = request;
    action.sa_flags = SA_RESTART;
    if (kSignals[i] == SIGINT) action.sa_flags |= SA_RESETHAND;  // the second one ends the program
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], &action, nullptr);
  }
}

StopRequest::~StopRequest() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &actions_before[i], nullptr);
}

bool StopRequest::is_made() const { return is_requested; }

}  // namespace wick::tools
