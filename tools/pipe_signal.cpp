#include <wick/tools/pipe_signal.h>

namespace wick::tools {

PipeSignalHeld::PipeSignalHeld() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before_);
}

PipeSignalHeld::~PipeSignalHeld() {
  struct sigaction ignore {};
  struct sigaction own {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &own);  // which also discards one that waits
  sigaction(SIGPIPE, &own, nullptr);
  let_through();
}

void PipeSignalHeld::let_through() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace wick::tools
