#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memmatch/verifier.h"

// Checking a whole text, sentence by sentence.
//
//   auto sentences = memmatch::sentences_to_check(draft);
//   memmatch::check(sentences, [&](std::span<const std::string> claims) {
//     return verifier.verify(claims, {});
//   });

namespace memmatch {

// A sentence of a text.
struct CheckedSentence {
  std::string source = {};  // the text's name, for who checks several
  std::string text = {};
  // Why it is not judged, to be said behind "it": "is a question". Empty where it is.
  std::string not_judged = {};
  std::optional<Verdict> verdict = {};  // where it was judged

  std::optional<double> confidence() const;
};

// The sentences of a text in their order. Questions, headings and what has no words claim nothing
// and say so in `not_judged`; that is decided by their form alone.
std::vector<CheckedSentence> sentences_to_check(std::string_view text);

// The same of a file in any of the formats that `memmatch import` reads, but JSON lines; "-" is
// standard input. Throws Error where it cannot be read, or has more than `largest` bytes, unpacked.
std::vector<CheckedSentence> sentences_of_file(const std::filesystem::path& file,
                                               std::uint64_t largest = std::uint64_t{256} << 20);

using VerifyClaims = std::function<std::vector<Verdict>(std::span<const std::string>)>;

// Gives a verdict to every sentence that may be judged, some of them together, in order. What
// `verify` throws ends it: the sentences before have their verdicts.
void check(std::span<CheckedSentence> sentences, const VerifyClaims& verify,
           const ProgressCallback& progress = {});

}  // namespace memmatch
