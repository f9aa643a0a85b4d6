#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memmatch/error.h"

namespace memmatch::data {

// What to do with a line that is not what it should be: stop there (the default), or leave it out,
// count it, and keep the first complaints for the report.
struct BadLines {
  bool skip = false;
  std::uint64_t count = 0;
  std::vector<std::string> examples;  // at most `most`
  std::size_t most = kExamples;

  static constexpr std::size_t kExamples = 5;

  void handle(const Error& error) {
    if (!skip) throw error;
    ++count;
    if (examples.size() < most) examples.emplace_back(error.what());
  }

  // Those of another reader as well.
  void add(const BadLines& other) {
    count += other.count;
    for (const std::string& example : other.examples)
      if (examples.size() < most) examples.push_back(example);
  }
};

}  // namespace memmatch::data
