#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <wick/framework/error.h>
#include <wick/framework/threads.h>
#include <wick/tests/framework/child.h>
#include <wick/tests/framework/errors.h>

namespace wick {
namespace {

struct Pieces {
  std::vector<std::pair<std::int64_t, std::int64_t>> borders;  // sorted
  std::set<std::thread::id> threads;
};

Pieces pieces_of(std::int64_t count, std::int64_t grain) {
  Pieces pieces;
  std::mutex mutex;
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    pieces.borders.emplace_back(begin, end);
    pieces.threads.insert(std::this_thread::get_id());
  });
  std::ranges::sort(pieces.borders);
  return pieces;
}

// One call, here.
bool is_serial(const Pieces& pieces, std::int64_t count) {
  return pieces.borders == std::vector{std::pair{std::int64_t{0}, count}} &&
         pieces.threads == std::set{std::this_thread::get_id()};
}

bool covers(const Pieces& pieces, std::int64_t count) {
  std::int64_t reached = 0;
  for (const auto& [begin, end] : pieces.borders) {
    if (begin != reached || end <= begin) return false;
    reached = end;
  }
  return reached == count;
}

TEST(ThreadCount, IsWhatWasSet) {
  const ThreadCount three(3);
  EXPECT_EQ(thread_count(), has_openmp() ? 3 : 1);
  set_thread_count(1);
  EXPECT_EQ(thread_count(), 1);
}

TEST(ThreadCount, IsAtLeastOne) {
  const int before = thread_count();
  EXPECT_GE(before, 1);
  EXPECT_EQ(error_of<ValueError>([] { set_thread_count(0); }), "a thread count of 0, expected 1 or more");
  EXPECT_EQ(error_of<ValueError>([] { set_thread_count(-2); }), "a thread count of -2, expected 1 or more");
  EXPECT_EQ(thread_count(), before);
}

TEST(ThreadCount, HoldsForEveryThread) {
  const ThreadCount three(3);
  int seen = 0;
  std::thread([&] { seen = thread_count(); }).join();
  EXPECT_EQ(seen, thread_count());
}

TEST(ParallelFor, CoversEveryIndexOnceInPiecesNoShorterThanTheGrain) {
  for (int threads = 1; threads <= 5; ++threads) {
    const ThreadCount setting(threads);
    for (const std::int64_t count : {1, 2, 3, 5, 7, 16, 63, 64, 65, 1275, 100003}) {
      for (const std::int64_t grain : {1, 2, 3, 7, 64, 1000, 200000}) {
        const Pieces pieces = pieces_of(count, grain);
        EXPECT_TRUE(covers(pieces, count)) << count << " by " << grain << " on " << threads;
        for (const auto& [begin, end] : pieces.borders) {
          EXPECT_TRUE(end - begin >= grain || pieces.borders.size() == 1)
              << count << " by " << grain << " on " << threads;
        }
        EXPECT_LE(pieces.borders.size(), static_cast<std::size_t>(threads));
      }
    }
  }
}

TEST(ParallelFor, PiecesDifferByOneIndexAtMost) {
  const ThreadCount four(4);
  std::int64_t shortest = 1275;
  std::int64_t longest = 0;
  for (const auto& [begin, end] : pieces_of(1275, 1).borders) {
    shortest = std::min(shortest, end - begin);
    longest = std::max(longest, end - begin);
  }
  EXPECT_LE(longest - shortest, 1);
}

TEST(ParallelFor, GivesEveryPieceAThread) {
  if (!has_openmp()) GTEST_SKIP() << "this build has no threads";
  const ThreadCount four(4);
  EXPECT_EQ(pieces_of(4, 1).threads.size(), 4U);
  EXPECT_EQ(pieces_of(7, 2).threads.size(), 3U);
}

TEST(ParallelFor, LessThanTwoPiecesRunHere) {
  const ThreadCount four(4);
  EXPECT_TRUE(is_serial(pieces_of(1, 1), 1));
  EXPECT_TRUE(is_serial(pieces_of(199, 100), 199));
  const ThreadCount one(1);
  EXPECT_TRUE(is_serial(pieces_of(100000, 1), 100000));
}

TEST(ParallelFor, NothingToDoIsNoCall) {
  const ThreadCount four(4);
  for (const std::int64_t grain : {1, 100}) EXPECT_TRUE(pieces_of(0, grain).borders.empty());
}

TEST(ParallelFor, InsideAnotherIsSerial) {
  const ThreadCount four(4);
  std::atomic<int> serial{0};
  parallel_for(4, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) serial += is_serial(pieces_of(100, 1), 100) ? 1 : 0;
  });
  EXPECT_EQ(serial, 4);
}

// As a user may have allowed nested regions of their own.
TEST(ParallelFor, InsideAnotherIsSerialWhereOpenMpWouldNestToo) {
  setenv("OMP_MAX_ACTIVE_LEVELS", "4", 1);
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a new process, since the runtime reads it once
  EXPECT_EXIT(
      {
        set_thread_count(2);
        std::atomic<int> serial{0};
        parallel_for(2, 1, [&](std::int64_t, std::int64_t) { serial += is_serial(pieces_of(100, 1), 100); });
        std::_Exit(serial == (has_openmp() ? 2 : 1) ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("OMP_MAX_ACTIVE_LEVELS");
}

TEST(ParallelFor, WhatABodyThrowsReachesTheCallerWhenAllHaveEnded) {
  const ThreadCount four(4);
  for (std::int64_t thrower = 0; thrower < 4; ++thrower) {
    std::atomic<int> ended{0};
    const auto body = [&](std::int64_t begin, std::int64_t end) {
      if (begin <= thrower && thrower < end) throw ValueError("piece " + std::to_string(thrower));
      ++ended;
    };
    EXPECT_EQ(error_of<ValueError>([&] { parallel_for(4, 1, body); }), "piece " + std::to_string(thrower));
    EXPECT_EQ(ended, has_openmp() ? 3 : 0);
    EXPECT_TRUE(covers(pieces_of(1275, 1), 1275));
  }
}

TEST(ParallelFor, OneOfSeveralErrorsReachesTheCaller) {
  const ThreadCount four(4);
  EXPECT_THROW(parallel_for(4, 1, [](std::int64_t, std::int64_t) { throw std::runtime_error("each"); }),
               std::runtime_error);
  EXPECT_TRUE(covers(pieces_of(1275, 1), 1275));
}

TEST(ParallelFor, MayBeCalledFromSeveralThreadsAtOnce) {
  const ThreadCount three(3);
  std::atomic<int> right{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) right += covers(pieces_of(1275, 1), 1275) ? 1 : 0;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 4 * 50);
}

TEST(ParallelFor, IsSerialInAChildAfterFork) {
  const ThreadCount two(2);
  EXPECT_TRUE(covers(pieces_of(1275, 1), 1275));
  const auto is_serial_here = [] {
    set_thread_count(2);
    return thread_count() == 1 && is_serial(pieces_of(1275, 1), 1275);
  };
  EXPECT_TRUE(is_true_in_child(is_serial_here));
  EXPECT_TRUE(is_true_in_child([&] { return is_true_in_child(is_serial_here); }));
  EXPECT_EQ(pieces_of(1275, 1).borders.size(), has_openmp() ? 2U : 1U);  // the parent goes on
}

}  // namespace
}  // namespace wick
