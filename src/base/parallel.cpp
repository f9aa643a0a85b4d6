#include "base/parallel.h"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace memmatch {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& job) {
  std::vector<std::exception_ptr> failures(count);
  const auto run = [&](std::size_t i) {
    try {
      job(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of this block, also by an exception
    threads.reserve(count);
    std::size_t next = 1;
    try {
      for (; next < count; ++next) threads.emplace_back(run, next);
    } catch (const std::system_error&) {
      // There are no more threads to be had.
    }
    if (count > 0) run(0);
    for (; next < count; ++next) run(next);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace memmatch
