#pragma once

#include <cstddef>
#include <functional>
#include <pthread.h>

#include <gtest/gtest.h>

namespace wick {

/// How many ops are deep: recursion over them would need many times the small stack. A sanitizer's frames are
/// larger, and its tests slower.
#ifdef WICK_IS_SANITIZED
inline constexpr int kDeep = 100'000;
#else
inline constexpr int kDeep = 1'000'000;
#endif

/// Runs `work` on a thread with a stack of 256 KiB, which recursion of any depth worth the name runs through.
inline void run_on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{256} << 10), 0);
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&work)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace wick
