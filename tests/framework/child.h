#pragma once

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace wick {

/// Whether body() returns true in a child that fork makes here. A child that hangs is ended, and that is
/// false.
template <typename Body>
bool is_true_in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGALRM, SIG_DFL);
    alarm(30);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace wick
