#pragma once

#include <omp.h>

#include "base/signals_wait.h"

namespace memmatch::engine {

// While this lives, oneDNN uses only the calling thread: work is split over workers by us, by
// sequences or by columns. The way that oneDNN splits a product also decides its rounding, so it
// must not change with the machine. Signals wait meanwhile.
class SingleThread {
 public:
  SingleThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~SingleThread() { omp_set_num_threads(before_); }
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  SignalsWait signals_wait_;
  int before_;
};

}  // namespace memmatch::engine
