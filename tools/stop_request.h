#pragma once

namespace wick::tools {

/// While it stands, Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal was closed) does not end the program: it
/// is a request to stop where that does no harm. Only a second Ctrl-C ends it: that is a person who does not
/// want to wait, where a closed terminal's SIGHUP comes twice by itself, from the shell and from the kernel.
/// Where a signal was being ignored, as nohup has it, it stays so. There is one at a time.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  bool is_made() const;
};

}  // namespace wick::tools
