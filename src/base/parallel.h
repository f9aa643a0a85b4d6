#pragma once

#include <cstddef>
#include <functional>

namespace memmatch {

// Calls job(0) … job(count - 1), each on a thread of its own, the first on the calling one, and
// comes back when all have ended, whatever happens. Rethrows what the first of them threw, in the
// order of their numbers.
//
// Threads are a matter of speed: what the system gives no thread for is done by the calling one. So
// a job must not wait for another.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& job);

}  // namespace memmatch
