#pragma once

namespace wick::tools {

/// While it stands, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal was closed) does not end the
/// program: it is a request to stop where that does no harm. The same signal again ends it. Where a signal
/// was being ignored, as nohup has it, it stays so. There is one at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  bool is_made() const;
};

}  // namespace wick::tools
