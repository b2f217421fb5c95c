#pragma once

#include <csignal>

namespace wick::tools {

/// While it stands, writing to a reader that has gone away fails (EPIPE), and the signal that would end the
/// program there and then (SIGPIPE) waits: first what was worked out is to be saved. For the thread that
/// writes; one at a time.
class PipeSignalHeld {
 public:
  PipeSignalHeld();
  /// A signal that came and was not let through is forgotten.
  ~PipeSignalHeld();
  PipeSignalHeld(const PipeSignalHeld&) = delete;
  PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

  /// Where one came it ends the program now, as it ends others, unless it is being ignored.
  void let_through();

 private:
  sigset_t before_;
};

}  // namespace wick::tools
