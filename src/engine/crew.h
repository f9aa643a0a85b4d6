#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>

namespace memmatch::engine {

// Several threads at one small job. The leader goes through the job step by step; of each step's
// items, whoever is free takes the next. A step ends when its items are done, not when everybody
// was there: helpers that come late hold up nobody.
//
// Steps last microseconds, so waiting is by spinning (and, where it lasts, by giving the processor
// to others). Between jobs nobody waits here.
class Crew {
 public:
  void open() { closed_.store(false, std::memory_order_relaxed); }

  // Leader: calls f(hand, item) for every item below `count`, its own hand being 0. Throws what
  // one of the calls threw.
  template <typename F>
  void each(std::int64_t count, F& f) {
    run(count, &f,
        [](void* of, std::size_t hand, std::int64_t item) { (*static_cast<F*>(of))(hand, item); });
  }

  // Leader: no more steps.
  void close() { closed_.store(true, std::memory_order_release); }

  // Takes part in the steps until close().
  void help(std::size_t hand);

 private:
  using Call = void (*)(void* function, std::size_t hand, std::int64_t item);

  void run(std::int64_t count, void* function, Call call);
  bool work(std::size_t hand);

  // The step's number of items and the next that nobody has taken, in the upper and the lower
  // half: who takes one knows that the step is not over, and so that the two below are its own.
  alignas(64) std::atomic<std::uint64_t> items_ = 0;
  void* function_ = nullptr;
  Call call_ = nullptr;
  alignas(64) std::atomic<std::int64_t> done_ = 0;
  std::atomic<bool> closed_ = true;
  std::mutex mutex_;  // guards failure_
  std::exception_ptr failure_;
};

}  // namespace memmatch::engine
