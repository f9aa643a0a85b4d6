#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

namespace memmatch::test {

using Clock = std::chrono::steady_clock;

// How many kills must hit the middle before a test ends: `few`, unless MEMMATCH_KILL_ROUNDS says
// otherwise, as `make kill` does.
inline int kill_rounds(int few = 10) {
  const char* text = std::getenv("MEMMATCH_KILL_ROUNDS");
  return text ? std::atoi(text) : few;
}

// Calls `round(delay)`, which starts a program, kills it after that time and looks at what is left,
// until enough rounds have hit the middle: those for which it gives true. The moments are spread
// evenly over `life`, how long the program takes when nobody kills it, and a little beyond.
template <typename Round>
void kill_again_and_again(Clock::duration life, Round round, int wanted = kill_rounds()) {
  constexpr int kMoments = 120;
  int midway = 0;
  int kills = 0;
  for (; midway < wanted && kills < 40 * wanted; ++kills) {
    midway += round(life * (kills * 13 % kMoments) * 12 / (kMoments * 10));
    ASSERT_FALSE(testing::Test::HasFailure()) << "kill " << kills;
  }
  std::cout << midway << " of " << kills << " kills hit the middle\n";
  EXPECT_GE(midway, wanted);
}

}  // namespace memmatch::test
