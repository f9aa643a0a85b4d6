#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace memmatch {
namespace {

TEST(ParallelTest, EveryJobIsDoneOnceTheFirstOnTheCallingThread) {
  std::array<std::atomic<int>, 7> calls{};
  std::thread::id first;
  in_parallel(calls.size(), [&](std::size_t i) {
    ++calls[i];
    if (i == 0) first = std::this_thread::get_id();
  });
  for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
  EXPECT_EQ(first, std::this_thread::get_id());
  in_parallel(0, [](std::size_t) { FAIL(); });
}

TEST(ParallelTest, WhatTheFirstThrewIsThrownWhenAllHaveEnded) {
  std::atomic<int> ended = 0;
  std::string message;
  try {
    in_parallel(5, [&](std::size_t i) {
      if (i == 3) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ++ended;
      if (i % 2 == 1) throw std::runtime_error("job " + std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "job 1");
  EXPECT_EQ(ended, 5);
}

// With no room for another thread's stack.
[[noreturn]] void work_without_room() {
  const rlimit little{std::size_t{1} << 20, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &little);
  std::array<int, 8> calls{};
  in_parallel(calls.size(), [&](std::size_t i) { ++calls[i]; });
  for (const int count : calls)
    if (count != 1) std::_Exit(1);
  std::_Exit(0);
}

TEST(ParallelTest, JobsWithoutAThreadAreDoneByTheCallingOne) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers need memory for themselves";
#endif
  EXPECT_EXIT(work_without_room(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace memmatch
