#pragma once

#include <wick/framework/threads.h>

namespace wick {

/// So many threads until the end of a scope.
class ThreadCount {
 public:
  explicit ThreadCount(int count) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_ = thread_count();
};

}  // namespace wick
