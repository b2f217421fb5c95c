#pragma once

#include <cstdint>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace wick {

/// How many threads one op may use: what set_thread_count() said, else what OpenMP says (OMP_NUM_THREADS, or
/// the processors). 1 in a build without OpenMP, and in a child after fork. No result depends on it, to the
/// bit.
int thread_count();

/// Sets it for the whole process, from the next op on. Throws ValueError below 1. Without effect in a build
/// without OpenMP, and in a child after fork.
void set_thread_count(int count);

/// So many threads until the end of a scope: of the whole process, as set_thread_count() has it.
class ThreadCount {
 public:
  explicit ThreadCount(int count) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_ = thread_count();
};

/// Whether OpenMP is in this build.
bool has_openmp();

/// True only where the process has a single thread, so that nothing need be atomic; false where the system
/// does not say.
inline bool is_only_thread() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

namespace threads_detail {
using Piece = void (*)(const void* body, std::int64_t begin, std::int64_t end);
void run(std::int64_t count, std::int64_t grain, Piece piece, const void* body);
}  // namespace threads_detail

/// Calls body(begin, end) so that every index in [0, count) is covered once, on several threads where there
/// is enough to do: no piece is shorter than `grain` (1 or more) but the only one. Less than two pieces are
/// run in place, for the price of one comparison.
///
/// Serial inside another parallel_for or parallel region of OpenMP, in a build without OpenMP, and in a child
/// after fork: the runtime's threads do not survive it, and GCC's would be waited for forever. May be called
/// from several threads at once; each then has its own threads. What a body throws reaches the caller once
/// all pieces have ended; where several throw, one of them does.
///
/// The body runs on threads that have none of the caller's state: open observers, NoGrad and module scopes
/// are the caller's alone. So it runs kernels over memory, and calls no op. Where the cuts lie is arbitrary:
/// each element of a result is computed by one call alone, in the same way wherever the piece begins.
template <typename Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body) {
  if (count < 2 * grain) {
    if (count > 0) body(std::int64_t{0}, count);
    return;
  }
  threads_detail::run(
      count, grain,
      [](const void* erased, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Body*>(erased))(begin, end);
      },
      &body);
}

}  // namespace wick
