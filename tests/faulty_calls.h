#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <new>
#include <optional>

#include "memmatch/error.h"

namespace memmatch::test {

// What a program asks of the system, and of the allocator.
enum class Call {
  look,    // stat, fstat
  open,    // open, fopen, mkdir
  read,    // fread
  map,     // mmap
  write,   // write: the disk is full
  sync,    // fsync
  rename,  // rename, renameat2
  memory   // operator new
};

// While it lives, the `n`-th such call of this thread fails, counted from 1, and with `stays` all
// that follow. At most one at a time. faulty_calls.cpp puts itself in between the test program and
// the C library.
class FaultyCalls {
 public:
  FaultyCalls(Call call, int n, bool stays);
  ~FaultyCalls();
  FaultyCalls(const FaultyCalls&) = delete;
  FaultyCalls& operator=(const FaultyCalls&) = delete;

  bool fired() const;
};

// What came of an action: done, an Error, or neither where there was no memory.
struct FaultOutcome {
  bool done = false;
  bool fired = false;
  std::optional<Error> error = {};
};

// Nothing may be told while calls fail; what else the action throws fails the test.
template <typename Action>
FaultOutcome with_fault(Call call, int n, bool stays, Action action) {
  FaultOutcome outcome;
  const FaultyCalls faults(call, n, stays);
  try {
    action();
    outcome.done = true;
  } catch (const Error& error) {
    outcome.error = error;
  } catch (const std::bad_alloc&) {
    EXPECT_EQ(call, Call::memory);
  }
  outcome.fired = faults.fired();
  return outcome;
}

// Calls `trial(call, n, stays)` with n from 1 on until the fault no longer comes.
template <typename Trial>
void for_every_fault(std::initializer_list<Call> calls, int fewest, Trial trial) {
  int faults = 0;
  for (const Call call : calls) {
    for (const bool stays : {false, true}) {
      for (int n = 1; trial(call, n, stays); ++n) {
        ++faults;
        ASSERT_FALSE(testing::Test::HasFailure())
            << "call " << static_cast<int>(call) << " n " << n << " stays " << stays;
      }
    }
  }
  EXPECT_GE(faults, fewest);
}

}  // namespace memmatch::test
