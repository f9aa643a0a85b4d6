#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "bindings.h"
#include "memmatch/error.h"

namespace memmatch::python {

// Raises what a signal's handler raised: KeyboardInterrupt after Ctrl-C. To be called between steps
// of long work, with or without the GIL.
void check_signals();

// Who may use an object that is for one thread at a time: each thread in its turn.
class Turn {
 public:
  // Waits for its turn without the GIL, which must not be held; Ctrl-C ends the waiting. Throws
  // Error(conflict) where this thread has the turn already (in a signal's handler, which would wait
  // for ever) and in a process that was forked since, whose threads are not there.
  class Held {
   public:
    Held(Turn& turn, const char* name);
    ~Held() { turn_.owner_ = std::thread::id(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    Turn& turn_;
    std::unique_lock<std::timed_mutex> lock_;
  };

  bool is_forked() const { return ::getpid() != process_; }

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> owner_ = std::thread::id();
  pid_t process_ = ::getpid();
};

// An object of the library in Python's hands: used by one thread at a time and without the GIL, and
// not after it was closed.
template <typename T>
class Guarded {
 public:
  // `name` is what people call it.
  Guarded(std::unique_ptr<T> object, const char* name) : object_(std::move(object)), name_(name) {}
  ~Guarded() {
    if (turn_.is_forked()) (void)object_.release();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  // work(T&), with the GIL released and a result that is nothing of Python's.
  template <typename Work>
  auto use(const Work& work) {
    const py::gil_scoped_release released;
    const Turn::Held held(turn_, name_);
    if (!object_) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("this {0} was closed; open another one: memmatch.{0}(…)", name_));
    }
    return work(*object_);
  }

  // Waits for the work that is being done. Closing again does nothing.
  void close() {
    const py::gil_scoped_release released;
    const Turn::Held held(turn_, name_);
    object_.reset();
  }

  bool closed() const { return !object_; }

 private:
  Turn turn_;
  std::unique_ptr<T> object_;
  const char* name_;
};

}  // namespace memmatch::python
