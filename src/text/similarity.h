#pragma once

#include <string_view>

namespace memmatch::text {

// How alike two texts are, from 0 to 1: twice the length of their longest common subsequence of
// characters, divided by the sum of their lengths. 1 for equal texts, also for two empty ones.
// Gives 0 without further work where it could not exceed `at_least`.
double similarity(std::string_view a, std::string_view b, double at_least = 0);

}  // namespace memmatch::text
