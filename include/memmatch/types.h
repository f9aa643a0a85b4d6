#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace memmatch {

using DocumentId = std::int64_t;
using SentenceId = std::int64_t;

// 128-bit XXH3 of a text's UTF-8 bytes, most significant byte first. It tells whether a text has
// changed; it is no defence against somebody who constructs collisions.
using ContentHash = std::array<std::uint8_t, 16>;

// The three decisions of the paper, in the order in which level 3 breaks ties.
enum class Label { supports, refutes, unverifiable };

// "SUPPORTS", "REFUTES", "NOT ENOUGH INFO": the labels as FEVER files spell them.
std::string_view fever_name(Label label);

// A sentence as evidence, told without a datastore.
struct GivenEvidence {
  std::string raw_title;
  std::string title;  // of its document; empty where it has none, then the number means nothing
  int number = 0;     // in its document, from 0
  std::string text;

  friend bool operator==(const GivenEvidence&, const GivenEvidence&) = default;
};

// How far a long operation has come. `total` is 0 where it is not known beforehand.
struct Progress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// Called now and then from the thread that does the work; may throw to stop it.
using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace memmatch
