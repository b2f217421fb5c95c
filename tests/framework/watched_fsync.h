#pragma once

// This program's fsync stands in for the system's: in one file of a test program, as it defines it.

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace wick {

/// Told of each file or folder that is synced, as long as a FsyncWatch lives.
inline std::function<int(const std::filesystem::path&)> on_fsync;

/// What `watch` returns, if not 0, is the error number that fsync then fails with.
class FsyncWatch {
 public:
  explicit FsyncWatch(std::function<int(const std::filesystem::path&)> watch) { on_fsync = std::move(watch); }
  ~FsyncWatch() { on_fsync = nullptr; }
  FsyncWatch(const FsyncWatch&) = delete;
  FsyncWatch& operator=(const FsyncWatch&) = delete;
};

}  // namespace wick

// The linker knows it as fsync; the compiler need not agree with the system's declaration.
extern "C" int watched_fsync(int descriptor) __asm__("fsync");

extern "C" int watched_fsync(int descriptor) {
  if (wick::on_fsync) {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (const int error = wick::on_fsync(std::filesystem::read_symlink(link))) {
      errno = error;
      return -1;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
