#include <string>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>

#ifdef _OPENMP
#include <algorithm>
#include <atomic>
#include <exception>
#include <omp.h>
#include <pthread.h>

// The runtime puts what the caller and its threads do in order. It is not compiled with the thread sanitizer,
// which therefore has to be told.
#if defined(__SANITIZE_THREAD__)
#define WICK_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WICK_THREAD_SANITIZER
#endif
#endif
#ifdef WICK_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif
#endif

namespace wick {
namespace {

void require_count(int count) {
  if (count < 1) throw ValueError("a thread count of " + std::to_string(count) + ", expected 1 or more");
}

}  // namespace

#ifdef _OPENMP
namespace {

std::atomic<int> wanted_count{0};  // 0: what OpenMP says
std::atomic<bool> in_forked_child{false};

[[maybe_unused]] const int watches_forks = pthread_atfork(nullptr, nullptr, [] { in_forked_child = true; });

#ifdef WICK_THREAD_SANITIZER
void goes_before(void* meeting) { __tsan_release(meeting); }
void comes_after(void* meeting) { __tsan_acquire(meeting); }
#else
void goes_before(void* /*meeting*/) {}
void comes_after(void* /*meeting*/) {}
#endif

}  // namespace

bool has_openmp() { return true; }

int thread_count() {
  if (in_forked_child) return 1;
  const int wanted = wanted_count;
  return wanted > 0 ? wanted : std::min(omp_get_max_threads(), omp_get_thread_limit());
}

void set_thread_count(int count) {
  require_count(count);
  wanted_count = count;
}

void threads_detail::run(std::int64_t count, std::int64_t grain, Piece piece, const void* body) {
  const int threads = omp_in_parallel() != 0 ? 1 : thread_count();
  const int pieces = static_cast<int>(std::min<std::int64_t>(threads, count / grain));
  if (pieces < 2) return piece(body, 0, count);

  // An exception must not leave the region on the thread that it was thrown on.
  std::atomic_flag has_failed;
  std::exception_ptr failure;
  goes_before(&failure);
#pragma omp parallel num_threads(pieces)
  {
    comes_after(&failure);
    try {
      // The runtime may give fewer threads than asked for. The first few take one index more than the others.
      const std::int64_t given = omp_get_num_threads();
      const std::int64_t mine = omp_get_thread_num();
      const std::int64_t begin = count / given * mine + std::min(mine, count % given);
      const std::int64_t end = begin + count / given + (mine < count % given ? 1 : 0);
      piece(body, begin, end);
    } catch (...) {
      if (!has_failed.test_and_set()) failure = std::current_exception();
    }
    goes_before(&failure);
  }
  comes_after(&failure);
  if (failure) std::rethrow_exception(failure);
}

#else

bool has_openmp() { return false; }

int thread_count() { return 1; }

void set_thread_count(int count) { require_count(count); }

void threads_detail::run(std::int64_t count, std::int64_t /*grain*/, Piece piece, const void* body) {
  piece(body, 0, count);
}

#endif

}  // namespace wick
