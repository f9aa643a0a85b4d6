#include "engine/crew.h"

#include <thread>
#include <utility>

namespace memmatch::engine {
namespace {

class Wait {
 public:
  void once() {
    if (++times_ > kSpins) {
      std::this_thread::yield();
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

 private:
  static constexpr int kSpins = 1000;  // some 50 microseconds
  int times_ = 0;
};

}  // namespace

void Crew::run(std::int64_t count, void* function, Call call) {
  function_ = function;
  call_ = call;
  done_.store(0, std::memory_order_relaxed);
  items_.store(static_cast<std::uint64_t>(count) << 32, std::memory_order_release);
  while (work(0)) continue;
  for (Wait wait; done_.load(std::memory_order_acquire) != count;) wait.once();
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Crew::help(std::size_t hand) {
  for (Wait wait; !closed_.load(std::memory_order_acquire);) {
    if (work(hand)) {
      wait = Wait();
    } else {
      wait.once();
    }
  }
}

// Does one item, if there is one.
bool Crew::work(std::size_t hand) {
  std::uint64_t items = items_.load(std::memory_order_acquire);
  do {
    if ((items & 0xffffffffu) >= items >> 32) return false;
  } while (!items_.compare_exchange_weak(items, items + 1, std::memory_order_acq_rel,
                                         std::memory_order_acquire));
  try {
    call_(function_, hand, static_cast<std::int64_t>(items & 0xffffffffu));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace memmatch::engine
